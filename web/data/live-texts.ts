import type { LiveItem, WireEvent } from '../../src/client/index.ts';
import type { StreamedText } from '../../src/core/threads/events.ts';
import { addLivePiece, type LiveTexts, removeRecordedTexts } from '../../src/core/threads/view/live-texts.ts';
import { createStore } from './store.ts';

/** A text that grows, and since when this page has seen it. */
export type GrowingText = LiveTexts extends ReadonlyMap<string, infer Text> ? Text & { readonly since: number } : never;

/** What models write right now (M12). */
export function createLiveTexts() {
  const texts = createStore<readonly GrowingText[]>([]);
  let current: LiveTexts = new Map();
  let beginnings = new Map<string, number>();

  function set(next: LiveTexts): void {
    if (next === current) return;
    current = next;
    const now = Date.now();
    beginnings = new Map([...next.keys()].map((key) => [key, beginnings.get(key) ?? now]));
    texts.set([...next].map(([key, text]) => ({ ...text, since: beginnings.get(key) ?? now })));
  }

  return {
    texts,
    onLive(item: LiveItem): void {
      if (item.type === 'text.streamed') set(addLivePiece(current, item.thread, item.content as StreamedText));
    },
    onEvents(events: readonly WireEvent[]): void {
      set(events.reduce(removeRecordedTexts, current));
    },
    clear: () => set(new Map()),
  };
}
