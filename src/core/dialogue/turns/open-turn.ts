import { type Refusal, refuse } from '../../refusal.ts';
import { type Dialogue, type Turn, turnOf } from '../state.ts';

/** The open turn, if it is the requested one; otherwise a refusal that says what happened to that turn. */
export function requireOpenTurn(state: Dialogue, turnNumber: number | undefined): Turn | Refusal {
  const { open } = state;
  if (open && (turnNumber === undefined || turnNumber === open.turn)) return open;
  const lastTurn = turnOf(state, turnNumber ?? state.turns.length);
  if (open)
    return refuse('turn_over', `Turn ${turnNumber} is not open; turn ${open.turn} is. ${describeEnd(lastTurn)}`);
  return refuse(
    'idle',
    `No message is waiting for an answer. ${describeEnd(lastTurn)}`,
    lastTurn ? { turn: lastTurn.turn } : {},
  );
}

function describeEnd(turn: Turn | undefined): string {
  if (!turn?.end) return 'Send a message first.';
  const { end } = turn;
  return end.kind === 'withdrawn'
    ? `Turn ${turn.turn} was withdrawn by ${end.by}.`
    : `Turn ${turn.turn} was answered with draft #${end.draft}, ${end.auto ? 'accepted automatically' : `accepted by ${end.by}`}.`;
}

export function refuseUnknownDraft(index: number, { turn, drafts }: Turn): Refusal {
  const available = drafts.length === 0 ? 'it has none yet' : `it has #1 to #${drafts.length}`;
  return refuse('unknown_draft', `Turn ${turn} has no draft #${index}; ${available}.`, { draft: index });
}
