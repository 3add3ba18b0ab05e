import { monotonicFactory } from 'ulid';
import { type AgentLimits, DEFAULT_AGENT_LIMITS } from '../core/agent-limits.ts';
import type { NamedAttachment } from '../core/attachments/attachment.ts';
import type { Context, Job } from '../core/decider.ts';
import type { Actor } from '../core/events/event.ts';
import type { LiveItem } from '../core/events/live.ts';
import { manifest } from '../core/events/manifest.ts';
import { isRefusal } from '../core/refusal.ts';
import { allowanceUseOf } from '../core/threads/access/allowance.ts';
import type { PresenceState } from '../core/threads/schema.ts';
import type { ThreadMind, ThreadSummary } from '../core/threads/view/schema.ts';
import { type Command, type State, workspace } from '../core/workspace.ts';
import { withImportMarks } from '../formats/import/import-marks.ts';
import { type EventLog, eventTypeOf, type StoredEvent } from '../log/event-log.ts';
import { THREAD_INDEX } from '../log/record-kinds.ts';
import { sha256 } from '../log/seal.ts';
import type { Time } from '../models/resilience/time.ts';
import type { WirePerson } from '../protocol/people.ts';
import { attachmentsIn, createUploads } from './attachments/uploads.ts';
import { credentialHoldersOf } from './credentials.ts';
import { rebuildAll } from './derived/rebuild.ts';
import { createRowsUpkeep, type OnRowsProgress } from './derived/upkeep.ts';
import { departureCommand } from './dialogue/departure.ts';
import { type CommandResult, createHandler } from './handle.ts';
import { type AdoptParts, type AdoptResult, adopt } from './imports/adopt.ts';
import { createImports } from './imports/imports.ts';
import { createJobs, type PerformJob } from './jobs.ts';
import { collectPeople } from './people.ts';
import { createPersonas } from './personas.ts';
import { createPins } from './pins.ts';
import { createPresence, type Presence } from './presence.ts';
import { createProfiles } from './profiles.ts';
import { createPendingResults } from './report/pending.ts';
import { createRunner } from './runner.ts';
import { createIndexer } from './search/indexer.ts';
import { createSearch } from './search/search.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createStates } from './states.ts';
import { createTail, type LiveMessage } from './tail.ts';
import { createAllowances } from './usage/allowances.ts';

const SWEEP_MS = 1_000;
const REPEAT_PRESENCE_MS = 20_000;

export interface EngineParts {
  readonly log: EventLog;
  readonly secrets?: Secrets;
  readonly now?: () => number;
  /** The clock for renewing leases and for waits of jobs. */
  readonly time?: Time;
  /** Performers of long work, by kind of job (core/decider.ts). */
  readonly performers?: Readonly<Record<string, PerformJob<State, Command>>>;
  /** True if this server can do a job; by default it can do all. */
  readonly accepts?: (job: Job, state: State) => boolean;
  /** True if this server can run a participant (T3). */
  readonly serves?: (participant: string, state: State) => boolean;
  /** The clients and models that can run participants (T27); read again at every use. */
  readonly runners?: NonNullable<Context['runners']>;
  readonly defaultModel?: (role: ThreadMind['role']) => string;
  /** The currency of money in sentences (C5); read again at every use. */
  readonly currency?: () => string;
  /** The limits for one agent (T23); read again at every use. */
  readonly agentLimits?: () => AgentLimits;
  /** Receives errors that have no caller to report to. */
  readonly report?: (error: unknown) => void;
}

