import { useEffect } from 'react';
import type { Engagement } from '../../../src/core/dialogue/state.ts';
import type { LiveDialogue } from './live-dialogue.ts';

/** Whoever did nothing for so long is only looking. */
const IDLE_MS = 120_000;
const RESEND_MS = 5_000;
const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/** How the person attends to the dialogue, as this view can tell (D15): it is open, it is used, it is gone. */
export function useEngagement(dialogue: LiveDialogue, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    let lastSent: Engagement | undefined;
    let sentAt = 0;
    let idleTimer: ReturnType<typeof setTimeout> | undefined;

    /** Once, and again when somebody else said otherwise meanwhile, such as another tab that was closed. */
    const report = (engagement: Engagement) => {
      const isUnchanged = dialogue.status.get()?.engagement === engagement || Date.now() < sentAt + RESEND_MS;
      if (lastSent === engagement && isUnchanged) return;
      lastSent = engagement;
      sentAt = Date.now();
      void dialogue.remote.command('engagement', { engagement }).catch(() => {});
    };
    const onActivity = () => {
      if (document.visibilityState !== 'visible') return;
      clearTimeout(idleTimer);
      idleTimer = setTimeout(report, IDLE_MS, 'reviewing');
      report('engaged');
    };
    const onVisibilityChange = () => report(document.visibilityState === 'visible' ? 'reviewing' : 'absent');
    /** Nothing that is begun now would be finished, unless the browser is asked to. */
    const onPageHide = () => {
      void fetch(`/api/threads/${encodeURIComponent(dialogue.id)}/commands/engagement`, {
        method: 'POST',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ engagement: 'absent' }),
      }).catch(() => {});
    };

    onVisibilityChange();
    for (const eventName of ACTIVITY_EVENTS) addEventListener(eventName, onActivity, { passive: true });
    document.addEventListener('visibilitychange', onVisibilityChange);
    addEventListener('pagehide', onPageHide);
    return () => {
      clearTimeout(idleTimer);
      for (const eventName of ACTIVITY_EVENTS) removeEventListener(eventName, onActivity);
      document.removeEventListener('visibilitychange', onVisibilityChange);
      removeEventListener('pagehide', onPageHide);
      report('absent');
    };
  }, [dialogue, isReady]);
}
