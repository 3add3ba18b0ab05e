import type { Turn } from '../state.ts';
import type { DialogueDraft } from '../turns/drafts.ts';
import type { PassageProvenance } from './schema.ts';

/** How many drafts to search, newest first. */
const MAX_DRAFTS = 10_000;

/** Traces an accepted sentence to the draft that first contained it (D27); without a passage, the whole draft. */
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
