import { useEffect } from 'react';
import type { Engagement } from '../../../src/core/dialogue/state.ts';
import type { Talk } from './live-dialogue.ts';

/** Whoever did nothing for so long is only looking. */
const IDLE_MS = 120_000;
const AGAIN_MS = 5_000;
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/** How the person attends to the dialogue, as this view can tell (D15): it is open, it is used, it is gone. */
export function useEngagement(talk: Talk, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    let told: Engagement | undefined;
    let at = 0;
    let idle: ReturnType<typeof setTimeout> | undefined;

    /** Once, and again when somebody else said otherwise meanwhile, such as another tab that was closed. */
    const tell = (engagement: Engagement) => {
      const stands = talk.status.get()?.engagement === engagement || Date.now() < at + AGAIN_MS;
      if (told === engagement && stands) return;
      told = engagement;
      at = Date.now();
      void talk.remote.command('engagement', { engagement }).catch(() => {});
    };
    const used = () => {
      if (document.visibilityState !== 'visible') return;
      clearTimeout(idle);
      idle = setTimeout(tell, IDLE_MS, 'reviewing');
      tell('engaged');
    };
    const changed = () => tell(document.visibilityState === 'visible' ? 'reviewing' : 'absent');
    /** Nothing that is begun now would be finished, unless the browser is asked to. */
    const left = () => {
      void fetch(`/api/threads/${encodeURIComponent(talk.id)}/commands/engagement`, {
        method: 'POST',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ engagement: 'absent' }),
      }).catch(() => {});
    };

    changed();
    for (const sign of SIGNS) addEventListener(sign, used, { passive: true });
    document.addEventListener('visibilitychange', changed);
    addEventListener('pagehide', left);
    return () => {
      clearTimeout(idle);
      for (const sign of SIGNS) removeEventListener(sign, used);
      document.removeEventListener('visibilitychange', changed);
      removeEventListener('pagehide', left);
      tell('absent');
    };
  }, [talk, isReady]);
}
