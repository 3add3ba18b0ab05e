import type {
  AuditItem,
  BranchItem,
  DriftPoint,
  EntryItem,
  ExchangeStatus,
  RoundItem,
  TermsHistory,
  WireEvent,
} from '../../../src/client/index.ts';
import { evolveExchange } from '../../../src/core/exchange/evolve.ts';
import { initialExchange } from '../../../src/core/exchange/state.ts';
import { cursorOf, parseCursor } from '../../../src/protocol/cursor.ts';
import { createModeFold } from '../../data/mode-fold.ts';
import { openRoom } from '../../data/room.ts';
import { sleep } from '../../data/sleep.ts';
import { coalesce, createStore } from '../../data/store.ts';
import type { PoolClusters } from '../pool/pool.ts';
import { loadUntilRound, mergeNewest } from './paging.ts';
import { type LiveAudit, type SpokenCall, spokenCallOf } from './progress.ts';
import { exchangeViews } from './views.ts';

const PAGE_SIZE = 40;
const REFRESH_OVERLAP = 5;
const MAX_PAGE_SIZE = 1000;
const DRIFT_ROUNDS = 400;
const CLUSTER_THOUGHTS = 300;
/** The page need not refresh as fast as minds think. */
const THROTTLE_MS = 150;
/** Events after which the entries between rounds are reloaded. */
const ENTRY_EVENTS = /^(injection|observer|audit|auditor|restart|branch)\./;
/** More than the minds of one round can have written. */
const ROUND_EVENTS = 200;

/** The timeline's contents, newest first. */
export interface TimelineData {
  readonly rounds: readonly RoundItem[];
  readonly audits: readonly AuditItem[];
  readonly entries: readonly EntryItem[];
}

