import { useEffect } from 'react';
import type { Engagement } from '../../../src/core/dialogue/state.ts';
import type { LiveDialogue } from './live-dialogue.ts';

/** After this long without activity, the person counts as reviewing. */
const IDLE_MS = 120_000;
const RESEND_MS = 5_000;
const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/** Reports the person's engagement as far as this view can tell (D15): open, in use, or gone. */
export function useEngagement(dialogue: LiveDialogue, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    let lastSent: Engagement | undefined;
    let sentAt = 0;
    let idleTimer: ReturnType<typeof setTimeout> | undefined;

    /** Reports once, and again if something else overwrote it meanwhile, such as another tab that closed. */
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
    /** Only a `keepalive` request survives the unloading of the page. */
    const onPageHide = () =>
      void dialogue.remote.command('engagement', { engagement: 'absent' }, { keepalive: true }).catch(() => {});

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
