import type { Event } from '../../core/events/event.ts';
import { type Described, note, type Tellers } from './description.ts';
import { dialogueTellers } from './dialogue.ts';
import { exchangeTellers } from './exchange.ts';
import { loomTellers } from './loom.ts';
import { threadTellers } from './threads.ts';

const tellers: Tellers = { ...threadTellers, ...dialogueTellers, ...exchangeTellers, ...loomTellers };

/** An event as people read it; of a newer version's, what it is called and all that it holds. */
export function describe({ type, content, from }: Event): Described {
  const teller = Object.hasOwn(tellers, type) ? tellers[type] : undefined;
  try {
    if (teller) return teller(content ?? {}, from);
  } catch {
    // It is not written as its type is: what it holds is shown all the same (L25).
  }
  return note(`${type} ${JSON.stringify(content)}`);
}
