import type { Dialogue } from '../../../src/core/dialogue/state.ts';
import type { Actor, Event } from '../../../src/core/events/event.ts';
import type { RefusalDetail } from '../../../src/core/refusal.ts';
import { given, human } from './given.ts';

export const mind: Actor = { id: 'mind_0', kind: 'agent' };

/** What an iteration tells, with everything a test does not care about filled in. */
export function facts(iter: number, turn = 1, run = 1) {
  return {
    turn,
    iter,
    run,
    seed: 7,
    prompt: 'p1',
    model: 'scripted',
    shown: { thoughts: [], recent: [], recalled: [], drafts: [], history: [], steer: 0 },
    usage: { prompt: 10, generated: 5 },
    latency_ms: 3,
  };
}

/** A dialogue in a test's hand, and a mind that says what the test tells it to. */
export function dialogueWith(setup: object = {}) {
  const thread = given([human, 'create', { title: 'Talk', kind: 'dialogue', setup }]);
  const state = () => thread.mode<Dialogue>();

  function says(result: object, more: object = {}): Event[] | RefusalDetail {
    const { iterations, open, run } = state();
    const input = { ...facts(iterations.length + 1, open?.turn, run?.run), ...more, result };
    return thread.when(mind, 'report_iteration', input);
  }

  return {
    ...thread,
    state,
    says,
    /** One iteration after another: a text is a draft, null is silence. */
    drafts(...texts: readonly (string | null)[]) {
      for (const text of texts) says({ thoughts: [], ...(text !== null && { draft: text }) });
    },
    message: (text = 'Is it too noisy in there?', run: object | null = { iterations: 1000 }) =>
      thread.when(human, 'message', { text, ...(run && { run }) }),
  };
}
