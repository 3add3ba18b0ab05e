import type { Context } from '../../../src/core/decider.ts';
import type { Actor, Event, NewEvent } from '../../../src/core/events/event.ts';
import { manifest } from '../../../src/core/events/manifest.ts';
import { allModes, modeOf } from '../../../src/core/modes.ts';
import { isRefusal, type RefusalDetail } from '../../../src/core/refusal.ts';
import { commandInputs } from '../../../src/core/threads/commands.ts';
import { type Command, type State, workspace } from '../../../src/core/workspace.ts';

export const human: Actor = { id: 'ana', kind: 'human' };
export const alpha: Actor = { id: 'alpha', kind: 'agent' };
export const beta: Actor = { id: 'beta', kind: 'agent' };

type CommandName = Command['name'];

const HOLDERS = new Map([human, alpha, beta].map(({ id, kind }) => [id, kind]));
const credentialKind = (id: string) => HOLDERS.get(id);

/** A workspace in a test's hand: the pure domain, a counter for ids and a clock that stands still. */
export function given(...steps: readonly [Actor, CommandName, unknown][]) {
  const states = new Map<string, State>();
  const seqs = new Map<string, number>();
  const parents = new Map<string, { thread: string; seq: number }>();
  const events: Event[] = [];
  let ids = 0;
  let now = '2026-01-01T00:00:00.000Z';

  function decide(actor: Actor, name: CommandName, input: unknown): readonly NewEvent[] | RefusalDetail {
    const command = { name, input: parsed(name, input, (thread) => states.get(thread)?.thread.kind) } as Command;
    const context: Context = { actor, now, newId: () => `t${++ids}`, hash: String, random: () => 0, credentialKind };
    const world = { thread: (id: string) => states.get(id), seq: (id: string) => seqs.get(id) ?? 0 };
    const decision = workspace.decide(world, command, context);
    return isRefusal(decision) ? decision.refusal : decision;
  }

  function record(actor: Actor, fresh: NewEvent): Event {
    inherit(fresh);
    const seq = (seqs.get(fresh.thread) ?? 0) + 1;
    const event: Event = {
      id: `e${events.length + 1}`,
      ts: now,
      thread: fresh.thread,
      seq,
      type: fresh.type,
      from: (fresh.from ?? actor).id,
      to: fresh.to ?? 'all',
      content: fresh.content,
      meta: { ...fresh.meta, by: (fresh.from ?? actor).kind },
      v: manifest.get(fresh.type)?.v ?? 1,
      hash: '',
    };
    seqs.set(fresh.thread, seq);
    states.set(fresh.thread, workspace.evolve(states.get(fresh.thread) ?? workspace.initial(fresh.thread), event));
    events.push(event);
    return event;
  }

  /** A fork begins as its parent's past (L13). */
  function inherit({ thread, type, content }: NewEvent) {
    const { forked_from: from } = content as { forked_from?: { thread: string; seq: number } };
    if (type !== 'thread.created' || !from) return;
    const past = pastOf(from.thread, from.seq);
    states.set(thread, past.reduce(workspace.evolve, workspace.initial(thread)));
    seqs.set(thread, from.seq);
    parents.set(thread, from);
  }

  function pastOf(thread: string, seq: number): readonly Event[] {
    const parent = parents.get(thread);
    const inherited = parent ? pastOf(parent.thread, Math.min(seq, parent.seq)) : [];
    return [...inherited, ...events.filter((event) => event.thread === thread && event.seq <= seq)];
  }

  /** Decides and, unless refused, records. */
  function when(actor: Actor, name: CommandName, input: unknown): Event[] | RefusalDetail {
    const decision = decide(actor, name, input);
    return 'code' in decision
      ? (decision as RefusalDetail)
      : (decision as readonly NewEvent[]).map((fresh) => record(actor, fresh));
  }

  for (const step of steps) {
    const outcome = when(...step);
    if ('code' in outcome) throw new Error(`given, but refused: ${outcome.message}`);
  }

  return {
    when,
    events,
    state: (thread = 't1') => (states.get(thread) as State).thread,
    /** What the thread's kind adds to it. */
    mode: <ModeState>(thread = 't1') => (states.get(thread) as State).mode as ModeState,
    jobs: (thread = 't1') => workspace.jobs(states.get(thread) as State),
    at(time: string) {
      now = time;
    },
    now: () => now,
  };
}

/** The input of a thread's own command, or of its kind's with the thread added. */
function parsed(name: CommandName, input: unknown, kindOf: (thread: string) => string | undefined): unknown {
  if (name in commandInputs) return commandInputs[name as keyof typeof commandInputs].parse(input);
  const { thread = 't1', ...rest } = input as { thread?: string };
  const command =
    modeOf(kindOf(thread) ?? '')?.commands[name] ?? allModes.find(({ commands }) => name in commands)?.commands[name];
  if (!command) throw new Error(`There is no command "${name}".`);
  return { thread, ...command.input.parse(rest) };
}

export const created: [Actor, CommandName, unknown] = [human, 'create', { title: 'Plans' }];

export function says(actor: Actor, content: string, more: object = {}): [Actor, CommandName, unknown] {
  return [actor, 'post', { thread: 't1', type: 'message', content, ...more }];
}

export function controls(actor: Actor, content: object, more: object = {}): [Actor, CommandName, unknown] {
  return [actor, 'post', { thread: 't1', type: 'control', content, ...more }];
}

/** Types of the events, or the code of the refusal. */
export function typesOf(outcome: Event[] | RefusalDetail): readonly string[] {
  return 'code' in outcome ? [`refused: ${outcome.code}`] : outcome.map(({ type }) => type);
}
