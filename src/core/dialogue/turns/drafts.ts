/*
 * The drafts of one turn. They only grow; adding one costs the same however many there are.
 *
 * Invariants:
 * - The draft at place i has index i + 1, for good (D4).
 * - A handle shows the drafts it was made with. Whoever adds to the newest handle shares everything behind it.
 */
export interface Draft {
  readonly index: number;
  readonly iter: number;
  readonly ts: string;
  readonly text: string;
  /** Soft is `+1`, a word is a word in capitals; a reply has none (D9). */
  readonly signal: Signal | null;
  /** The first draft of this turn with the very same text. */
  readonly same_as?: number;
  readonly confidence?: number;
  readonly status?: 'working' | 'final';
  /** Plain text of a model that kept to no form (D28). */
  readonly unstructured?: true;
}

export type Signal = 'soft' | 'word';

const SOFT = '+1';
const WORD = /^[\p{Lu}\p{Nd} _-]{1,16}$/u;

/** What an entry is, given whether a reply precedes it in its turn (D9). */
export function signalOf(text: string, hasReply: boolean): Signal | null {
  const entry = text.trim();
  if (entry === SOFT) return 'soft';
  return hasReply && WORD.test(entry) ? 'word' : null;
}

export class Drafts implements Iterable<Draft> {
  static readonly none = new Drafts([], new Map(), 0);

  readonly length: number;
  readonly #backing: Draft[];
  readonly #byText: Map<string, number>;

  private constructor(backing: Draft[], byText: Map<string, number>, length: number) {
    this.#backing = backing;
    this.#byText = byText;
    this.length = length;
  }

  with(draft: Draft): Drafts {
    const atTip = this.#backing.length === this.length && this.length > 0;
    const backing = atTip ? this.#backing : this.#backing.slice(0, this.length);
    const byText = atTip ? this.#byText : indexOf(backing);
    backing.push(draft);
    note(byText, draft);
    return new Drafts(backing, byText, backing.length);
  }

  get(index: number): Draft | undefined {
    return index >= 1 && index <= this.length ? this.#backing[index - 1] : undefined;
  }

  get latest(): Draft | undefined {
    return this.get(this.length);
  }

  /** The first reply with this very text. */
  sameAs(text: string): number | undefined {
    const index = this.#byText.get(text);
    return index !== undefined && index <= this.length ? index : undefined;
  }

  *[Symbol.iterator](): Generator<Draft, undefined> {
    for (let index = 1; index <= this.length; index++) yield this.get(index) as Draft;
  }

  *newestFirst(from = this.length): Generator<Draft, undefined> {
    for (let index = Math.min(from, this.length); index >= 1; index--) yield this.get(index) as Draft;
  }
}

function indexOf(drafts: readonly Draft[]): Map<string, number> {
  const byText = new Map<string, number>();
  for (const draft of drafts) note(byText, draft);
  return byText;
}

/** An endorsement said twice is two endorsements, not the same text again. */
function note(byText: Map<string, number>, { text, index, signal }: Draft): void {
  if (signal === null && !byText.has(text)) byText.set(text, index);
}
