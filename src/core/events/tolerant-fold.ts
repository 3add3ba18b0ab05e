import type { Event } from './event.ts';

/**
 * Makes a fold that no event can break (L3, L25): an event that does not fit its type changes nothing. Such events come
 * from files that earlier versions imported without checking.
 */
export function tolerantFold<State>(
  evolve: (state: State, event: Event) => State,
): (state: State, event: Event) => State {
  return (state, event) => {
    try {
      return evolve(state, event);
    } catch {
      return state;
    }
  };
}
