import { monotonicFactory } from 'ulid';
import { AGENT_LIMITS, type AgentLimits } from '../core/agent-limits.ts';
import type { Context, Job } from '../core/decider.ts';
import type { Actor } from '../core/events/event.ts';
import { manifest } from '../core/events/manifest.ts';
import { isRefusal } from '../core/refusal.ts';
import { demandOf } from '../core/threads/access/allowance.ts';
import type { PresenceState } from '../core/threads/schema.ts';
import type { ThreadSummary } from '../core/threads/view/view.ts';
import { type Command, type State, workspace } from '../core/workspace.ts';
import { withImportMarks } from '../formats/import/import-marks.ts';
import { type EventLog, type Stored, typeOf } from '../log/event-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { sha256 } from '../log/seal.ts';
import type { Time } from '../models/resilience/time.ts';
import { holdersOf } from './credentials.ts';
import { rebuildAll } from './derived/rebuild.ts';
import { createRowsUpkeep, type RowsTold } from './derived/upkeep.ts';
import { leaving } from './dialogue/departure.ts';
import { createHandler, type Handled } from './handle.ts';
import { type Adopted, type AdoptParts, adopt } from './imports/adopt.ts';
import { createImports } from './imports/imports.ts';
import { createJobs, type Perform } from './jobs.ts';
import { createPresence, type Presence } from './presence.ts';
import { createFinished } from './report/pending.ts';
import { createRunner } from './runner.ts';
import { createIndexing } from './search/indexer.ts';
import { createSearch } from './search/search.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createStates } from './states.ts';
import { createTail, type Live } from './tail.ts';
import { createAllowances } from './usage/allowances.ts';

const SWEEP_MS = 1_000;
const REPEAT_PRESENCE_MS = 20_000;

export interface EngineParts {
  readonly log: EventLog;
  readonly secrets?: Secrets;
  readonly now?: () => number;
  /** What leases are renewed by and jobs wait by. */
  readonly time?: Time;
  /** How long work is done, by kind of job (core/decider.ts). */
  readonly performers?: Readonly<Record<string, Perform<State, Command>>>;
  /** Whether this server can do a job; without it, every one. */
  readonly accepts?: (job: Job, state: State) => boolean;
  /** Whether this server can have a participant answer (T3). */
  readonly serves?: (participant: string, state: State) => boolean;
  /** The clients and models that participants can be run by (T27); asked anew at every use. */
  readonly runners?: NonNullable<Context['runners']>;
  /** What one agent may do (T23); asked anew at every use. */
  readonly agentLimits?: () => AgentLimits;
  /** Where faults are told that nobody waits for. */
  readonly report?: (error: unknown) => void;
}

