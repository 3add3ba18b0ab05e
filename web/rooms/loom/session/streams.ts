import type { WireEvent } from '../../../../src/client/index.ts';
import { createStore } from '../../../data/store.ts';

/** What is new of a generation: of which choice, behind how much of its text, and the text. */
export interface StreamDelta {
  readonly generation: string;
  readonly texts: readonly (readonly [choice: number, behind: number, text: string])[];
}

/** Texts that are still being written, by generation and choice. */
export type StreamTexts = ReadonlyMap<string, readonly string[]>;

/** Many pieces come in a frame: whoever shows them is told once before it is painted. */
export function createStreams() {
  const streamTexts = createStore<StreamTexts>(new Map());
  const buffers = new Map<string, string[]>();
  let isFlushed = true;

  function append({ generation, texts: pieces }: StreamDelta): void {
    const buffer = buffers.get(generation);
    if (!buffer) return;
    for (const [choice, offset, text] of pieces) {
      const current = buffer[choice] ?? '';
      // A piece whose beginning was missed waits for the finished node, which has all of it.
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

  function handleEvent({ type, content }: WireEvent): void {
    const { generation, n } = content as unknown as { generation: string; n: number };
    if (type === 'generation.requested') buffers.set(generation, new Array<string>(n).fill(''));
    else if (type === 'generation.finished' || type === 'generation.failed') buffers.delete(generation);
    else return;
    flush();
  }

  return { texts: streamTexts, append, handleEvent };
}

/** Frames stop in a tab nobody looks at; what grows there is shown with the next event. */
function onNextFrame(work: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(work);
  else setTimeout(work, 200);
}
