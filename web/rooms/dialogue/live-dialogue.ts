import type { WireEvent } from '../../../src/client/index.ts';
import { placeOf } from '../../../src/protocol/cursor.ts';
import { followWhileSeen } from '../../data/follow.ts';
import { createOpening } from '../../data/room-loader.tsx';
import { client } from '../../data/session.ts';
import { createStore, oneAtATime } from '../../data/store.ts';
import { type Buffer, heardDraft, markSeen } from './drafts/buffer.ts';
import { type Away, type Pair, readsOf, type Status } from './queries.ts';

const PAGE = 60;
const PAIRS = 20;
/** These begin or end a turn, or change what was said before. */
const TURNS = new Set(['turn.opened', 'turn.accepted', 'turn.withdrawn', 'history.pruned']);

const EMPTY: Buffer = {
  turn: null,
  drafts: [],
  total: 0,
  began: 0,
  failed: new Map(),
  empty: new Set(),
  small: new Set(),
};

/** One dialogue as it is being looked at: how it stands, its drafts as they come, what was accepted before. */
export function openTalk(id: string, me: string) {
  const remote = client.thread(id);
  const reads = readsOf(id);
  const status = createStore<Status | undefined>(undefined);
  const buffer = createStore<Buffer>(EMPTY);
  const history = createStore<{ readonly pairs: readonly Pair[]; readonly more: boolean }>({ pairs: [], more: false });
  const away = createStore<Away | undefined>(undefined);
  /** Changes whenever thoughts or their clusters did. */
  const thoughts = createStore(0);
  const opening = createOpening(begin);
  const { quietly } = opening;
  let stop: (() => void) | undefined;
  let after = 'head';
  let loading = false;

  const refreshStatus = oneAtATime(() => quietly(async () => status.set(await reads.status())));
  const reload = oneAtATime(async () => {
    loading = true;
    await quietly(load);
    loading = false;
  });

  async function load(): Promise<void> {
    const [now, page, past, iterations] = await Promise.all([
      reads.status(),
      reads.drafts({ limit: PAGE }),
      reads.history({ limit: PAIRS }),
      reads.iterations({ limit: PAGE }),
    ]);
    const began = now.iter - (now.turn?.iterations ?? 0);
    const mine = iterations.iterations.filter(({ iter }) => iter > began);
    buffer.set({
      turn: page.turn,
      drafts: page.drafts,
      total: page.total,
      began,
      failed: new Map(mine.flatMap(({ iter, problem }) => (problem === undefined ? [] : [[iter, problem]]))),
      empty: new Set(mine.flatMap(({ iter, empty }) => (empty ? [iter] : []))),
      small: new Set(iterations.iterations.flatMap(({ iter, small }) => (small ? [iter] : []))),
    });
    history.set({ pairs: past.turns, more: past.turns.length === PAIRS });
    status.set(now);
    after = [page.head, now.head].reduce((a, b) => (place(a) < place(b) ? a : b));
    thoughts.set((count) => count + 1);
  }

  async function open(): Promise<void> {
    if (!(await opening.open())) return;
    stop = followWhileSeen({ remote, after, back, heard, connected: () => void refreshStatus(), anew });
  }

  /** What came meanwhile is asked for before anything is on the screen, and so seen. */
  async function begin(): Promise<void> {
    const missed = await reads.away();
    await load();
    away.set(missed);
  }

  function close(): void {
    opening.close();
    stop?.();
  }

  /** Whoever comes back is told what came meanwhile, as whoever opens the room is. */
  async function back(): Promise<void> {
    await quietly(async () => away.set(await reads.away()));
  }

  async function anew(): Promise<string> {
    await reload();
    return after;
  }

  function heard(events: readonly WireEvent[]): void {
    // What is being read may be older than this.
    if (loading || events.some(({ type }) => TURNS.has(type))) return void reload();
    let now = buffer.get();
    for (const event of events) {
      if (event.type === 'iteration.ended') {
        const next = heardDraft(now, event);
        if (!next) return void reload(); // Something between is missing.
        now = next;
      } else if (event.type === 'drafts.seen') now = markSeen(now, event);
    }
    buffer.set(now);
    const thought = events.some(({ type }) => type === 'iteration.ended' || type === 'thought.clustered');
    if (thought) thoughts.set((count) => count + 1);
    void refreshStatus();
  }

  /** Drafts further back, as somebody scrolls to them. */
  const showOlder = oneAtATime(() =>
    quietly(async () => {
      const { drafts, turn, total } = buffer.get();
      const last = drafts.at(-1)?.index ?? 1;
      if (last <= 1 || drafts.length >= total) return;
      const page = await reads.drafts({ before: last, limit: PAGE, ...(turn !== null && { turn }) });
      buffer.set((now) =>
        now.turn === page.turn && now.drafts.at(-1)?.index === last
          ? { ...now, drafts: [...now.drafts, ...page.drafts] }
          : now,
      );
    }),
  );

  const showEarlier = oneAtATime(() =>
    quietly(async () => {
      const before = history.get().pairs.at(-1)?.turn;
      if (before === undefined) return;
      const { turns } = await reads.history({ before, limit: PAIRS });
      history.set((now) => ({ pairs: [...now.pairs, ...turns], more: turns.length === PAIRS }));
    }),
  );

  return {
    id,
    me,
    remote,
    reads,
    opened: opening.opened,
    status,
    buffer,
    history,
    away,
    thoughts,
    open,
    close,
    showOlder,
    showEarlier,
  };
}

function place(cursor: string): number {
  return Number(placeOf('thread', cursor));
}

export type Talk = ReturnType<typeof openTalk>;
