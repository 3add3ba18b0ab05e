import type { WireEvent } from '../../../../src/client/index.ts';
import { createStore } from '../../../data/store.ts';

/** What is new of a generation: of which choice, behind how much of its text, and the text. */
export interface Delta {
  readonly generation: string;
  readonly texts: readonly (readonly [choice: number, behind: number, text: string])[];
}

/** Texts that are still being written, by generation and choice. */
export type Growing = ReadonlyMap<string, readonly string[]>;

/** Many pieces come in a frame: whoever shows them is told once before it is painted. */
export function createStreams() {
  const growing = createStore<Growing>(new Map());
  const texts = new Map<string, string[]>();
  let told = true;

  function grow({ generation, texts: pieces }: Delta): void {
    const own = texts.get(generation);
    if (!own) return;
    for (const [choice, behind, text] of pieces) {
      const before = own[choice] ?? '';
      // A piece whose beginning was missed waits for the finished node, which has all of it.
      if (behind <= before.length) own[choice] = before.slice(0, behind) + text;
    }
    if (!told) return;
    told = false;
    afterFrame(tell);
  }

  function tell(): void {
    told = true;
    growing.set(new Map([...texts].map(([id, list]) => [id, list.slice()])));
  }

  function heard({ type, content }: WireEvent): void {
    const { generation, n } = content as unknown as { generation: string; n: number };
    if (type === 'generation.requested') texts.set(generation, new Array<string>(n).fill(''));
    else if (type === 'generation.finished' || type === 'generation.failed') texts.delete(generation);
    else return;
    tell();
  }

  return { growing, grow, heard };
}

/** Frames stop in a tab nobody looks at; what grows there is shown with the next event. */
function afterFrame(work: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(work);
  else setTimeout(work, 200);
}
