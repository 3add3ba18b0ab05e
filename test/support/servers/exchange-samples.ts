import type { Actor, Event } from '../../../src/core/events/event.ts';
import type { Command } from '../../../src/core/workspace.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { auditor, callFacts, clockwork } from '../domain/exchange.ts';
import { createThread, sendOrThrow } from './engine-access.ts';

type Step = readonly [name: Command['name'], input: object];
const ACTORS: Readonly<Partial<Record<Command['name'], Actor>>> = {
  report_thoughts: { id: 'mind_0', kind: 'agent' },
  report_audit: auditor,
  settle_round: clockwork,
};

/** Exchanges in an engine without models: what a mind or the auditor says is told to it as a job would. */
export function exchangesOf(engine: Engine) {
  const perform = (thread: string, name: Command['name'], input: object): Promise<readonly Event[]> =>
    sendOrThrow(engine, name, { thread, ...input }, ACTORS[name]);

  async function make(...steps: readonly Step[]): Promise<string> {
    const thread = await createThread(engine, { title: 'Pool', kind: 'exchange', setup: { audit_every: 2 } });
    for (const [name, input] of steps) await perform(thread, name, input);
    return thread;
  }

  return { send: perform, make };
}

const run: Step = ['run', { rounds: 9 }];
/** A round in which the one mind has one thought, and what it asks for. */
export const roundSteps = (number: number, thought: string, more: object = {}): readonly Step[] => [
  ['report_thoughts', { ...callFacts(number, 1), mind: 0, iter: number, result: { thoughts: [thought], ...more } }],
  [
    'settle_round',
    {
      ...{ round: number, run: 1, after: number - 1, diversity: 0.5, novelty: 0.25 },
      assignments: [{ thought: number, cluster: number, embedder: 'test' }],
    },
  ],
];
export const auditStep = (number: number, text: string): Step => [
  'report_audit',
  { ...callFacts(2 * number, 1), audit: number, attempt: 1, result: { text } },
];
export const twoRounds: readonly Step[] = [run, ...roundSteps(1, 'the sea'), ...roundSteps(2, 'the sky')];
const restart: readonly Step[] = [run, ...roundSteps(1, 'the sea', { restart: 'Other terms.' })];

/** For each command of an exchange: what comes before it, and a body that is accepted then. */
export const exchangeSamples = {
  run: { steps: [], body: { rounds: 3, budget: { tokens: 10 }, seed: 4 } },
  pause_run: { steps: [run], body: {} },
  resume_run: { steps: [run, ['pause_run', {}]], body: { budget: { rounds: 2 } } },
  stop_run: { steps: [run], body: {} },
  audit_now: { steps: [run, ...roundSteps(1, 'the sea')], body: {} },
  skip_audit: { steps: twoRounds, body: { reason: 'No key.' } },
  inject: { steps: [], body: { text: 'Look at the sea.' } },
  observe: { steps: [], body: { text: 'I see.' } },
  decide: { steps: restart, body: { decision: 'branch', reason: 'Fair.', set: { audit_every: 3 } } },
  amend: { steps: [], body: { set: { audit_every: 3, restart: { share: 0.5 } }, reason: 'Shorter.' } },
  branch: { steps: twoRounds, body: { control: true, rounds: 2 } },
  rollback: { steps: twoRounds, body: { round: 1, reason: 'Again.' } },
  halt: { steps: [], body: { reason: 'Enough.' } },
  veto: { steps: twoRounds, body: { thought: 1, reason: 'Spam.' } },
  unveto: { steps: [...twoRounds, ['veto', { thought: 1, reason: 'Spam.' }]], body: { thought: 1 } },
} as const satisfies Record<string, { readonly steps: readonly Step[]; readonly body: object }>;
