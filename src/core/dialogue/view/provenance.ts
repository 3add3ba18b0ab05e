import type { Turn } from '../state.ts';
import type { DialogueDraft } from '../turns/drafts.ts';

/** Where a passage of a draft comes from: the drafts of its turn that have it, word for word. */
export interface PassageProvenance {
  readonly turn: number;
  readonly draft: number;
  readonly passage: string;
  /** The first draft that has it, and the iteration that wrote it; null where only the person's edit has it. */
  readonly first: { readonly index: number; readonly iter: number } | null;
  /** Indices, oldest first. */
  readonly drafts: readonly number[];
}

/** Drafts that are looked through, the newest first. */
const MAX_DRAFTS = 10_000;

/** From an accepted sentence back to the draft that first had it (D27); without a passage, the draft as a whole. */
export function provenanceOf(turn: Turn, draft: DialogueDraft, passage: string = draft.text): PassageProvenance {
  const drafts: DialogueDraft[] = [];
  let scanned = 0;
  for (const each of turn.drafts.newestFirst(draft.index)) {
    if (++scanned > MAX_DRAFTS) break;
    if (each.text.includes(passage)) drafts.push(each);
  }
  const first = drafts.at(-1);
  return {
    turn: turn.turn,
    draft: draft.index,
    passage,
    first: first ? { index: first.index, iter: first.iter } : null,
    drafts: drafts.map(({ index }) => index).reverse(),
  };
}
