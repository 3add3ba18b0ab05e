import type { LiveItem, WireEvent } from '../../src/client/index.ts';
import type { StreamedText } from '../../src/core/threads/events.ts';
import {
  addLivePiece,
  type LiveText,
  type LiveTexts,
  removeRecordedTexts,
} from '../../src/core/threads/view/live-texts.ts';
import { createStore } from './store.ts';

/** A text that grows, and since when this page has seen it. The same object until it grows. */
export type GrowingText = LiveText & { readonly since: number };

/** Pieces of several writers that come together are drawn together, at most this often. */
const DRAW_MS = 33;

/** What models write right now (M12). */
export function createLiveTexts() {
  const texts = createStore<readonly GrowingText[]>([]);
  let current: LiveTexts = new Map();
  let shown = new Map<string, { readonly source: LiveText; readonly text: GrowingText }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let drawnAt = 0;

  function draw(): void {
    clearTimeout(timer);
    timer = undefined;
    drawnAt = performance.now();
    const now = Date.now();
    shown = new Map(
      [...current].map(([key, source]) => {
        const before = shown.get(key);
        if (before?.source === source) return [key, before];
        return [key, { source, text: { ...source, since: before?.text.since ?? now } }];
      }),
    );
    texts.set([...shown.values()].map(({ text }) => text));
  }

  function onLive(item: LiveItem): void {
    if (item.type !== 'text.streamed') return;
    current = addLivePiece(current, item.thread, item.content as StreamedText);
    timer ??= setTimeout(draw, drawnAt + DRAW_MS - performance.now());
  }

  /** A text that is recorded now goes in the same moment in which what was recorded appears. */
  function set(next: LiveTexts): void {
    if (next === current) return;
    current = next;
    draw();
  }

  return {
    texts,
    onLive,
    onEvents: (events: readonly WireEvent[]) => set(events.reduce(removeRecordedTexts, current)),
    clear: () => set(new Map()),
  };
}
