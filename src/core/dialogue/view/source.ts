import type { TextSource } from '../../mode.ts';
import { thoughtOf } from '../../pool/state.ts';
import { type Dialogue, turnOf } from '../state.ts';

const TURN = /^(\d{1,9})(?:\.(\d{1,9}))?$/;
const THOUGHT = /^thought\.(\d{1,9})$/;

/** A turn is its message. An accepted draft is its accepted text, with the person's edits. */
export function dialogueSource(state: Dialogue, at = ''): TextSource | undefined {
  const [, number, index] = TURN.exec(at) ?? [];
  const turn = turnOf(state, Number(number));
  if (turn && index === undefined) {
    return { at, what: 'message', versions: [{ text: turn.text, event: turn.openedSeq }] };
  }
  const draft = turn?.drafts.get(Number(index));
  if (turn && draft) {
    const { end } = turn;
    const draftVersion = { text: draft.text, event: iterationEvent(state, draft.iter) };
    const isChanged = end?.kind === 'accepted' && end.draft === draft.index && end.difference;
    return {
      ...{ at, what: 'draft' },
      versions: isChanged ? [draftVersion, { text: end.text, event: end.seq }] : [draftVersion],
    };
  }
  const [, id] = THOUGHT.exec(at) ?? [];
  const thought = thoughtOf(state.pool, Number(id));
  return (
    thought && { at, what: 'thought', versions: [{ text: thought.text, event: iterationEvent(state, thought.iter) }] }
  );
}

function iterationEvent({ iterations }: Dialogue, iter: number): string {
  return iterations.at(iter - 1)?.event ?? '';
}
