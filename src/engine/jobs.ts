import type { Domain, Job } from '../core/decider.ts';
import type { Actor } from '../core/events/event.ts';
import type { PresenceState } from '../core/threads/schema.ts';
import { type EventLog, eventTypeOf, type Lease, type RecordWrite, type StoredEvent } from '../log/event-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { realTime, type Time } from '../models/resilience/time.ts';
import type { CommandResult, Submission } from './handle.ts';
import { runUnderLease } from './lease.ts';
import type { PendingJob, PendingResults } from './report/pending.ts';
import type { States } from './states.ts';
import type { LiveMessage, Tail } from './tail.ts';

const LEASE_MS = 5_000;
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** The kind of job that settles saved results of a job that is no longer wanted. */
export const SETTLE_PENDING = 'kept.settle';

export interface JobContext<State, Command> {
  readonly thread: string;
  /** Aborted when the job is no longer wanted, when another server took it over, or when this one stops. */
  readonly signal: AbortSignal;
  /** Aborted when this process ends. Until then a finished result is stored, even if the job was cancelled (W28). */
  readonly stopping: AbortSignal;
  /**
   * True once the state no longer asks for the job, or for more of it; false if it was cancelled by a lost lease or a
   * stop.
   */
  isUnwanted(): boolean;
  /** The time, from the clock that stamps events. */
  now(): number;
  state(): Promise<State>;
  /**
   * Reports a result, with rows to write in the same transaction. Refused (`lease_lost`) once another server has the
   * job.
   */
  handle(actor: Actor, command: Command, id: string, records?: readonly RecordWrite[]): Promise<CommandResult<State>>;
  /** Sends a live message; it is not stored. */
  sendLive(item: Omit<LiveMessage, 'thread'>): void;
  /** Resolves when an event is appended to the thread, the time is over, or the job is cancelled. */
  waitForChange(ms: number): Promise<unknown>;
  setPresence(actor: Actor, state: PresenceState): Promise<unknown>;
}

/** Does one job: when it returns, the thread's state must no longer ask for it. */
export type PerformJob<State, Command> = (job: Job, context: JobContext<State, Command>) => Promise<void>;

export interface JobsParts<State, Command> {
  readonly log: EventLog;
  readonly domain: Domain<State, Command>;
  readonly states: States<State>;
  readonly tail: Tail;
  readonly holder: string;
  readonly performers: Readonly<Record<string, PerformJob<State, Command>>>;
  /** True if this server can do a job at all; other jobs are left to other servers. */
  accepts(job: Job, state: State): boolean;
  /** Filters out jobs that must not start yet (L25). */
  runnableJobs?(state: State, jobs: readonly Job[]): Promise<readonly Job[]>;
  /** Job results saved outside the log; needs a performer for `SETTLE_PENDING` (W28). */
  readonly pendingResults?: Pick<PendingResults, 'jobs' | 'hasPending'>;
  setPresence(thread: string, actor: Actor, state: PresenceState): Promise<unknown>;
  handle(submission: Omit<Submission<Command>, 'digest'>): Promise<CommandResult<State>>;
  sendLive(item: LiveMessage): void;
  /** Receives job errors that nobody else sees. */
  report(error: unknown): void;
  readonly time?: Time;
  readonly now?: () => number;
}

interface RunningJob {
  readonly job: Job;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  isUnwanted: boolean;
}

/**
 * Does the long work that states ask for: each job on one server at a time, under its own lease. The log alone
 * determines the jobs, so after a crash the work continues here or on another server. A result is a command under the
 * lease: late results of a server that lost it are refused.
 */