/** Everything a workspace does, for whichever door the wish came through. */
export async function createEngine(parts: EngineParts) {
  const { secrets = createSecrets(), now = Date.now, performers = {}, report = () => {} } = parts;
  const log = withImportMarks(parts.log);
  const { agentLimits = () => AGENT_LIMITS } = parts;
  const { serves = () => false, accepts = ({ kind }: Job) => Object.hasOwn(performers, kind) } = parts;
  // Ids need to be unique, not secret, and the default source of chance asks the system for every byte.
  const newId = monotonicFactory(Math.random);
  const holder = newId();
  const holders = holdersOf(parts.log);
  await holders.refresh();
  const clock = {
    now: () => new Date(now()).toISOString(),
    newId: () => newId(),
    hash: sha256,
    random: Math.random,
    credentialKind: holders.kindOf,
    spelling: holders.spelling,
    ...(parts.runners && { runners: parts.runners }),
    agentLimits,
  };
  const states = createStates<State>(log, workspace);
  const tail = createTail(log, states.observe);
  const handler = createHandler({ log, domain: workspace, states, secrets, clock, committed, report });
  const allowances = createAllowances({ log, limits: agentLimits, now });
  /** Events this process stored, by type. */
  const appended = new Map<string, number>();
  const presence = createPresence({
    now,
    elapsed: parts.now ?? (() => performance.now()),
    changed: presenceChanged,
    left: (...who) => void left(...who).catch(report),
  });
  const runner = createRunner('threads', {
    ...{ log, domain: workspace, states, tail, holder, handle: handler.handle },
    ...(parts.time && { time: parts.time }),
  });
  const imports = createImports(log);
  const jobs = createJobs({
    log,
    domain: workspace,
    states,
    tail,
    holder,
    performers,
    accepts,
    finished: createFinished(log, secrets),
    mayBegin: ({ thread }, asked) => imports.mayBegin(thread, asked),
    present: (thread, actor, to) => declare(actor, thread, to),
    handle: handler.handle,
    tell,
    report,
    now,
    ...(parts.time && { time: parts.time }),
  });
  await tail.start();
  const indexing = createIndexing({ log, tail, holder, report });
  const rows = createRowsUpkeep({ log, fold: workspace, holder, report });
  const unlisten = log.listen({ appended: () => void tail.pull().catch(() => {}), announced });
  const timers = [setInterval(presence.sweep, SWEEP_MS), setInterval(repeatPresence, REPEAT_PRESENCE_MS)];
  for (const timer of timers) timer.unref();

  function handle(actor: Actor, command: Command, id: string = newId()): Promise<Handled<State>> {
    const demand = actor.kind === 'human' ? undefined : demandOf(command);
    if (!demand) return handler.handle({ actor, command, id });
    return allowances.within({ actor, demand, id }, (records) => handler.handle({ actor, command, id, records }));
  }

  function committed(rows: readonly Stored[]) {
    for (const row of rows) {
      const type = typeOf(row);
      appended.set(type, (appended.get(type) ?? 0) + 1);
    }
    tail.committed(rows);
  }

  /** A thread's state, or undefined when there is no such thread. */
  async function state(thread: string): Promise<{ state: State; seq: number } | undefined> {
    return states.load(thread);
  }

  /** A thread as it was after its event number `seq`. */
  async function stateAt(thread: string, seq: number): Promise<{ state: State; seq: number }> {
    return states.at(thread, seq);
  }

  async function index(): Promise<readonly ThreadSummary[]> {
    return (await log.records(THREAD_INDEX)).map((row) => JSON.parse(row.value));
  }

  /** Who is here, and who is not but can be woken by this server: shown apart (T3). */
  function present(state: State): readonly Presence[] {
    const here = presence.of(state.thread.id);
    const known = new Map(here.map((entry) => [entry.participant, entry]));
    const served = Object.entries(state.thread.participants)
      .filter(([id, { invited }]) => invited && known.get(id)?.reach !== 'live' && serves(id, state))
      .map(([participant]): Presence => {
        const declared = known.get(participant);
        return { state: 'listening', since: state.thread.created, ...declared, participant, reach: 'wakeable' };
      });
    const wakeable = new Set(served.map(({ participant }) => participant));
    return [...here.filter(({ participant }) => !wakeable.has(participant)), ...served];
  }

  /** A participant says how it is; where the thread asks for it, thinking is written down (T3). */
  async function declare(actor: Actor, thread: string, to: PresenceState, details?: Presence['details']) {
    const before = presence.of(thread).find((entry) => entry.participant === actor.id)?.state;
    const entry = presence.declare(thread, actor.id, to, details);
    const started = to === 'thinking' && before !== 'thinking';
    const ended = to !== 'thinking' && before === 'thinking';
    if ((started || ended) && (await states.load(thread))?.state.thread.presenceLog) {
      const content = { transition: started ? 'thinking.start' : 'thinking.end' } as const;
      const handled = await handle(actor, { name: 'post', input: { thread, type: 'presence', content } });
      if (isRefusal(handled)) return handled;
    }
    return entry;
  }

  /** Takes in an export; whoever is reading sees its events as they would any others. */
  async function adoptFile(path: string, parts?: AdoptParts): Promise<Adopted> {
    try {
      return await adopt(log, path, parts, secrets);
    } finally {
      await tail.pull();
    }
  }

  function presenceChanged(thread: string, entry: Presence) {
    tell({ thread, type: 'presence.updated', content: entry });
  }

  async function left(thread: string, participant: string) {
    const loaded = await states.load(thread);
    const told = loaded && leaving(loaded.state, participant, presence.of(thread));
    if (told) await handle(told.actor, told.command);
  }

  function repeatPresence() {
    for (const { thread, presence: entry } of presence.connected()) {
      announce({ thread, type: 'presence.updated', content: entry });
    }
  }

  /** Sends something live to everyone on this log, here and on other servers. */
  function tell(item: Live) {
    tail.live(item);
    announce(item);
  }

  function announce(item: Live) {
    // Live news may be lost: what matters is in the log.
    log.announce(JSON.stringify(item)).catch(() => {});
  }

  function announced(text: string) {
    const item = JSON.parse(text) as Live;
    if (manifest.get(item.type)?.durable !== false) return;
    if (item.type === 'presence.updated') presence.hear(item.thread, item.content as Presence);
    tail.live(item);
  }

  /** `told` hears how far rows are that an earlier version has made. */
  function startWork(told?: RowsTold) {
    runner.start();
    rows.start(told, () => void jobs.takeUp().catch(report));
    indexing.start();
    void jobs.start().catch(report);
  }

  async function close() {
    for (const timer of timers) clearInterval(timer);
    unlisten();
    await jobs.close();
    await runner.close();
    await indexing.close();
    await rows.close();
    await handler.idle();
  }

  return {
    log,
    tail,
    presence,
    clock,
    secrets,
    appended: appended as ReadonlyMap<string, number>,
    handle,
    /** Whether an agent may still do what it is about to ask for bit by bit (T23). */
    allows: allowances.check,
    agentLimits,
    state,
    stateAt,
    index,
    /** What a thread has from imports, and whether it waits for a human. */
    imports,
    declare,
    present,
    tell,
    /** Brings rows of an earlier version up to date, as far as that takes a moment. */
    bringRows: rows.atOpening,
    /** Begins carrying out reactions and jobs; only the process that serves does. */
    startWork,
    /** Finds texts of the whole workspace. */
    search: createSearch({ log, indexing, load: states.load }),
    rebuild: (progress?: (events: number, total: number) => void) => rebuildAll(log, progress),
    adopt: adoptFile,
    close,
  };
}

export type Engine = Awaited<ReturnType<typeof createEngine>>;