/** The live data of one open exchange: its status, its rounds as they arrive, its terms and branches. */
export function openLiveExchange(id: string, me: string) {
  const room = openRoom(id, { load, onEvents: applyEvents, onConnect: () => void refresh() });
  const { remote, loadState, open, close, runQuietly, isClosed } = room;
  const fold = createModeFold(remote, { kind: 'exchange', initial: initialExchange, evolve: evolveExchange });
  const queries = exchangeViews(remote.exchange, fold);
  const status = createStore<ExchangeStatus | undefined>(undefined);
  const timeline = createStore<TimelineData>({ rounds: [], audits: [], entries: [] });
  const drift = createStore<readonly DriftPoint[]>([]);
  const clusters = createStore<PoolClusters | undefined>(undefined);
  const terms = createStore<TermsHistory | undefined>(undefined);
  const branches = createStore<readonly BranchItem[]>([]);
  /** What minds have said in the round under way, and an audit that is written but not yet part of the timeline. */
  const spoken = createStore<readonly SpokenCall[]>([]);
  const writtenAudit = createStore<LiveAudit | undefined>(undefined);
  /** Which parts have changed since they were last loaded. */
  const stale = { said: true, terms: true, branches: true, thoughts: true };

  async function load(isNewLog: boolean): Promise<number> {
    if (isNewLog) await fold.load();
    Object.assign(stale, { said: true, terms: true, branches: true, thoughts: true });
    const initialStatus = await queries.status();
    const [driftHistory] = await Promise.all([queries.drift({ latest: DRIFT_ROUNDS }), refreshAll(initialStatus)]);
    drift.set(driftHistory.rounds);
    const head = headSeq(initialStatus);
    spoken.set(initialStatus.spoken > 0 ? await loadSpoken(head, initialStatus.round + 1) : []);
    return head;
  }

  /** The round under way is in no view; its events are the newest. */
  async function loadSpoken(head: number, round: number): Promise<readonly SpokenCall[]> {
    const after = cursorOf('thread', Math.max(0, head - ROUND_EVENTS));
    const { events } = await remote.events({ after, limit: ROUND_EVENTS });
    return events.flatMap((event) => spokenCallOf(event) ?? []).filter((call) => call.round === round);
  }

  /** Reloads the parts that have changed, and sets the status last, so that it is never ahead of them. */
  async function refreshAll(newStatus: ExchangeStatus): Promise<void> {
    const wasStale = { ...stale };
    Object.assign(stale, { said: false, terms: false, branches: false, thoughts: false });
    try {
      const [newEntries, newRounds, newTerms, branchTree, newClusters] = await Promise.all([
        wasStale.said ? loadEntries() : undefined,
        wasStale.thoughts ? loadRounds(newStatus.round, timeline.get().rounds.length) : loadRounds(newStatus.round, 0),
        wasStale.terms ? queries.terms() : undefined,
        wasStale.branches ? queries.branches() : undefined,
        queries.clusters({ latest: CLUSTER_THOUGHTS }),
      ]);
      timeline.set((previous) => ({ ...previous, ...newEntries, rounds: newRounds }));
      drift.set((previous) => appendDrift(previous, newRounds));
      clusters.set(newClusters);
      if (newTerms) terms.set(newTerms);
      if (branchTree) branches.set(branchTree.branches);
      status.set(newStatus);
    } catch (error) {
      for (const name of Object.keys(wasStale) as (keyof typeof wasStale)[]) stale[name] ||= wasStale[name];
      throw error;
    }
  }

  const refresh = coalesce(async () => {
    if (isClosed()) return;
    await runQuietly(async () => refreshAll(await queries.status()));
    await sleep(THROTTLE_MS);
  });

  function applyEvents(events: readonly WireEvent[]): void {
    fold.apply(events);
    showWritten(events);
    for (const { type } of events) {
      if (ENTRY_EVENTS.test(type)) stale.said = true;
      if (type === 'terms.set') stale.terms = true;
      if (type === 'thread.forked' || type === 'branch.begun' || type === 'rounds.ended') stale.branches = true;
      if (type === 'thought.vetoed' || type === 'thought.unvetoed') stale.thoughts = true;
    }
    void refresh();
  }

  /** Shows at once what was just written, where it was seen being written; the views follow a moment later. */
  function showWritten(events: readonly WireEvent[]): void {
    const calls = events.flatMap((event) => spokenCallOf(event) ?? []);
    const newest = timeline.get().rounds[0]?.round ?? 0;
    if (calls.length > 0) spoken.set((previous) => [...previous.filter(({ round }) => round > newest), ...calls]);
    const audit = events.findLast(({ type }) => type === 'audit.written');
    if (audit) writtenAudit.set(audit.content as unknown as LiveAudit);
  }

  /** The loaded rounds plus newer ones; `rereadCount` of the loaded ones are fetched again. */
  async function loadRounds(newest: number, rereadCount: number): Promise<readonly RoundItem[]> {
    const knownRounds = timeline.get().rounds;
    const newestKnown = knownRounds[0]?.round ?? 0;
    const missingCount = knownRounds.length === 0 ? PAGE_SIZE : newest - newestKnown;
    const limit = Math.min(
      MAX_PAGE_SIZE,
      Math.max(missingCount, rereadCount === 0 ? 0 : missingCount + rereadCount, 0),
    );
    if (limit === 0) return knownRounds;
    const { rounds } = await queries.rounds({ limit: Math.max(limit, REFRESH_OVERLAP) });
    const oldest = rounds.at(-1)?.round ?? 0;
    // After a long absence there would be a gap, so older rounds are dropped and load again on scrolling.
    if (knownRounds.length > 0 && oldest > newestKnown + 1) return rounds;
    return [...rounds, ...timeline.get().rounds.filter(({ round }) => round < oldest)];
  }

  async function loadEntries(): Promise<Pick<TimelineData, 'audits' | 'entries'>> {
    const loaded = timeline.get();
    const [{ audits }, { entries }] = await Promise.all([
      queries.audits({ limit: Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, loaded.audits.length + REFRESH_OVERLAP)) }),
      queries.entries({
        limit: Math.min(MAX_PAGE_SIZE, Math.max(4 * PAGE_SIZE, loaded.entries.length + 4 * REFRESH_OVERLAP)),
      }),
    ]);
    return {
      audits: mergeNewest(audits, loaded.audits, ({ audit }) => audit),
      entries: mergeNewest(entries, loaded.entries, ({ entry }) => entry),
    };
  }

  /** Loads older rounds on scrolling. */
  const showOlder = coalesce(() => runQuietly(() => loadOlder(PAGE_SIZE)));

  async function loadOlder(limit: number): Promise<void> {
    const before = timeline.get().rounds.at(-1)?.round ?? 1;
    if (before <= 1) return;
    const { rounds } = await queries.rounds({ before, limit });
    const loaded = timeline.get();
    const untilRound = rounds.at(-1)?.round ?? 1;
    const [audits, entries] = await Promise.all([
      loadUntilRound(
        loaded.audits,
        untilRound,
        async (last) => (await queries.audits({ before: last?.audit, limit: PAGE_SIZE })).audits,
      ),
      loadUntilRound(
        loaded.entries,
        untilRound,
        async (last) => (await queries.entries({ before: last?.entry, limit: MAX_PAGE_SIZE })).entries,
      ),
    ]);
    timeline.set((latest) => ({
      rounds: latest.rounds.at(-1)?.round === before ? [...latest.rounds, ...rounds] : latest.rounds,
      audits: mergeNewest(latest.audits, audits, ({ audit }) => audit),
      entries: mergeNewest(latest.entries, entries, ({ entry }) => entry),
    }));
  }

  /** Loads older rounds until a place of the timeline is there. */
  async function loadUntil(isLoaded: (rounds: readonly RoundItem[]) => boolean): Promise<void> {
    await runQuietly(async () => {
      while (!isClosed() && !isLoaded(timeline.get().rounds) && (timeline.get().rounds.at(-1)?.round ?? 1) > 1)
        await loadOlder(250);
    });
  }

  return {
    id,
    me,
    remote,
    queries,
    loadState,
    status,
    timeline,
    drift,
    clusters,
    terms,
    branches,
    spoken,
    writtenAudit,
    liveTexts: room.liveTexts,
    open,
    close,
    showOlder,
    loadUntil,
  };
}

export type LiveExchange = ReturnType<typeof openLiveExchange>;

export function headSeq({ head }: ExchangeStatus): number {
  return Number(parseCursor('thread', head));
}

function appendDrift(previous: readonly DriftPoint[], rounds: readonly RoundItem[]): readonly DriftPoint[] {
  const last = previous.at(-1)?.round ?? 0;
  const newPoints = rounds.filter(({ round }) => round > last).map(({ round, drift }) => ({ round, ...drift }));
  return newPoints.length === 0 ? previous : [...previous, ...newPoints.reverse()].slice(-DRIFT_ROUNDS);
}
