import { type RefObject, useEffect, useRef } from 'react';
import type { Talk } from '../live-dialogue.ts';

/** So long it must have stood on a screen somebody looked at. */
const LOOKED_MS = 800;
const TOGETHER_MS = 200;

/** Tells the server which drafts were really on screen: at least half of one, or half of the screen full of it (D15). */
export function useSeen(area: RefObject<HTMLElement | null>, talk: Talk, turn: number | null, shown: unknown): void {
  const watcher = useRef<{ watch(elements: Iterable<Element>): void }>(undefined);
  useEffect(() => {
    const root = area.current;
    if (!root || turn === null) return;
    const timers = new Map<Element, ReturnType<typeof setTimeout>>();
    const watched = new WeakSet<Element>();
    let looked = new Set<number>();

    const send = () => {
      const unseen = new Set(talk.buffer.get().drafts.flatMap(({ index, seen }) => (seen ? [] : [index])));
      const drafts = [...looked].filter((index) => unseen.has(index));
      looked = new Set();
      // It is no more than an aid: what is not noted now is noted when it is looked at again.
      if (drafts.length > 0) void talk.remote.command('seen', { turn, drafts }).catch(() => {});
    };
    const hold = (element: Element) => {
      timers.delete(element);
      if (document.visibilityState !== 'visible' || !element.isConnected) return;
      const was = looked.size;
      for (const index of (element.getAttribute('data-draft') ?? '').split(' ')) looked.add(Number(index));
      if (was === 0) setTimeout(send, TOGETHER_MS);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
          const isShown = intersectionRatio >= 0.5 || intersectionRect.height >= (rootBounds?.height ?? 0) / 2;
          if (isShown && !timers.has(target)) timers.set(target, setTimeout(hold, LOOKED_MS, target));
          if (!isShown) {
            clearTimeout(timers.get(target));
            timers.delete(target);
          }
        }
      },
      { root, threshold: [0, 0.1, 0.25, 0.5, 0.75, 1] },
    );
    const watch = (elements: Iterable<Element>) => {
      for (const element of elements) {
        if (watched.has(element)) continue;
        watched.add(element);
        observer.observe(element);
      }
    };
    /** What stood there while nobody looked is looked at now. */
    const back = () => {
      if (document.visibilityState !== 'visible') return;
      for (const element of root.querySelectorAll('[data-draft]')) {
        observer.unobserve(element);
        observer.observe(element);
      }
    };
    watcher.current = { watch };
    watch(root.querySelectorAll('[data-draft]'));
    document.addEventListener('visibilitychange', back);
    return () => {
      watcher.current = undefined;
      document.removeEventListener('visibilitychange', back);
      observer.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [area, talk, turn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is shown newly is watched
  useEffect(() => watcher.current?.watch(area.current?.querySelectorAll('[data-draft]') ?? []), [area, shown]);
}
