import type { Domain, Job } from '../core/decider.ts';
import type { Actor } from '../core/events/event.ts';
import type { PresenceState } from '../core/threads/schema.ts';
import { type EventLog, type Lease, type RecordWrite, type Stored, typeOf } from '../log/event-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { realTime, type Time } from '../models/resilience/time.ts';
import type { Handled, Submission } from './handle.ts';
import { underLease } from './lease.ts';
import type { KeptJob } from './report/pending.ts';
import type { States } from './states.ts';
import type { Live, Tail } from './tail.ts';

const LEASE_MS = 5_000;
const ASK_AGAIN_MS = 1_500;
const LONGEST_PAUSE_MS = 60_000;
/** The kind of job that settles what is kept of one that is no longer asked for. */
export const SETTLE_KEPT = 'kept.settle';

/** What a job is done with. */
export interface Work<State, Command> {
  readonly thread: string;
  /** Aborted when the job is no longer wanted, when another server took it over, or when this one stops. */
  readonly signal: AbortSignal;
  /** Aborted when this process ends: what is finished is stored until then, whatever became of the job (W28). */
  readonly stopping: AbortSignal;
  /** True once the state stopped asking for the job, or for more of it; false while a lost lease or a stop is why it was called off. */
  unwanted(): boolean;
  /** By the clock that events are written with. */
  now(): number;
  /** The thread as it is now. */
  state(): Promise<State>;
  /** Reports a result, with rows to write in the same step. Refused (`lease_lost`) once another server has the job. */
  handle(actor: Actor, command: Command, id: string, records?: readonly RecordWrite[]): Promise<Handled<State>>;
  /** Says something live: it is not stored. */
  tell(item: Omit<Live, 'thread'>): void;
  /** Resolves when something was appended to the thread, when the time is over, or when the job is called off. */
  changed(ms: number): Promise<unknown>;
  /** Shows how whoever works is, where others see who is here. */
  present(actor: Actor, state: PresenceState): Promise<unknown>;
}

/** Does one job: when it returns, the thread's state must no longer ask for it. */
export type Perform<State, Command> = (job: Job, work: Work<State, Command>) => Promise<void>;

export interface JobsParts<State, Command> {
  readonly log: EventLog;
  readonly domain: Domain<State, Command>;
  readonly states: States<State>;
  readonly tail: Tail;
  readonly holder: string;
  /** By kind of job. */
  readonly performers: Readonly<Record<string, Perform<State, Command>>>;
  /** Whether this server can do a job at all: one that it cannot is left to others. */
  accepts(job: Job, state: State): boolean;
  /** Of the jobs that a thread asks for, those that nothing holds back (L25). */
  mayBegin?(state: State, jobs: readonly Job[]): Promise<readonly Job[]>;
  /** What is kept of jobs beside the log; needs a performer for `SETTLE_KEPT` (W28). */
  readonly finished?: {
    jobs(): Promise<readonly KeptJob[]>;
    isKept(job: KeptJob): Promise<boolean>;
  };
  present(thread: string, actor: Actor, state: PresenceState): Promise<unknown>;
  handle(submission: Omit<Submission<Command>, 'digest'>): Promise<Handled<State>>;
  tell(item: Live): void;
  /** Where the fault of a job is told that no one else hears of. */
  report(error: unknown): void;
  readonly time?: Time;
  readonly now?: () => number;
}

interface Running {
  readonly job: Job;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  unwanted: boolean;
}

/**
 * Does the long work that states ask for: each job on one server at a time, under a lease of its own. What a job is
 * follows from the log alone, so after a crash the work goes on here or on another server. A result is a command under
 * the lease: late ones of a server that lost it are refused.
 */
