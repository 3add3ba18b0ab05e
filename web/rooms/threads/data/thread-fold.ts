// Loaded on demand: the rules of who is woken weigh more than the rest of a thread's data.
import { tolerantFold } from '../../../../src/core/events/tolerant-fold.ts';
import { evolveThread } from '../../../../src/core/threads/evolve.ts';

export { viewThread } from '../../../../src/core/threads/view/view.ts';
export const evolve = tolerantFold(evolveThread);
