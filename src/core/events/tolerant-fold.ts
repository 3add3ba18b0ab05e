import type { Event } from './event.ts';

/**
 * A fold that no event can break (L3, L25): one that is not written as its type is changes nothing. Such events come
 * from files that earlier versions took in without looking.
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
