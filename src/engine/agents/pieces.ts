import type { Event } from '../../core/event.ts';
import type { TextKind } from '../../core/search/kinds.ts';
import { placeOfText, textsOf } from '../../core/search/texts.ts';
import type { State } from '../../core/workspace.ts';
import { isSaid, textOf } from './transcript.ts';

/** What one event says, by its number: a message, or what a kind of thread has in the place of messages. */
export interface Piece {
  readonly seq: number;
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** Where in the room of its kind it stands. */
  readonly at?: string;
}

const WRITTEN: ReadonlySet<TextKind> = new Set(['message', 'note', 'draft', 'thought', 'node', 'observer', 'audit']);

export function pieceOf(event: Event, state: State): readonly Piece[] {
  const { seq, id, from } = event;
  if (isSaid(event)) return [{ seq, id, from, text: textOf(event) }];
  if (state.thread.kind === 'conversation') return [];
  const texts = textsOf(event)
    .map((text, part) => ({ ...text, part }))
    .filter(({ kind }) => WRITTEN.has(kind));
  // Thoughts come before the draft they came with: the draft is what is looked for.
  const last = texts.at(-1);
  if (!last) return [];
  const text = texts.length === 1 ? last.text : texts.map((each) => `(${each.kind}) ${each.text}`).join('\n');
  const at = placeOfText(last, last.part, event, state);
  return [{ seq, id, from: last.from ?? from, text, ...(at && { at }) }];
}
