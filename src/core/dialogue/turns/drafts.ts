/*
 * The drafts of one turn. The list only grows; adding a draft takes constant time.
 *
 * Invariants:
 * - The draft at position i has index i + 1, permanently (D4).
 * - A handle shows the drafts it was created with. Adding to the newest handle shares all earlier drafts.
 */
export interface DialogueDraft {
  readonly index: number;
  readonly iter: number;
  readonly ts: string;
  readonly text: string;
  /** `soft` is `+1`, `word` is a word in capitals; null is a reply (D9). */
  readonly signal: DraftSignal | null;
  /** The first draft of this turn with exactly the same text. */
  readonly same_as?: number;
  readonly confidence?: number;
  readonly status?: 'working' | 'final';
  /** Plain text from a model that did not use the output format (D28). */
  readonly unstructured?: true;
}

export type DraftSignal = 'soft' | 'word';

const SOFT_SIGNAL = '+1';
const WORD_SIGNAL = /^[\p{Lu}\p{Nd} _-]{1,16}$/u;

/** Classifies a draft; the result depends on whether its turn already has a reply (D9). */
export function signalOf(text: string, hasReply: boolean): DraftSignal | null {
  const trimmed = text.trim();
  if (trimmed === SOFT_SIGNAL) return 'soft';
  return hasReply && WORD_SIGNAL.test(trimmed) ? 'word' : null;
}

export class DialogueDrafts implements Iterable<DialogueDraft> {
  static readonly empty = new DialogueDrafts([], new Map(), 0);

  readonly length: number;
  readonly #backing: DialogueDraft[];
  readonly #byText: Map<string, number>;

  private constructor(backing: DialogueDraft[], byText: Map<string, number>, length: number) {
    this.#backing = backing;
    this.#byText = byText;
    this.length = length;
  }

  with(draft: DialogueDraft): DialogueDrafts {
    const ownsBacking = this.#backing.length === this.length && this.length > 0;
    const backing = ownsBacking ? this.#backing : this.#backing.slice(0, this.length);
    const byText = ownsBacking ? this.#byText : buildTextIndex(backing);
    backing.push(draft);
    indexDraft(byText, draft);
    return new DialogueDrafts(backing, byText, backing.length);
  }

  get(index: number): DialogueDraft | undefined {
    return index >= 1 && index <= this.length ? this.#backing[index - 1] : undefined;
  }

  get latest(): DialogueDraft | undefined {
    return this.get(this.length);
  }

  /** The index of the first reply with exactly this text. */
  findByText(text: string): number | undefined {
    const index = this.#byText.get(text);
    return index !== undefined && index <= this.length ? index : undefined;
  }

  *[Symbol.iterator](): Generator<DialogueDraft, undefined> {
    for (let index = 1; index <= this.length; index++) yield this.get(index) as DialogueDraft;
  }

  *newestFirst(from = this.length): Generator<DialogueDraft, undefined> {
    for (let index = Math.min(from, this.length); index >= 1; index--) yield this.get(index) as DialogueDraft;
  }
}

function buildTextIndex(drafts: readonly DialogueDraft[]): Map<string, number> {
  const byText = new Map<string, number>();
  for (const draft of drafts) indexDraft(byText, draft);
  return byText;
}

/** Signals are not indexed: a repeated endorsement counts twice and is not a duplicate text. */
function indexDraft(byText: Map<string, number>, { text, index, signal }: DialogueDraft): void {
  if (signal === null && !byText.has(text)) byText.set(text, index);
}
