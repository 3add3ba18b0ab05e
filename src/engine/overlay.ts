import type { Context, Domain, World } from '../core/decider.ts';
import { canonicalJson } from '../core/events/canonical.ts';
import { versionOf } from '../core/events/check.ts';
import type { Event, Json, NewEvent } from '../core/events/event.ts';
import { checkSize, checkText } from '../core/events/limits.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import { ThreadCreated } from '../core/threads/events.ts';
import type { AppendEntry, Fork, LinkedEvent, RecordWrite } from '../log/event-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { seal } from '../log/seal.ts';
import type { Clock, Submission } from './handle.ts';
import type { Secrets } from './secrets.ts';
import type { LoadedState, States } from './states.ts';

/** The decision on a submission: a refusal, or an entry for the log (undefined when nothing changes). */
export interface BatchDecision<State> {
  readonly outcome: Refusal | AppendEntry | undefined;
  readonly change?: CommandChange<State>;
  /** The threads it read or writes: if one of them has changed by the commit, the command is decided again. */
  readonly threads: ReadonlySet<string>;
}

/** The change a command made, for callers that need more than the text of its events. */
export interface CommandChange<State> {
  /** Its events, before they were serialised. */
  readonly events: readonly Event[];
  /** The threads it wrote to, in the state right after this command. */
  readonly after: ReadonlyMap<string, LoadedState<State>>;
}

/** A thread's state after one event of the batch. */
interface ThreadStep<State> {
  readonly thread: string;
  readonly loaded: LoadedState<State>;
}

