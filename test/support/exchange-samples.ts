import type { Actor, Event } from '../../src/core/events/event.ts';
import { isRefusal } from '../../src/core/refusal.ts';
import type { Command } from '../../src/core/workspace.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { auditor, callFacts, clockwork } from './exchange.ts';
import { human } from './given.ts';

type Step = readonly [name: Command['name'], input: object];
const ACTORS: Readonly<Partial<Record<Command['name'], Actor>>> = {
  report_thoughts: { id: 'mind_0', kind: 'agent' },
  report_audit: auditor,
  settle_round: clockwork,
};

/** Exchanges in an engine without models: what a mind or the auditor says is told to it as a job would. */
export function exchangesOf(engine: Engine) {
  async function send(thread: string, name: Command['name'], input: object): Promise<readonly Event[]> {
    const done = await engine.handle(ACTORS[name] ?? human, { name, input: { thread, ...input } } as Command);
    if (isRefusal(done)) throw new Error(`${name}: ${done.refusal.message}`);
    return done.events.map(eventOf);
  }

  async function make(...steps: readonly Step[]): Promise<string> {
    const input = { title: 'Pool', kind: 'exchange', invite: [], setup: { audit_every: 2 } };
    const done = await engine.handle(human, { name: 'create', input } as Command);
    if (isRefusal(done)) throw new Error(done.refusal.message);
    const thread = done.events[0]?.thread as string;
    for (const [name, more] of steps) await send(thread, name, more);
    return thread;
  }

  return { send, make };
}

const run: Step = ['run', { rounds: 9 }];
/** A round in which the one mind has one thought, and what it asks for. */
export const round = (number: number, thought: string, more: object = {}): readonly Step[] => [
  ['report_thoughts', { ...callFacts(number, 1), mind: 0, iter: number, result: { thoughts: [thought], ...more } }],
  [
    'settle_round',
    {
      ...{ round: number, run: 1, after: number - 1, diversity: 0.5, novelty: 0.25 },
      assignments: [{ thought: number, cluster: number, embedder: 'test' }],
    },
  ],
];
export const audit = (number: number, text: string): Step => [
  'report_audit',
  { ...callFacts(2 * number, 1), audit: number, attempt: 1, result: { text } },
];
export const two: readonly Step[] = [run, ...round(1, 'the sea'), ...round(2, 'the sky')];
const restart: readonly Step[] = [run, ...round(1, 'the sea', { restart: 'Other terms.' })];

/** For each command of an exchange: what comes before it, and a body that is accepted then. */
export const exchangeSamples = {
  run: { steps: [], body: { rounds: 3, budget: { tokens: 10 }, seed: 4 } },
  pause_run: { steps: [run], body: {} },
  resume_run: { steps: [run, ['pause_run', {}]], body: { budget: { rounds: 2 } } },
  stop_run: { steps: [run], body: {} },
  audit_now: { steps: [run, ...round(1, 'the sea')], body: {} },
  skip_audit: { steps: two, body: { reason: 'No key.' } },
  inject: { steps: [], body: { text: 'Look at the sea.' } },
  observe: { steps: [], body: { text: 'I see.' } },
  decide: { steps: restart, body: { decision: 'branch', reason: 'Fair.', set: { audit_every: 3 } } },
  amend: { steps: [], body: { set: { audit_every: 3, restart: { share: 0.5 } }, reason: 'Shorter.' } },
  branch: { steps: two, body: { control: true, rounds: 2 } },
  rollback: { steps: two, body: { round: 1, reason: 'Again.' } },
  halt: { steps: [], body: { reason: 'Enough.' } },
  veto: { steps: two, body: { thought: 1, reason: 'Spam.' } },
  unveto: { steps: [...two, ['veto', { thought: 1, reason: 'Spam.' }]], body: { thought: 1 } },
} as const satisfies Record<string, { readonly steps: readonly Step[]; readonly body: object }>;
