import type { Engagement } from '../../core/dialogue/state.ts';
import type { Cli } from '../cli.ts';
import { send } from '../threads/send.ts';

/** Without a key for this long, a person only reads; the page says the same. */
const IDLE_MS = 120_000;
/** A draft that stood on the screen for this long was seen. */
const LOOKED_MS = 800;

/** Tells the mind how a person attends and what they saw, as the page does (D15, D32). It is no more than an aid. */
export function createAttending(cli: Cli) {
  let sending: Promise<unknown> = Promise.resolve();
  let told: Engagement | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: number | undefined;
  const waiting = new Map<number, NodeJS.Timeout>();
  let looked = new Set<number>();
  const noted = new Set<number>();

  function tell(engagement: Engagement) {
    if (told === engagement) return;
    told = engagement;
    sending = sending.then(() => send(cli, 'engagement', { engagement })).catch(() => {});
  }

  /** A key was pressed. */
  function use() {
    clearTimeout(idle);
    idle = setTimeout(tell, IDLE_MS, 'reviewing').unref();
    tell('engaged');
  }

  /** Drafts of a turn that are on the screen now and were not seen yet. */
  function show(shownTurn: number | undefined, drafts: readonly number[]) {
    if (shownTurn !== turn) {
      clear();
      noted.clear();
      turn = shownTurn;
    }
    for (const [index, timer] of waiting) {
      if (drafts.includes(index)) continue;
      clearTimeout(timer);
      waiting.delete(index);
    }
    for (const index of drafts) {
      if (waiting.has(index) || noted.has(index)) continue;
      waiting.set(index, setTimeout(note, LOOKED_MS, index).unref());
    }
  }

  function note(index: number) {
    waiting.delete(index);
    noted.add(index);
    looked.add(index);
    sending = sending.then(sendSeen).catch(() => {});
  }

  /** What came together goes together. */
  async function sendSeen() {
    if (looked.size === 0 || turn === undefined) return;
    const drafts = [...looked];
    looked = new Set();
    await send(cli, 'seen', { drafts, turn });
  }

  function clear() {
    for (const timer of waiting.values()) clearTimeout(timer);
    waiting.clear();
    looked = new Set();
  }

  async function leave() {
    clearTimeout(idle);
    clear();
    tell('absent');
    await sending;
  }

  tell('reviewing');
  return { use, show, leave };
}
