import { type RefObject, useEffect, useRef } from 'react';
import type { LiveDialogue } from '../live-dialogue.ts';

/** How long a draft must be visible to count as seen. */
const VIEW_MS = 800;
const BATCH_MS = 200;

/** Reports which drafts were on screen: at least half of the draft, or half of the screen filled by it (D15). */
export function useSeenTracking(
  area: RefObject<HTMLElement | null>,
  dialogue: LiveDialogue,
  turn: number | null,
  content: unknown,
): void {
  const watcher = useRef<{ watch(elements: Iterable<Element>): void }>(undefined);
  useEffect(() => {
    const root = area.current;
    if (!root || turn === null) return;
    const timers = new Map<Element, ReturnType<typeof setTimeout>>();
    const observed = new WeakSet<Element>();
    let viewed = new Set<number>();

    const reportSeen = () => {
      const unseen = new Set(dialogue.buffer.get().drafts.flatMap(({ index, seen }) => (seen ? [] : [index])));
      const drafts = [...viewed].filter((index) => unseen.has(index));
      viewed = new Set();
      // Best effort: a failed report is repeated when the draft is visible again.
      if (drafts.length > 0) void dialogue.remote.command('seen', { turn, drafts }).catch(() => {});
    };
    const markViewed = (element: Element) => {
      timers.delete(element);
      if (document.visibilityState !== 'visible' || !element.isConnected) return;
      const previousSize = viewed.size;
      for (const index of (element.getAttribute('data-draft') ?? '').split(' ')) viewed.add(Number(index));
      if (previousSize === 0) setTimeout(reportSeen, BATCH_MS);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
          const isVisible = intersectionRatio >= 0.5 || intersectionRect.height >= (rootBounds?.height ?? 0) / 2;
          if (isVisible && !timers.has(target)) timers.set(target, setTimeout(markViewed, VIEW_MS, target));
          if (!isVisible) {
            clearTimeout(timers.get(target));
            timers.delete(target);
          }
        }
      },
      { root, threshold: [0, 0.1, 0.25, 0.5, 0.75, 1] },
    );
    const watch = (elements: Iterable<Element>) => {
      for (const element of elements) {
        if (observed.has(element)) continue;
        observed.add(element);
        observer.observe(element);
      }
    };
    /** Restarts observation, so that drafts rendered in the background count from now on. */
    const onVisibilityChange = () => {
      if (document.visibilityState !== 'visible') return;
      for (const element of root.querySelectorAll('[data-draft]')) {
        observer.unobserve(element);
        observer.observe(element);
      }
    };
    watcher.current = { watch };
    watch(root.querySelectorAll('[data-draft]'));
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      watcher.current = undefined;
      document.removeEventListener('visibilitychange', onVisibilityChange);
      observer.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [area, dialogue, turn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is shown newly is watched
  useEffect(() => watcher.current?.watch(area.current?.querySelectorAll('[data-draft]') ?? []), [area, content]);
}
