import type { Actor } from '../../core/events/event.ts';
import { participantKindOf } from '../../core/threads/state.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { Presence } from '../presence.ts';

/**
 * A participant who closed their last view of a dialogue is absent, even if the view could not say so because the
 * browser quit or the machine went to sleep (D15). A presence set by hand, with no view open, stays.
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