/** The states after the batch commits. Nothing leaves the overlay before that (L8). */
export function createOverlay<State, Command>(
  domain: Domain<State, Command>,
  states: States<State>,
  secrets: Secrets,
  clock: Clock,
) {
  const now = clock.now();
  const working = new Map<string, LoadedState<State>>();
  const before = new Map<string, number>();
  /** Every state a thread passes through in this batch: a fork may begin at any of them (L22). */
  const pastSteps: ThreadStep<State>[] = [];

  async function decide(submission: Submission<Command>): Promise<BatchDecision<State>> {
    const context: Context = { ...clock, actor: submission.actor, now };
    const readThreads = new Set<string>();
    for (;;) {
      const missing = new Set<string>();
      const decision = domain.decide(worldOf(readThreads, missing), submission.command, context);
      if (missing.size > 0) {
        for (const thread of missing) await fetch(thread);
        continue;
      }
      if (isRefusal(decision)) return { outcome: decision, threads: readThreads };
      if (decision.length === 0) return { outcome: undefined, threads: readThreads };
      return prepareAppend(submission, decision, context, readThreads);
    }
  }

  function worldOf(readThreads: Set<string>, missing: Set<string>): World<State> {
    function get(thread: string): LoadedState<State> | undefined {
      readThreads.add(thread);
      const loaded = working.get(thread);
      if (!loaded) missing.add(thread);
      return loaded;
    }
    return { thread: (id) => get(id)?.state, seq: (id) => get(id)?.seq ?? 0 };
  }

  async function fetch(thread: string) {
    const loaded = (await states.load(thread)) ?? states.empty(thread);
    working.set(thread, loaded);
    before.set(thread, loaded.seq);
  }

  async function prepareAppend(
    submission: Submission<Command>,
    decision: readonly NewEvent[],
    context: Context,
    threads: Set<string>,
  ): Promise<BatchDecision<State>> {
    const next = new Map<string, LoadedState<State>>();
    const steps: ThreadStep<State>[] = [];
    const expected = new Map<string, number>();
    const events: LinkedEvent[] = [];
    const finalEvents: Event[] = [];
    const forks: Fork[] = [];
    for (const newEvent of decision) {
      threads.add(newEvent.thread);
      const problem = checkText({ content: newEvent.content, ...(newEvent.meta as object) });
      if (problem) return { outcome: problem, threads };
      let head = next.get(newEvent.thread) ?? working.get(newEvent.thread);
      if (!head) {
        const fork = forkOf(newEvent);
        if (fork) forks.push(fork);
        head = fork ? await stateAt(fork, steps) : states.empty(newEvent.thread);
        before.set(newEvent.thread, 0);
        expected.set(newEvent.thread, 0);
      }
      if (!expected.has(newEvent.thread)) expected.set(newEvent.thread, head.seq);
      const event = completeEvent(newEvent, head.seq + 1, submission, context);
      const sealed = seal(head.hash, event);
      const refusal = checkSize(sealed.body, event.content) ?? secrets.check(sealed.body);
      if (refusal) return { outcome: refusal, threads };
      events.push(sealed);
      const finalEvent = { ...event, hash: sealed.hash };
      finalEvents.push(finalEvent);
      const state = domain.evolve(head.state, finalEvent);
      const loaded = { state, seq: sealed.seq, hash: sealed.hash };
      next.set(newEvent.thread, loaded);
      steps.push({ thread: newEvent.thread, loaded });
    }
    const records = [...(submission.records ?? []), ...indexRows(next)];
    for (const [thread, loaded] of next) working.set(thread, loaded);
    for (const step of steps) pastSteps.push(step);
    return {
      threads,
      change: { events: finalEvents, after: next },
      outcome: {
        command: { participant: submission.actor.id, id: submission.id, digest: submission.digest },
        expected: [...expected].map(([thread, seq]) => ({ thread, seq })),
        events,
        ...(forks.length > 0 && { forks }),
        ...(records.length > 0 && { records }),
        ...(submission.lease && { lease: submission.lease }),
      },
    };
  }

  /** The state a fork starts from: the parent after that event, even if this batch has yet to commit it. */
  async function stateAt({ parent, seq }: Fork, steps: readonly ThreadStep<State>[]): Promise<LoadedState<State>> {
    const isPoint = ({ thread, loaded }: ThreadStep<State>) => thread === parent && loaded.seq === seq;
    const step = steps.find(isPoint) ?? pastSteps.find(isPoint);
    return step?.loaded ?? states.at(parent, seq);
  }

  /** The index changes only when a thread's summary does, so a message costs no extra row. */
  function indexRows(next: ReadonlyMap<string, LoadedState<State>>): RecordWrite[] {
    const rows: RecordWrite[] = [];
    for (const [thread, { state }] of next) {
      const previous = working.get(thread);
      if (previous?.state === state) continue;
      const summary = domain.summary(state);
      if (previous && previous.seq > 0 && isSameSummary(domain.summary(previous.state), summary)) continue;
      rows.push({ kind: THREAD_INDEX, key: thread, value: canonicalJson(summary) });
    }
    return rows;
  }

  return { decide, working, before };
}

/** True if two summaries hold the same values; unchanged values are the same object in both. */
function isSameSummary(one: object, other: object): boolean {
  const [a, b] = [one, other] as [Record<string, Json>, Record<string, Json>];
  for (const key in b)
    if (a[key] !== b[key] && canonicalJson(a[key] ?? null) !== canonicalJson(b[key] as Json)) return false;
  return Object.keys(a).length === Object.keys(b).length;
}

function completeEvent<Command>(
  newEvent: NewEvent,
  seq: number,
  submission: Submission<Command>,
  context: Context,
): Omit<Event, 'hash'> {
  // Keys in canonical order, so that the text needs no sorting.
  return {
    content: newEvent.content,
    from: (newEvent.from ?? submission.actor).id,
    id: context.newId(),
    meta: { by: (newEvent.from ?? submission.actor).kind, command: submission.id, ...newEvent.meta },
    seq,
    thread: newEvent.thread,
    to: newEvent.to ?? 'all',
    ts: context.now,
    type: newEvent.type,
    v: versionOf(newEvent),
  };
}

function forkOf(newEvent: NewEvent): Fork | undefined {
  const from = ThreadCreated.contentOf(newEvent)?.forked_from;
  return from && { thread: newEvent.thread, parent: from.thread, seq: from.seq };
}