export function createJobs<State, Command>(parts: JobsParts<State, Command>) {
  const { log, domain, states, tail, holder, performers, accepts, setPresence, handle, sendLive, report } = parts;
  const { time = realTime, now = Date.now, runnableJobs = async (_: State, jobs: readonly Job[]) => jobs } = parts;
  const pendingResults = Object.hasOwn(performers, SETTLE_PENDING) ? parts.pendingResults : undefined;
  const running = new Map<string, RunningJob>();
  /** Jobs that may have saved results, by name; those of a job that is no longer wanted are settled. */
  const pendingJobs = new Map<string, PendingJob>();
  const stopping = new AbortController();
  let unsubscribe = () => {};

  /** Resumes unfinished work, and starts whatever is requested from now on. */
  async function start() {
    unsubscribe = tail.subscribe({
      after: tail.position,
      onEvents: (rows) => checkThreads(threadsToCheck(rows)),
      onError: report,
    });
    for (const job of (await pendingResults?.jobs()) ?? []) pendingJobs.set(jobName(job.thread, job), job);
    await resumeListed();
    checkThreads(new Map([...pendingJobs.values()].map(({ thread }) => [thread, Number.MAX_SAFE_INTEGER])));
  }

  /** Starts the work of threads whose rows are marked as working. */
  async function resumeListed() {
    const rows = await log.records(THREAD_INDEX);
    const workingRows = rows.filter(({ value }) => value.includes('"working":true'));
    checkThreads(new Map(workingRows.map(({ key }) => [key, Number.MAX_SAFE_INTEGER])));
  }

  /** Threads with new events that may ask for work, and the last such seq. */
  function threadsToCheck(rows: readonly StoredEvent[]): ReadonlyMap<string, number> {
    const threads = new Map<string, number>();
    for (const row of rows) if (domain.jobTriggers.has(eventTypeOf(row))) threads.set(row.thread, row.seq);
    return threads;
  }

  function checkThreads(threads: ReadonlyMap<string, number>) {
    for (const [thread, seq] of threads) {
      try {
        if (mayHaveWork(thread, seq)) void syncJobs(thread, seq).catch(report);
      } catch (error) {
        // Only this thread's work fails; the others are still checked.
        report(error);
      }
    }
  }

  /** Most messages ask for no work. If the state in memory is recent enough, this is decided without waiting. */
  function mayHaveWork(thread: string, seq: number): boolean {
    const loaded = states.peek(thread);
    if (!loaded || loaded.seq < seq || acceptedJobs(loaded.state).length > 0) return true;
    for (const name of [...running.keys(), ...pendingJobs.keys()]) if (name.startsWith(`job/${thread}/`)) return true;
    return false;
  }

  /** Starts the jobs that the thread's state asks for, and cancels those it no longer asks for. */
  async function syncJobs(thread: string, seq = 0) {
    if ((states.peek(thread)?.seq ?? seq) < seq) await states.refresh(thread);
    const jobs = await wantedJobs(thread);
    for (const [name, entry] of running) {
      if (!name.startsWith(`job/${thread}/`) || isSameJob(jobs.get(name), entry.job)) continue;
      entry.isUnwanted = true;
      entry.stop.abort();
    }
    if (stopping.signal.aborted) return;
    for (const [name, job] of jobs) if (!running.has(name)) startJob(name, thread, job);
  }

  function startJob(name: string, thread: string, job: Job) {
    const stop = new AbortController();
    const entry: RunningJob = { job, stop, isUnwanted: false, ended: Promise.resolve() };
    running.set(name, entry);
    const signal = AbortSignal.any([stop.signal, stopping.signal]);
    const ended = runUntilDone(name, thread, job, entry, signal)
      .catch(report)
      .then(() => updatePending(name, thread, entry))
      .catch(report);
    Object.assign(entry, { ended });
    void ended.then(async () => {
      running.delete(name);
      // The job's last event may have requested the next job before this one had ended.
      if (!stopping.signal.aborted) await syncJobs(thread).catch(report);
    });
  }

  /** Remembers a job that left saved results so that they get settled, and forgets it when they are gone. */
  async function updatePending(name: string, thread: string, { job: { key }, isUnwanted }: RunningJob) {
    const pending = pendingJobs.get(name) ?? { thread, key, parts: [0] };
    if (!pendingResults || stopping.signal.aborted || !(isUnwanted || pendingJobs.has(name))) return;
    if (await pendingResults.hasPending(pending)) pendingJobs.set(name, pending);
    else pendingJobs.delete(name);
  }

  async function runUntilDone(name: string, thread: string, job: Job, entry: RunningJob, signal: AbortSignal) {
    for (let failures = 0; !signal.aborted; ) {
      const lease = await log.lease(name, holder, LEASE_MS).catch(() => undefined);
      if (!lease) {
        await time.wait(RETRY_MS, signal);
        await states.refresh(thread);
        if (!(await isWanted(thread, job))) return;
        continue;
      }
      try {
        await runUnderLease(log, lease, signal, (held) => perform(thread, job, entry, held), time);
      } catch (error) {
        report(error);
      }
      if (job.kind === SETTLE_PENDING) await updatePending(name, thread, entry);
      if (signal.aborted || !(await isWanted(thread, job))) return;
      await time.wait(Math.min(RETRY_MS * 2 ** failures++, MAX_RETRY_MS), signal);
    }
  }

  async function perform(
    thread: string,
    job: Job,
    entry: RunningJob,
    { lease, signal }: { lease: Lease; signal: AbortSignal },
  ) {
    // The previous holder may have finished just before its lease expired.
    await states.refresh(thread);
    if (!(await isWanted(thread, job))) return;
    const performer = performers[job.kind];
    if (!performer) throw new Error(`Nobody here knows how to do "${job.kind}".`);
    await performer(job, {
      thread,
      signal,
      stopping: stopping.signal,
      isUnwanted: () => entry.isUnwanted,
      now,
      state: async () => ((await states.load(thread)) as { state: State }).state,
      handle: (actor, command, id, records = []) => handle({ actor, command, id, lease, records }),
      sendLive: (item) => sendLive({ ...item, thread } as LiveMessage),
      waitForChange: (ms) => tail.waitForChange(thread, ms, signal),
      setPresence: (actor, state) => setPresence(thread, actor, state),
    });
  }

  async function isWanted(thread: string, job: Job): Promise<boolean> {
    return isSameJob((await wantedJobs(thread)).get(jobName(thread, job)), job);
  }

  /** The jobs that the thread's state asks for, plus the settling of saved results of those it no longer asks for. */
  async function wantedJobs(thread: string): Promise<ReadonlyMap<string, Job>> {
    const loaded = await states.load(thread);
    const jobs = loaded ? await runnableJobs(loaded.state, acceptedJobs(loaded.state)) : [];
    const byName = new Map(jobs.map((job) => [jobName(thread, job), job]));
    if (pendingJobs.size === 0) return byName;
    // Include jobs that this server cannot do, or not yet: they are still wanted.
    const requestedNames = new Set((loaded ? domain.jobs(loaded.state) : []).map((job) => jobName(thread, job)));
    for (const [name, { thread: jobThread, key, parts }] of pendingJobs) {
      if (jobThread === thread && !requestedNames.has(name))
        byName.set(name, { key, kind: SETTLE_PENDING, input: { parts }, ending: true });
    }
    return byName;
  }

  function acceptedJobs(state: State): readonly Job[] {
    return domain.jobs(state).filter((job) => accepts(job, state));
  }

  /** Cancels everything; unfinished work resumes at the next start. */
  async function close() {
    stopping.abort();
    unsubscribe();
    while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended));
  }

  return { start, resumeListed, close };
}

/** A job that should end is different from the same job that should run. */
function isSameJob(one: Job | undefined, other: Job): boolean {
  return one !== undefined && one.kind === other.kind && one.ending === other.ending;
}

function jobName(thread: string, { key }: Pick<Job, 'key'>): string {
  return `job/${thread}/${key}`;
}
