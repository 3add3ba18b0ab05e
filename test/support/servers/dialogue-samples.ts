import type { Event } from '../../../src/core/events/event.ts';
import type { Command } from '../../../src/core/workspace.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { facts, mind } from '../domain/dialogue.ts';
import { human } from '../domain/given.ts';
import { createThread, sendOrThrow } from './engine-access.ts';

type Step = readonly [name: Command['name'], input: object];

/** Dialogues in an engine without models: what a mind says is told to it as a job would. */
export function dialoguesOf(engine: Engine) {
  function perform(thread: string, name: Command['name'], input: object): Promise<readonly Event[]> {
    const actor = name === 'report_iteration' || name === 'report_clusters' ? mind : human;
    return sendOrThrow(engine, name, { thread, ...input }, actor);
  }

  async function make(...steps: readonly Step[]): Promise<string> {
    const thread = await createThread(engine, { title: 'Talk', kind: 'dialogue' });
    for (const [name, input] of steps) await perform(thread, name, input);
    return thread;
  }

  return { send: perform, make };
}

export const askStep: Step = ['message', { text: 'Noisy?', run: { iterations: 1000 } }];
const waiting: Step = ['message', { text: 'Noisy?' }];
export const draftStep = (iter: number, draft: string | null, ...thoughts: readonly string[]): Step => [
  'report_iteration',
  { ...facts(iter), result: { thoughts, ...(draft !== null && { draft }) } },
];

/** For each command of a dialogue: what comes before it, and a body that is accepted then. */
export const commandSamples = {
  message: { steps: [], body: { text: 'Hi', run: { iterations: 1 } } },
  accept: { steps: [askStep, draftStep(1, 'Yes.')], body: { draft: 1, text: 'Yes!', turn: 1 } },
  steer: { steps: [waiting], body: { text: 'shorter' } },
  withdraw: { steps: [waiting], body: {} },
  seen: { steps: [askStep, draftStep(1, 'Yes.')], body: { drafts: [1] } },
  engagement: { steps: [], body: { engagement: 'engaged' } },
  run: { steps: [waiting], body: { iterations: 3, silences: 2, budget: { tokens: 10 } } },
  step: { steps: [waiting], body: {} },
  pause_run: { steps: [askStep], body: {} },
  resume_run: { steps: [askStep, ['pause_run', {}]], body: {} },
  stop_run: { steps: [askStep], body: {} },
  reopen: {
    steps: [askStep, draftStep(1, 'a'), draftStep(2, 'b'), ['accept', { draft: 2 }]],
    body: { turn: 1, draft: 1 },
  },
  history_prune: { steps: [askStep, draftStep(1, 'a'), ['accept', {}]], body: { turn: 1 } },
  configure: { steps: [], body: { set: { history_pairs: 3 } } },
} as const satisfies Record<string, { readonly steps: readonly Step[]; readonly body: object }>;