export function createJobs<State, Command>(parts: JobsParts<State, Command>) {
  const { log, domain, states, tail, holder, performers, accepts, present, handle, tell, report } = parts;
  const { time = realTime, now = Date.now, mayBegin = async (_: State, jobs: readonly Job[]) => jobs } = parts;
  const finished = Object.hasOwn(performers, SETTLE_KEPT) ? parts.finished : undefined;
  const running = new Map<string, Running>();
  /** Jobs that something may be kept of, by name: where nobody asks for one any more, that is settled. */
  const kept = new Map<string, KeptJob>();
  const stopping = new AbortController();
  let unsubscribe = () => {};

  /** Takes up what was left behind, and whatever is asked for from now on. */
  async function start() {
    unsubscribe = tail.subscribe({
      after: tail.position,
      deliver: (rows) => consider(asking(rows)),
      live: () => {},
      ready: async () => {},
      failed: report,
    });
    for (const job of (await finished?.jobs()) ?? []) kept.set(nameOf(job.thread, job), job);
    await takeUp();
    consider(new Map([...kept.values()].map(({ thread }) => [thread, Number.MAX_SAFE_INTEGER])));
  }

  /** Begins the work that rows tell of. */
  async function takeUp() {
    const rows = await log.records(THREAD_INDEX);
    const working = rows.filter(({ value }) => value.includes('"working":true'));
    consider(new Map(working.map(({ key }) => [key, Number.MAX_SAFE_INTEGER])));
  }

  /** Threads that something was said in which may ask for work, and up to where. */
  function asking(rows: readonly Stored[]): ReadonlyMap<string, number> {
    const threads = new Map<string, number>();
    for (const row of rows) if (domain.worksAfter.has(typeOf(row))) threads.set(row.thread, row.seq);
    return threads;
  }

  function consider(threads: ReadonlyMap<string, number>) {
    for (const [thread, seq] of threads) {
      try {
        if (mayMatter(thread, seq)) void adjust(thread, seq).catch(report);
      } catch (error) {
        // One thread's work alone: this goes on hearing of the others.
        report(error);
      }
    }
  }

  /** Most messages ask for nothing: that is seen without waiting for anything, if the state in memory is as new as they. */
  function mayMatter(thread: string, seq: number): boolean {
    const known = states.peek(thread);
    if (!known || known.seq < seq || jobsOf(known.state).length > 0) return true;
    for (const name of [...running.keys(), ...kept.keys()]) if (name.startsWith(`job/${thread}/`)) return true;
    return false;
  }

  /** Begins what the thread's state asks for and calls off what it no longer does. */
  async function adjust(thread: string, seq = 0) {
    if ((states.peek(thread)?.seq ?? seq) < seq) await states.refresh(thread);
    const wanted = await wantedIn(thread);
    for (const [name, entry] of running) {
      if (!name.startsWith(`job/${thread}/`) || isSame(wanted.get(name), entry.job)) continue;
      entry.unwanted = true;
      entry.stop.abort();
    }
    if (stopping.signal.aborted) return;
    for (const [name, job] of wanted) if (!running.has(name)) begin(name, thread, job);
  }

  function begin(name: string, thread: string, job: Job) {
    const stop = new AbortController();
    const entry: Running = { job, stop, unwanted: false, ended: Promise.resolve() };
    running.set(name, entry);
    const signal = AbortSignal.any([stop.signal, stopping.signal]);
    const ended = untilDone(name, thread, job, entry, signal)
      .catch(report)
      .then(() => noteKept(name, thread, entry))
      .catch(report);
    Object.assign(entry, { ended });
    void ended.then(async () => {
      running.delete(name);
      // Its last event may have asked for what comes next while this was still ending.
      if (!stopping.signal.aborted) await adjust(thread).catch(report);
    });
  }

  /** What it leaves behind is settled when nobody asks for it, and forgotten when it is gone. */
  async function noteKept(name: string, thread: string, { job: { key }, unwanted }: Running) {
    const known = kept.get(name) ?? { thread, key, parts: [0] };
    if (!finished || stopping.signal.aborted || !(unwanted || kept.has(name))) return;
    if (await finished.isKept(known)) kept.set(name, known);
    else kept.delete(name);
  }

  async function untilDone(name: string, thread: string, job: Job, entry: Running, signal: AbortSignal) {
    for (let failures = 0; !signal.aborted; ) {
      const lease = await log.lease(name, holder, LEASE_MS).catch(() => undefined);
      if (!lease) {
        await time.wait(ASK_AGAIN_MS, signal);
        await states.refresh(thread);
        if (!(await isWanted(thread, job))) return;
        continue;
      }
      try {
        await underLease(log, lease, signal, (held) => perform(thread, job, entry, held), time);
      } catch (error) {
        report(error);
      }
      if (job.kind === SETTLE_KEPT) await noteKept(name, thread, entry);
      if (signal.aborted || !(await isWanted(thread, job))) return;
      await time.wait(Math.min(ASK_AGAIN_MS * 2 ** failures++, LONGEST_PAUSE_MS), signal);
    }
  }

  async function perform(
    thread: string,
    job: Job,
    entry: Running,
    { lease, signal }: { lease: Lease; signal: AbortSignal },
  ) {
    // Whoever had the lease before may have finished just before it ran out.
    await states.refresh(thread);
    if (!(await isWanted(thread, job))) return;
    const act = performers[job.kind];
    if (!act) throw new Error(`Nobody here knows how to do "${job.kind}".`);
    await act(job, {
      thread,
      signal,
      stopping: stopping.signal,
      unwanted: () => entry.unwanted,
      now,
      state: async () => ((await states.load(thread)) as { state: State }).state,
      handle: (actor, command, id, records = []) => handle({ actor, command, id, lease, records }),
      tell: (item) => tell({ ...item, thread } as Live),
      changed: (ms) => tail.changed(thread, ms, signal),
      present: (actor, state) => present(thread, actor, state),
    });
  }

  async function isWanted(thread: string, job: Job): Promise<boolean> {
    return isSame((await wantedIn(thread)).get(nameOf(thread, job)), job);
  }

  /** What a thread's state asks for, and what is left of that which it no longer asks for. */
  async function wantedIn(thread: string): Promise<ReadonlyMap<string, Job>> {
    const loaded = await states.load(thread);
    const jobs = loaded ? await mayBegin(loaded.state, jobsOf(loaded.state)) : [];
    const wanted = new Map(jobs.map((job) => [nameOf(thread, job), job]));
    if (kept.size === 0) return wanted;
    // One that this server cannot do, or not yet, is asked for all the same.
    const asked = new Set((loaded ? domain.jobs(loaded.state) : []).map((job) => nameOf(thread, job)));
    for (const [name, { thread: its, key, parts }] of kept) {
      if (its === thread && !asked.has(name))
        wanted.set(name, { key, kind: SETTLE_KEPT, input: { parts }, ending: true });
    }
    return wanted;
  }

  function jobsOf(state: State): readonly Job[] {
    return domain.jobs(state).filter((job) => accepts(job, state));
  }

  /** Calls everything off; what was at work is taken up again at the next start. */
  async function close() {
    stopping.abort();
    unsubscribe();
    while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended));
  }

  return { start, takeUp, close };
}

/** A job that is to be ended is another than the one that was to be done. */
function isSame(one: Job | undefined, other: Job): boolean {
  return one !== undefined && one.kind === other.kind && one.ending === other.ending;
}

function nameOf(thread: string, { key }: Pick<Job, 'key'>): string {
  return `job/${thread}/${key}`;
}
