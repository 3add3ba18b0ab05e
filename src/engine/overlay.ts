import type { Context, Domain, World } from '../core/decider.ts';
import { canonical } from '../core/events/canonical.ts';
import type { Event, Json, NewEvent } from '../core/events/event.ts';
import { checkSize, checkText } from '../core/events/limits.ts';
import { manifest } from '../core/events/manifest.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import type { Append, Fork, Linked, RecordWrite } from '../log/event-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { seal } from '../log/seal.ts';
import type { Clock, Submission } from './handle.ts';
import type { Secrets } from './secrets.ts';
import type { Loaded, States } from './states.ts';

/** What a submission came to: a refusal, or an entry for the log (undefined when nothing changes). */
export interface Decided<State> {
  readonly outcome: Refusal | Append | undefined;
  readonly made?: Made<State>;
  /** The threads it looked at or writes to: if one of them turns out otherwise, it is decided again. */
  readonly threads: ReadonlySet<string>;
}

/** What a command made, for whoever sent it to be told more than the text of its events. */
export interface Made<State> {
  /** Its events, before they became text. */
  readonly events: readonly Event[];
  /** The threads it wrote to, as they are after it and before what came later. */
  readonly after: ReadonlyMap<string, Loaded<State>>;
}

/** A thread as one event of the batch leaves it. */
interface Step<State> {
  readonly thread: string;
  readonly loaded: Loaded<State>;
}

/** States as they will be once the batch is committed. Nothing leaves here before that (L8). */
export function createOverlay<State, Command>(
  domain: Domain<State, Command>,
  states: States<State>,
  secrets: Secrets,
  clock: Clock,
) {
  const now = clock.now();
  const working = new Map<string, Loaded<State>>();
  const before = new Map<string, number>();
  /** Every state a thread passes through in this batch: a fork may begin at any of them (L22). */
  const passed: Step<State>[] = [];

  async function decide(submission: Submission<Command>): Promise<Decided<State>> {
    const context: Context = { ...clock, actor: submission.actor, now };
    const looked = new Set<string>();
    for (;;) {
      const missing = new Set<string>();
      const decision = domain.decide(worldOf(looked, missing), submission.command, context);
      if (missing.size > 0) {
        for (const thread of missing) await fetch(thread);
        continue;
      }
      if (isRefusal(decision)) return { outcome: decision, threads: looked };
      if (decision.length === 0) return { outcome: undefined, threads: looked };
      return prepare(submission, decision, context, looked);
    }
  }

  function worldOf(looked: Set<string>, missing: Set<string>): World<State> {
    function get(thread: string): Loaded<State> | undefined {
      looked.add(thread);
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

  async function prepare(
    submission: Submission<Command>,
    decision: readonly NewEvent[],
    context: Context,
    threads: Set<string>,
  ): Promise<Decided<State>> {
    const next = new Map<string, Loaded<State>>();
    const steps: Step<State>[] = [];
    const expected = new Map<string, number>();
    const events: Linked[] = [];
    const written: Event[] = [];
    const forks: Fork[] = [];
    for (const fresh of decision) {
      threads.add(fresh.thread);
      const problem = checkText({ content: fresh.content, ...(fresh.meta as object) });
      if (problem) return { outcome: problem, threads };
      let head = next.get(fresh.thread) ?? working.get(fresh.thread);
      if (!head) {
        const fork = forkOf(fresh);
        if (fork) forks.push(fork);
        head = fork ? await stateAt(fork, steps) : states.empty(fresh.thread);
        before.set(fresh.thread, 0);
        expected.set(fresh.thread, 0);
      }
      if (!expected.has(fresh.thread)) expected.set(fresh.thread, head.seq);
      const event = complete(fresh, head.seq + 1, submission, context);
      const sealed = seal(head.hash, event);
      const refused = checkSize(sealed.body, event.content) ?? secrets.check(sealed.body);
      if (refused) return { outcome: refused, threads };
      events.push(sealed);
      const whole = { ...event, hash: sealed.hash };
      written.push(whole);
      const state = domain.evolve(head.state, whole);
      const loaded = { state, seq: sealed.seq, hash: sealed.hash };
      next.set(fresh.thread, loaded);
      steps.push({ thread: fresh.thread, loaded });
    }
    const records = [...(submission.records ?? []), ...indexRows(next)];
    for (const [thread, loaded] of next) working.set(thread, loaded);
    for (const step of steps) passed.push(step);
    return {
      threads,
      made: { events: written, after: next },
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

  /** What a fork begins with: the parent as it was after that event, also one that this batch has yet to commit. */
  async function stateAt({ parent, seq }: Fork, steps: readonly Step<State>[]): Promise<Loaded<State>> {
    const isPoint = ({ thread, loaded }: Step<State>) => thread === parent && loaded.seq === seq;
    const made = steps.find(isPoint) ?? passed.find(isPoint);
    return made?.loaded ?? states.at(parent, seq);
  }

  /** The index changes only when a thread's summary does, so a message costs no extra row. */
  function indexRows(next: ReadonlyMap<string, Loaded<State>>): RecordWrite[] {
    const rows: RecordWrite[] = [];
    for (const [thread, { state }] of next) {
      const old = working.get(thread);
      if (old?.state === state) continue;
      const summary = domain.summary(state);
      if (old && old.seq > 0 && alike(domain.summary(old.state), summary)) continue;
      rows.push({ kind: THREAD_INDEX, key: thread, value: canonical(summary) });
    }
    return rows;
  }

  return { decide, working, before };
}

/** Whether two summaries hold the same values; what did not change is the same object in both. */
function alike(one: Json, other: Json): boolean {
  const [a, b] = [one, other] as [Record<string, Json>, Record<string, Json>];
  for (const key in b) if (a[key] !== b[key] && canonical(a[key] ?? null) !== canonical(b[key] as Json)) return false;
  return Object.keys(a).length === Object.keys(b).length;
}

function complete<Command>(
  fresh: NewEvent,
  seq: number,
  submission: Submission<Command>,
  context: Context,
): Omit<Event, 'hash'> {
  // In the order of its canonical text, which is then written without sorting.
  return {
    content: fresh.content,
    from: (fresh.from ?? submission.actor).id,
    id: context.newId(),
    meta: { by: (fresh.from ?? submission.actor).kind, command: submission.id, ...fresh.meta },
    seq,
    thread: fresh.thread,
    to: fresh.to ?? 'all',
    ts: context.now,
    type: fresh.type,
    v: manifest.get(fresh.type)?.v ?? 1,
  };
}

function forkOf(fresh: NewEvent): Fork | undefined {
  if (fresh.type !== 'thread.created') return undefined;
  const from = (fresh.content as { forked_from?: { thread: string; seq: number } }).forked_from;
  return from && { thread: fresh.thread, parent: from.thread, seq: from.seq };
}
