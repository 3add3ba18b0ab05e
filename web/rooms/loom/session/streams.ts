import type { ContentOf } from '../../../../src/core/events/define.ts';
import type { GenerationStreamed, LoomEvent } from '../../../../src/core/loom/events.ts';
import { createStore } from '../../../data/store.ts';

/** Streaming texts, by generation and choice. */
export type StreamTexts = ReadonlyMap<string, readonly string[]>;

/** Collects streamed text. Many chunks can arrive per frame, so watchers are notified once, before paint. */
export function createStreams() {
  const streamTexts = createStore<StreamTexts>(new Map());
  const buffers = new Map<string, string[]>();
  /** When each open generation was requested, in milliseconds. */
  const since = new Map<string, number>();
  let isFlushed = true;

  function append({ generation, texts: pieces }: ContentOf<typeof GenerationStreamed>): void {
    const buffer = buffers.get(generation);
    if (!buffer) return;
    for (const [choice, offset, text] of pieces) {
      const current = buffer[choice] ?? '';
      // If the start of a chunk was missed, skip it: the finished node will have the whole text.
      if (offset <= current.length) buffer[choice] = current.slice(0, offset) + text;
    }
    if (!isFlushed) return;
    isFlushed = false;
    onNextFrame(flush);
  }

  function flush(): void {
    isFlushed = true;
    streamTexts.set(new Map([...buffers].map(([id, list]) => [id, list.slice()])));
  }

  function handleEvent({ type, content, ts }: LoomEvent): void {
    if (type === 'generation.requested') {
      buffers.set(content.generation, new Array<string>(content.n).fill(''));
      since.set(content.generation, Math.min(Date.now(), Date.parse(ts)));
    } else if (type === 'generation.finished' || type === 'generation.failed') {
      buffers.delete(content.generation);
      since.delete(content.generation);
    } else return;
    flush();
  }

  return { texts: streamTexts, since, append, handleEvent };
}

/** A hidden tab gets no animation frames; new text is shown there with the next event. */
function onNextFrame(work: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(work);
  else setTimeout(work, 200);
}
