import type { WireEvent } from '../../../src/client/index.ts';
import { placeOf } from '../../../src/protocol/cursor.ts';
import { followWhileSeen } from '../../data/follow.ts';
import { createOpening, rest } from '../../data/room-loader.tsx';
import { client } from '../../data/session.ts';
import { createStore, oneAtATime } from '../../data/store.ts';
import type { Clusters } from '../pool/pool.ts';
import { further, renewed } from './paging.ts';
import {
  type Audit,
  type Branch,
  type Drift,
  type Entry,
  type Round,
  readsOf,
  type Status,
  type TermsRead,
} from './queries.ts';

const PAGE = 40;
const FEW = 5;
const MOST = 1000;
const DRIFT = 400;
const THOUGHTS = 300;
/** Minds may be quick; the page needs not be. */
const REST_MS = 150;
/** After these, what is between the rounds is read again. */
const SAID = /^(injection|observer|audit|auditor|restart|branch)\./;

/** What has happened, newest first. */
export interface Happened {
  readonly rounds: readonly Round[];
  readonly audits: readonly Audit[];
  readonly entries: readonly Entry[];
}

/** One exchange as it is being looked at: how it stands, its rounds as they come, its terms and branches. */
export function openExchange(id: string, me: string) {
  const remote = client.thread(id);
  const reads = readsOf(id);
  const opening = createOpening(load);
  const { quietly } = opening;
  const status = createStore<Status | undefined>(undefined);
  const happened = createStore<Happened>({ rounds: [], audits: [], entries: [] });
  const drift = createStore<readonly Drift[]>([]);
  const clusters = createStore<Clusters | undefined>(undefined);
  const terms = createStore<TermsRead | undefined>(undefined);
  const branches = createStore<readonly Branch[]>([]);
  let stop: (() => void) | undefined;
  /** What has changed since it was last read. */
  const stale = { said: true, terms: true, branches: true, thoughts: true };

  async function open(): Promise<void> {
    if (!(await opening.open())) return;
    const after = status.get()?.head ?? 'head';
    stop = followWhileSeen({ remote, after, heard, connected: () => void refresh(), anew });
  }

  function close(): void {
    opening.close();
    stop?.();
  }

  async function anew(): Promise<string> {
    await quietly(load);
    return status.get()?.head ?? 'head';
  }

  async function load(): Promise<void> {
    Object.assign(stale, { said: true, terms: true, branches: true, thoughts: true });
    const first = await reads.status();
    const [measured] = await Promise.all([reads.drift(DRIFT), readRest(first)]);
    drift.set(measured.rounds);
  }

  /** Everything but the status, as far as it has changed; the status last, so that it is never ahead of what is shown. */
  async function readRest(now: Status): Promise<void> {
    const was = { ...stale };
    Object.assign(stale, { said: false, terms: false, branches: false, thoughts: false });
    try {
      const [said, found, current, tree, groups] = await Promise.all([
        was.said ? readSaid() : undefined,
        was.thoughts ? readRounds(now.round, happened.get().rounds.length) : readRounds(now.round, 0),
        was.terms ? reads.terms() : undefined,
        was.branches ? reads.branches() : undefined,
        reads.clusters(THOUGHTS),
      ]);
      happened.set((before) => ({ ...before, ...said, rounds: found }));
      drift.set((before) => measuredWith(before, found));
      clusters.set(groups);
      if (current) terms.set(current);
      if (tree) branches.set(tree.branches);
      status.set(now);
    } catch (error) {
      for (const name of Object.keys(was) as (keyof typeof was)[]) stale[name] ||= was[name];
      throw error;
    }
  }

  const refresh = oneAtATime(async () => {
    if (opening.isClosed()) return;
    await quietly(async () => readRest(await reads.status()));
    await rest(REST_MS);
  });

  function heard(events: readonly WireEvent[]): void {
    for (const { type } of events) {
      if (SAID.test(type)) stale.said = true;
      if (type === 'terms.set') stale.terms = true;
      if (type === 'thread.forked' || type === 'branch.begun' || type === 'rounds.ended') stale.branches = true;
      if (type === 'thought.vetoed' || type === 'thought.unvetoed') stale.thoughts = true;
    }
    void refresh();
  }

  /** The rounds that are loaded with those that came since; `again` of them are read anew. */
  async function readRounds(newest: number, again: number): Promise<readonly Round[]> {
    const known = happened.get().rounds;
    const last = known[0]?.round ?? 0;
    const missing = known.length === 0 ? PAGE : newest - last;
    const limit = Math.min(MOST, Math.max(missing, again === 0 ? 0 : missing + again, 0));
    if (limit === 0) return known;
    const { rounds } = await reads.rounds({ limit: Math.max(limit, FEW) });
    const oldest = rounds.at(-1)?.round ?? 0;
    // After a long absence there would be a gap: what is older is asked for again when somebody goes there.
    if (known.length > 0 && oldest > last + 1) return rounds;
    return [...rounds, ...happened.get().rounds.filter(({ round }) => round < oldest)];
  }

  async function readSaid(): Promise<Pick<Happened, 'audits' | 'entries'>> {
    const known = happened.get();
    const [{ audits }, { entries }] = await Promise.all([
      reads.audits({ limit: Math.min(MOST, Math.max(PAGE, known.audits.length + FEW)) }),
      reads.entries({ limit: Math.min(MOST, Math.max(4 * PAGE, known.entries.length + 4 * FEW)) }),
    ]);
    return {
      audits: renewed(audits, known.audits, ({ audit }) => audit),
      entries: renewed(entries, known.entries, ({ entry }) => entry),
    };
  }

  /** Rounds further back, as somebody goes there. */
  const showOlder = oneAtATime(() => quietly(() => older(PAGE)));

  async function older(limit: number): Promise<void> {
    const before = happened.get().rounds.at(-1)?.round ?? 1;
    if (before <= 1) return;
    const { rounds } = await reads.rounds({ before, limit });
    const known = happened.get();
    const down = rounds.at(-1)?.round ?? 1;
    const [audits, entries] = await Promise.all([
      further(known.audits, down, async (last) => (await reads.audits({ before: last?.audit, limit: PAGE })).audits),
      further(known.entries, down, async (last) => (await reads.entries({ before: last?.entry, limit: MOST })).entries),
    ]);
    happened.set((now) => ({
      rounds: now.rounds.at(-1)?.round === before ? [...now.rounds, ...rounds] : now.rounds,
      audits: renewed(now.audits, audits, ({ audit }) => audit),
      entries: renewed(now.entries, entries, ({ entry }) => entry),
    }));
  }

  /** Sees to it that a place of the timeline is loaded. */
  async function reach(found: (rounds: readonly Round[]) => boolean): Promise<void> {
    await quietly(async () => {
      while (!opening.isClosed() && !found(happened.get().rounds) && (happened.get().rounds.at(-1)?.round ?? 1) > 1)
        await older(250);
    });
  }

  return {
    id,
    me,
    remote,
    reads,
    opened: opening.opened,
    status,
    happened,
    drift,
    clusters,
    terms,
    branches,
    open,
    close,
    showOlder,
    reach,
  };
}

export type Live = ReturnType<typeof openExchange>;

export function seqOf({ head }: Status): number {
  return Number(placeOf('thread', head));
}

function measuredWith(before: readonly Drift[], rounds: readonly Round[]): readonly Drift[] {
  const last = before.at(-1)?.round ?? 0;
  const fresh = rounds.filter(({ round }) => round > last).map(({ round, drift }) => ({ round, ...drift }));
  return fresh.length === 0 ? before : [...before, ...fresh.reverse()].slice(-DRIFT);
}
