import type { Event } from '../../src/core/events/event.ts';
import { isRefusal } from '../../src/core/refusal.ts';
import type { Command } from '../../src/core/workspace.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { human } from './given.ts';
import { facts, mind } from './mind.ts';

type CommandName = Extract<Command, { name: string }>['name'];
type Step = readonly [name: CommandName, input: object];

/** Dialogues in an engine without models: what a mind says is told to it as a job would. */
export function dialoguesOf(engine: Engine) {
  async function send(thread: string, name: CommandName, input: object): Promise<readonly Event[]> {
    const actor = name === 'report_iteration' || name === 'report_clusters' ? mind : human;
    const done = await engine.handle(actor, { name, input: { thread, ...input } } as Command);
    if (isRefusal(done)) throw new Error(done.refusal.message);
    return done.events.map(eventOf);
  }

  async function make(...steps: readonly Step[]): Promise<string> {
    const input = { title: 'Talk', kind: 'dialogue', invite: [] };
    const done = await engine.handle(human, { name: 'create', input } as Command);
    if (isRefusal(done)) throw new Error(done.refusal.message);
    const thread = done.events[0]?.thread as string;
    for (const [name, more] of steps) await send(thread, name, more);
    return thread;
  }

  return { send, make };
}

export const asked: Step = ['message', { text: 'Noisy?', run: { iterations: 1000 } }];
const waiting: Step = ['message', { text: 'Noisy?' }];
export const drafted = (iter: number, draft: string | null, ...thoughts: readonly string[]): Step => [
  'report_iteration',
  { ...facts(iter), result: { thoughts, ...(draft !== null && { draft }) } },
];

/** For each command of a dialogue: what comes before it, and a body that is accepted then. */
export const commandSamples = {
  message: { steps: [], body: { text: 'Hi', run: { iterations: 1 } } },
  accept: { steps: [asked, drafted(1, 'Yes.')], body: { draft: 1, text: 'Yes!', turn: 1 } },
  steer: { steps: [waiting], body: { text: 'shorter' } },
  withdraw: { steps: [waiting], body: {} },
  seen: { steps: [asked, drafted(1, 'Yes.')], body: { drafts: [1] } },
  engagement: { steps: [], body: { engagement: 'engaged' } },
  run: { steps: [waiting], body: { iterations: 3, silences: 2, budget: { tokens: 10 } } },
  step: { steps: [waiting], body: {} },
  pause_run: { steps: [asked], body: {} },
  resume_run: { steps: [asked, ['pause_run', {}]], body: {} },
  stop_run: { steps: [asked], body: {} },
  reopen: {
    steps: [asked, drafted(1, 'a'), drafted(2, 'b'), ['accept', { draft: 2 }]],
    body: { turn: 1, draft: 1 },
  },
  history_prune: { steps: [asked, drafted(1, 'a'), ['accept', {}]], body: { turn: 1 } },
  configure: { steps: [], body: { set: { history_pairs: 3 } } },
} as const satisfies Record<string, { readonly steps: readonly Step[]; readonly body: object }>;
