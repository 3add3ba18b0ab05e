import type { Engagement } from '../../core/dialogue/state.ts';
import type { Cli } from '../cli.ts';
import { send } from '../threads/send.ts';

/** After this long without a key press a person counts as only reading. The page uses the same limit. */
const IDLE_MS = 120_000;
/** A draft counts as seen after this long on the screen. */
const SEEN_AFTER_MS = 800;

/** Reports a person's attention and the drafts they saw, as the page does (D15, D32). Ignores failures. */
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

  /** Called with the unseen drafts of a turn that are now on the screen. */
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

  /** Sends all pending drafts in one command. */
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
