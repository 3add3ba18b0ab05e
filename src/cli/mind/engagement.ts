import type { Engagement } from '../../core/dialogue/state.ts';
import type { Cli } from '../cli.ts';
import { send } from '../threads/send.ts';

/** Without a key for this long, a person only reads; the page says the same. */
const IDLE_MS = 120_000;
/** A draft that stood on the screen for this long was seen. */
const SEEN_AFTER_MS = 800;

/** Tells the mind how a person attends and what they saw, as the page does (D15, D32). It is no more than an aid. */
export function createEngagementTracker(cli: Cli) {
  let pendingSends: Promise<unknown> = Promise.resolve();
  let lastEngagement: Engagement | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let turn: number | undefined;
  const seenTimers = new Map<number, NodeJS.Timeout>();
  let unsentSeen = new Set<number>();
  const reportedSeen = new Set<number>();

  function reportEngagement(engagement: Engagement) {
    if (lastEngagement === engagement) return;
    lastEngagement = engagement;
    pendingSends = pendingSends.then(() => send(cli, 'engagement', { engagement })).catch(() => {});
  }

  /** A key was pressed. */
  function onKey() {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(reportEngagement, IDLE_MS, 'reviewing').unref();
    reportEngagement('engaged');
  }

  /** Drafts of a turn that are on the screen now and were not seen yet. */
  function onDraftsShown(shownTurn: number | undefined, drafts: readonly number[]) {
    if (shownTurn !== turn) {
      clear();
      reportedSeen.clear();
      turn = shownTurn;
    }
    for (const [index, timer] of seenTimers) {
      if (drafts.includes(index)) continue;
      clearTimeout(timer);
      seenTimers.delete(index);
    }
    for (const index of drafts) {
      if (seenTimers.has(index) || reportedSeen.has(index)) continue;
      seenTimers.set(index, setTimeout(markSeen, SEEN_AFTER_MS, index).unref());
    }
  }

  function markSeen(index: number) {
    seenTimers.delete(index);
    reportedSeen.add(index);
    unsentSeen.add(index);
    pendingSends = pendingSends.then(sendSeen).catch(() => {});
  }

  /** What came together goes together. */
  async function sendSeen() {
    if (unsentSeen.size === 0 || turn === undefined) return;
    const drafts = [...unsentSeen];
    unsentSeen = new Set();
    await send(cli, 'seen', { drafts, turn });
  }

  function clear() {
    for (const timer of seenTimers.values()) clearTimeout(timer);
    seenTimers.clear();
    unsentSeen = new Set();
  }

  async function leave() {
    clearTimeout(idleTimer);
    clear();
    reportEngagement('absent');
    await pendingSends;
  }

  reportEngagement('reviewing');
  return { onKey, onDraftsShown, leave };
}