/** Everything a workspace can do, for the HTTP server, the command line and every other entry point. */
export async function createEngine(parts: EngineParts) {
  const { secrets = createSecrets(), now = Date.now, performers = {}, report = () => {} } = parts;
  const log = withImportMarks(parts.log);
  const { agentLimits = () => DEFAULT_AGENT_LIMITS } = parts;
  const { serves = () => false, accepts = ({ kind }: Job) => Object.hasOwn(performers, kind) } = parts;
  // Ids need to be unique, not secret, and the default random source makes a system call for every byte.
  const newId = monotonicFactory(Math.random);
  const holder = newId();
  const holders = credentialHoldersOf(parts.log);
  await holders.refresh();
  const clock = {
    now: () => new Date(now()).toISOString(),
    newId: () => newId(),
    hash: sha256,
    random: Math.random,
    credentialKind: holders.kindOf,
    spelling: holders.spelling,
    ...(parts.runners && { runners: parts.runners }),
    ...(parts.currency && { currency: parts.currency }),
    agentLimits,
  };
  const states = createStates<State>(log, workspace);
  const tail = createTail(log, states.observe);
  const handler = createHandler({ log, domain: workspace, states, secrets, clock, onCommit, report });
  const allowances = createAllowances({ log, limits: agentLimits, now });
  const uploads = createUploads({ log, allowances, now: clock.now, newId: clock.newId });
  /** Events this process stored, by type. */
  const appendCounts = new Map<string, number>();
  const presence = createPresence({
    now,
    elapsed: parts.now ?? (() => performance.now()),
    onChange: (thread, content) => sendLive({ thread, type: 'presence.updated', content }),
    onLeave: (...who) => void markAbsent(...who).catch(report),
  });
  const runner = createRunner('threads', {
    ...{ log, domain: workspace, states, tail, holder, handle: handler.handle },
    ...(parts.time && { time: parts.time }),
  });
  const imports = createImports(log);
  const pins = createPins({ log, sendLive });
  const profiles = createProfiles({ log, people, openBlob: uploads.open, sendLive });
  const personas = createPersonas({
    log,
    isPerson: (id) => holders.kindOf(id) === 'human',
    modelNames: () => parts.runners?.().models,
  });
  const jobs = createJobs({
    log,
    domain: workspace,
    states,
    tail,
    holder,
    performers,
    accepts,
    pendingResults: createPendingResults(log, secrets),
    runnableJobs: ({ thread }, candidates) => imports.runnableJobs(thread, candidates),
    setPresence: (thread, actor, to) => declare(actor, thread, to),
    handle: handler.handle,
    sendLive,
    report,
    now,
    ...(parts.time && { time: parts.time }),
  });
  await tail.start();
  const indexer = createIndexer({ log, tail, holder, report });
  const rows = createRowsUpkeep({ log, fold: workspace, holder, report });
  const unlisten = log.listen({ onAppend: () => void tail.pull().catch(() => {}), onAnnouncement: onAnnouncement });
  const timers = [setInterval(presence.sweep, SWEEP_MS), setInterval(repeatPresence, REPEAT_PRESENCE_MS)];
  for (const timer of timers) timer.unref();

  function handle(actor: Actor, command: Command, id: string = newId()): Promise<CommandResult<State>> {
    const attachments = attachmentsIn(command);
    return attachments ? handleWithFiles(actor, command, attachments, id) : handleResolved(actor, command, id);
  }

  async function handleWithFiles(actor: Actor, command: Command, named: readonly NamedAttachment[], id: string) {
    const resolved = await uploads.resolve(command, named);
    return isRefusal(resolved) ? resolved : handleResolved(actor, resolved, id);
  }

  function handleResolved(actor: Actor, command: Command, id: string): Promise<CommandResult<State>> {
    const demand = actor.kind === 'human' ? undefined : allowanceUseOf(command);
    if (!demand) return handler.handle({ actor, command, id });
    return allowances.runWithin({ actor, demand, id }, (records) => handler.handle({ actor, command, id, records }));
  }

  function onCommit(rows: readonly StoredEvent[]) {
    for (const row of rows) {
      const type = eventTypeOf(row);
      appendCounts.set(type, (appendCounts.get(type) ?? 0) + 1);
    }
    tail.publishCommit(rows);
  }

  async function index(): Promise<readonly ThreadSummary[]> {
    return (await log.records(THREAD_INDEX)).map((row) => JSON.parse(row.value));
  }

  /** Everybody in the workspace, by id (T37). */
  async function people(): Promise<Readonly<Record<string, WirePerson>>> {
    const rows = await index();
    const imported = await imports.ofRows(rows);
    const ownRows = rows.filter(({ id }) => !imported.has(id));
    return collectPeople({ rows: ownRows, holders: holders.list(), profiles: await profiles.list() });
  }

  /** Lists who is present, and separately who is absent but can be woken by this server (T3). */
  function presencesOf(state: State): readonly Presence[] {
    const presences = presence.of(state.thread.id);
    const byParticipant = new Map(presences.map((entry) => [entry.participant, entry]));
    const wakeable = Object.entries(state.thread.participants)
      .filter(([id, { invited }]) => invited && byParticipant.get(id)?.reach !== 'live' && serves(id, state))
      .map(([participant]): Presence => {
        const current = byParticipant.get(participant);
        return { state: 'listening', since: state.thread.created, ...current, participant, reach: 'wakeable' };
      });
    const wakeableIds = new Set(wakeable.map(({ participant }) => participant));
    return [...presences.filter(({ participant }) => !wakeableIds.has(participant)), ...wakeable];
  }

  /** Sets a participant's presence; if the thread asks for it, "thinking" is also recorded (T3). */
  async function declare(actor: Actor, thread: string, to: PresenceState, details?: Presence['details']) {
    const before = presence.of(thread).find((entry) => entry.participant === actor.id)?.state;
    const entry = presence.declare(thread, actor.id, to, details);
    const isStart = to === 'thinking' && before !== 'thinking';
    const isEnd = to !== 'thinking' && before === 'thinking';
    if ((isStart || isEnd) && (await states.load(thread))?.state.thread.presenceLog) {
      const content = { transition: isStart ? 'thinking.start' : 'thinking.end' } as const;
      const result = await handle(actor, { name: 'post', input: { thread, type: 'presence', content } });
      if (isRefusal(result)) return result;
    }
    return entry;
  }

  /** Imports an export; readers see its events like any others. */
  async function adoptFile(path: string, parts?: AdoptParts): Promise<AdoptResult> {
    try {
      return await adopt(log, path, parts, secrets);
    } finally {
      await tail.pull();
    }
  }

  async function markAbsent(thread: string, participant: string) {
    const loaded = await states.load(thread);
    const departure = loaded && departureCommand(loaded.state, participant, presence.of(thread));
    if (departure) await handle(departure.actor, departure.command);
  }

  function repeatPresence() {
    for (const { thread, presence: entry } of presence.listConnected()) {
      announce({ thread, type: 'presence.updated', content: entry });
    }
  }

  /** Sends something live to everyone on this log, here and on other servers. */
  function sendLive(item: LiveMessage) {
    tail.publishLive(item);
    announce(item);
  }

  function announce(item: LiveMessage) {
    // Live messages may be lost: everything that matters is in the log.
    log.announce(JSON.stringify(item)).catch(() => {});
  }

  function onAnnouncement(text: string) {
    const item: LiveItem = JSON.parse(text);
    if (manifest.get(item.type)?.durable !== false) return;
    if (item.type === 'presence.updated') presence.applyRemote(item.thread, item.content);
    tail.publishLive(item);
  }

  /** `onProgress` receives the progress of updating rows written by an earlier version. */
  function startWork(onProgress?: OnRowsProgress) {
    runner.start();
    rows.start(onProgress, () => void jobs.resumeListed().catch(report));
    indexer.start();
    void jobs.start().catch(report);
  }

  async function close() {
    for (const timer of timers) clearInterval(timer);
    unlisten();
    await jobs.close();
    await runner.close();
    await indexer.close();
    await rows.close();
    await handler.idle();
  }

  return {
    log,
    tail,
    presence,
    clock,
    secrets,
    appendCounts: appendCounts as ReadonlyMap<string, number>,
    handle,
    /** Checks in advance whether an agent's allowance covers a request that is sent in parts (T23). */
    checkAllowance: allowances.check,
    agentLimits,
    /** The model of a mind or an auditor for which no other is set. */
    defaultModel: parts.defaultModel ?? (() => 'small'),
    /** Files that people and agents attach to what they say. */
    uploads,
    state: states.load,
    stateAt: states.at,
    index,
    people,
    pins,
    profiles,
    personas,
    /** The imported part of a thread, and whether it waits for a human. */
    imports,
    declare,
    presencesOf,
    sendLive,
    /** Updates rows written by an earlier version, as far as a moment allows. */
    updateRows: rows.updateOnOpen,
    /** Starts running reactions and jobs; only the serving process does this. */
    startWork,
    search: createSearch({ log, indexer, load: states.load }),
    rebuild: (onProgress?: (events: number, total: number) => void) => rebuildAll(log, onProgress),
    adopt: adoptFile,
    close,
  };
}

export type Engine = Awaited<ReturnType<typeof createEngine>>;
