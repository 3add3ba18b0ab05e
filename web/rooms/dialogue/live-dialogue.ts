import type { AcceptedPair, AwayDigest, DialogueStatus, WireEvent } from '../../../src/client/index.ts';
import type { DialogueEvent } from '../../../src/core/dialogue/events.ts';
import { evolveDialogue } from '../../../src/core/dialogue/evolve.ts';
import { initialDialogue } from '../../../src/core/dialogue/state.ts';
import { readEvent } from '../../../src/core/events/read.ts';
import { parseCursor } from '../../../src/protocol/cursor.ts';
import { createModeFold } from '../../data/mode-fold.ts';
import { openRoom } from '../../data/room.ts';
import { coalesce, createStore } from '../../data/store.ts';
import { addIteration, type DraftBuffer, markSeen } from './drafts/buffer.ts';
import { dialogueViews } from './views.ts';

const PAGE_SIZE = 60;
const HISTORY_PAGE_SIZE = 20;
/** Events that begin or end a turn, or change the history. */
const TURN_EVENTS = new Set(['turn.opened', 'turn.accepted', 'turn.withdrawn', 'history.pruned']);

const EMPTY_BUFFER: DraftBuffer = {
  turn: null,
  drafts: [],
  total: 0,
  startIter: 0,
  failed: new Map(),
  empty: new Set(),
  small: new Set(),
};

/** The live data of one open dialogue: its status, its drafts as they arrive, and its history. */
export function openLiveDialogue(id: string, me: string) {
  const room = openRoom(id, {
    load: loadWithAway,
    onEvents: applyEvents,
    onConnect: () => void refreshStatus(),
    onReturn: refreshAway,
  });
  const { remote, loadState, open, close, reload, runQuietly } = room;
  const fold = createModeFold(remote, { kind: 'dialogue', initial: initialDialogue, evolve: evolveDialogue });
  const queries = dialogueViews(remote.dialogue, fold);
  const status = createStore<DialogueStatus | undefined>(undefined);
  const buffer = createStore<DraftBuffer>(EMPTY_BUFFER);
  const history = createStore<{ readonly pairs: readonly AcceptedPair[]; readonly hasMore: boolean }>({
    pairs: [],
    hasMore: false,
  });
  const away = createStore<AwayDigest | undefined>(undefined);
  const newestThought = createStore<string | undefined>(undefined);
  /** Increases whenever thoughts or their clusters change. */
  const thoughtsRevision = createStore(0);

  const refreshStatus = coalesce(() => runQuietly(async () => status.set(await queries.status())));

  async function load(): Promise<number> {
    const [newStatus, draftPage, historyPage, iterationPage] = await Promise.all([
      queries.status(),
      queries.drafts({ limit: PAGE_SIZE }),
      queries.history({ limit: HISTORY_PAGE_SIZE }),
      queries.iterations({ limit: PAGE_SIZE }),
    ]);
    const startIter = newStatus.iter - (newStatus.turn?.iterations ?? 0);
    const turnIterations = iterationPage.iterations.filter(({ iter }) => iter > startIter);
    buffer.set({
      turn: draftPage.turn,
      drafts: draftPage.drafts,
      total: draftPage.total,
      startIter,
      failed: new Map(
        turnIterations.flatMap(({ iter, problem, partial }) =>
          problem === undefined ? [] : [[iter, { problem, partial }]],
        ),
      ),
      empty: new Set(turnIterations.flatMap(({ iter, empty }) => (empty ? [iter] : []))),
      small: new Set(iterationPage.iterations.flatMap(({ iter, small }) => (small ? [iter] : []))),
    });
    newestThought.set(iterationPage.iterations.flatMap(({ thoughts }) => thoughts.at(-1)?.text ?? [])[0]);
    history.set({ pairs: historyPage.turns, hasMore: historyPage.turns.length === HISTORY_PAGE_SIZE });
    status.set(newStatus);
    thoughtsRevision.set((count) => count + 1);
    return Math.min(cursorSeq(draftPage.head), cursorSeq(newStatus.head));
  }

  /** Fetches the away digest first: once drafts are on the screen, they count as seen. */
  async function loadWithAway(isNewLog: boolean): Promise<number> {
    if (isNewLog) await fold.load();
    if (status.get()) return load();
    const awayDigest = await queries.away();
    const seq = await load();
    away.set(awayDigest);
    return seq;
  }

  /** Fetches the away digest for a person who returns to an open room. */
  async function refreshAway(): Promise<void> {
    await runQuietly(async () => away.set(await queries.away()));
  }

  function applyEvents(events: readonly WireEvent[]): void {
    fold.apply(events);
    if (events.some(({ type }) => TURN_EVENTS.has(type))) return void reload();
    let current = buffer.get();
    for (const stored of events) {
      const event = readEvent<DialogueEvent>(stored);
      if (event.type === 'iteration.ended') {
        const next = addIteration(current, event);
        if (!next) return void reload(); // There is a gap before this iteration.
        current = next;
        const thought = event.content.thoughts.at(-1);
        if (thought !== undefined) newestThought.set(thought);
      } else if (event.type === 'drafts.seen') current = markSeen(current, event);
    }
    buffer.set(current);
    const hasNewThoughts = events.some(({ type }) => type === 'iteration.ended' || type === 'thought.clustered');
    if (hasNewThoughts) thoughtsRevision.set((count) => count + 1);
    void refreshStatus();
  }

  /** Loads older drafts on demand. */
  const showOlder = coalesce(() =>
    runQuietly(async () => {
      const { drafts, turn, total } = buffer.get();
      const last = drafts.at(-1)?.index ?? 1;
      if (last <= 1 || drafts.length >= total) return;
      const page = await queries.drafts({ before: last, limit: PAGE_SIZE, ...(turn !== null && { turn }) });
      buffer.set((current) =>
        current.turn === page.turn && current.drafts.at(-1)?.index === last
          ? { ...current, drafts: [...current.drafts, ...page.drafts] }
          : current,
      );
    }),
  );

  const showEarlier = coalesce(() =>
    runQuietly(async () => {
      const before = history.get().pairs.at(-1)?.turn;
      if (before === undefined) return;
      const { turns } = await queries.history({ before, limit: HISTORY_PAGE_SIZE });
      history.set((current) => ({ pairs: [...current.pairs, ...turns], hasMore: turns.length === HISTORY_PAGE_SIZE }));
    }),
  );

  return {
    id,
    me,
    remote,
    queries,
    loadState,
    /** What the mind writes right now. */
    liveTexts: room.liveTexts,
    status,
    buffer,
    history,
    away,
    newestThought,
    thoughtsRevision,
    open,
    close,
    showOlder,
    showEarlier,
  };
}

function cursorSeq(cursor: string): number {
  return Number(parseCursor('thread', cursor));
}

export type LiveDialogue = ReturnType<typeof openLiveDialogue>;
