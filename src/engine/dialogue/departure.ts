import type { Actor } from '../../core/events/event.ts';
import { participantKindOf } from '../../core/threads/state.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Presence } from '../presence.ts';

/**
 * Whoever closed the last view of a dialogue is absent, whether the view could say so or not: a browser that ends, a
 * machine that sleeps (D15). What was set by hand, with nothing open, stands.
 */
export function departureCommand(
  state: State,
  participant: string,
  presences: readonly Presence[],
): { readonly actor: Actor; readonly command: Command } | undefined {
  const isPerson = (id: string) => participantKindOf(state.thread, id) === 'human';
  const engagement = modeState('dialogue', state)?.engagement ?? 'absent';
  if (engagement === 'absent' || !isPerson(participant)) return undefined;
  if (presences.some((each) => each.reach === 'live' && isPerson(each.participant))) return undefined;
  return {
    actor: { id: participant, kind: 'human' },
    command: { name: 'engagement', input: { thread: state.thread.id, engagement: 'absent' } },
  };
}
