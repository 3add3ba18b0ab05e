import type { z } from 'zod';
import { emptyPool, type Pool } from '../pool/state.ts';
import type { Waiting } from '../runs/wait.ts';
import type { Hunk } from '../text/diff.ts';
import type { Growing } from '../util/growing-list.ts';
import { type Budget, type Config, DEFAULTS } from './config.ts';
import type * as events from './events.ts';
import { type Draft, Drafts } from './turns/drafts.ts';
import type { Seen } from './turns/seen-ranges.ts';

export type Engagement = z.infer<typeof events.engagement>;
export type IterationContent = z.infer<typeof events.iterationEnded>;
export type LateContent = z.infer<typeof events.iterationLate>;

/** One message of a person and what became of it. */
export interface Turn {
  readonly turn: number;
  readonly text: string;
  readonly by: string;
  /** It came in by an import, and so did whoever it is by. */
  readonly imported?: true;
  readonly ts: string;
  /** The seq of the event that opened it: a fork before it is a new topic beside it (D6). */
  readonly opened: number;
  /** Iterations there had been. */
  readonly iter: number;
  readonly notes: readonly Note[];
  readonly drafts: Drafts;
  readonly seen: Seen;
  /** Drafts up to this index left the mind's window (D19). */
  readonly cleared: number;
  readonly counts: Counts;
  readonly end?: TurnEnd;
}

/** A steering note. */
export interface Note {
  readonly text: string;
  readonly by: string;
  readonly iter: number;
}

/** What the stop rules and attention go by, kept as it changes. */
export interface Counts {
  /** Iterations in this turn. */
  readonly iterations: number;
  /** Indices of the latest reply and the latest `+1`; 0 when there is none. */
  readonly reply: number;
  readonly soft: number;
  /** Times the latest reply was endorsed. */
  readonly endorsed: number;
  /** Iterations since the latest reply was written. */
  readonly unchanged: number;
  /**
   * In a row, up to now: neither thought nor draft with a reply present; no draft or `+1`; malformed or failed. The
   * first and the last count within a run only.
   */
  readonly silences: number;
  readonly quiet: number;
  readonly failures: number;
  /** The last iteration brought no draft with a reply present (D9). */
  readonly hard: boolean;
}

export type TurnEnd =
  | { readonly kind: 'withdrawn'; readonly by: string; readonly ts: string; readonly seq: number }
  | {
      readonly kind: 'accepted';
      readonly by: string;
      readonly ts: string;
      readonly seq: number;
      readonly iter: number;
      readonly draft: number;
      /** As accepted: the draft's text, or what the person made of it. */
      readonly text: string;
      readonly difference?: readonly Hunk[];
      readonly auto?: { readonly after: number; readonly set_by: string };
    };

export interface Run {
  readonly run: number;
  readonly state: 'running' | 'paused' | 'ended';
  readonly turn: number;
  readonly by: string;
  readonly iterations?: number;
  readonly silences: number;
  /** It ends at the first hard signal or `+1`. */
  readonly untilSignal?: true;
  readonly budget: Budget;
  /** Iterations of it so far. */
  readonly done: number;
  /** Since it was started or last resumed. */
  readonly spent: Spent;
  readonly resumed: number;
  /** The event by which a human last let it run. */
  readonly asked: string;
  /** Until its model can answer again (D31). */
  readonly waiting?: Waiting;
  readonly reason?: string;
  /** A sentence. */
  readonly why?: string;
}

export interface Spent {
  readonly since: string;
  readonly iterations: number;
  readonly tokens: number;
  readonly money: number;
}

/** An iteration as it stands in the log, and where. */
export interface Iteration {
  readonly event: string;
  readonly ts: string;
  readonly content: IterationContent;
  /** The ids of its thoughts begin behind this one. */
  readonly thoughtsAfter: number;
}

/** What a dialogue has come to. Everything that grows does so in constant time. */
export interface Dialogue {
  readonly config: Config;
  /** Who set `auto_accept`. */
  readonly autoAcceptBy: string;
  readonly pool: Pool;
  /** Thoughts up to this one have been looked at for clusters. */
  readonly clustered: number;
  readonly iterations: Growing<Iteration>;
  /** Turns that are over, in order: turn n at n - 1. */
  readonly turns: Growing<Turn>;
  /** Numbers of the accepted ones. */
  readonly accepted: Growing<number>;
  /** The turn that waits for an answer. */
  readonly open?: Turn;
  readonly run?: Run;
  /** Runs there have been, those of the thread it was forked from included. */
  readonly runs: number;
  readonly engagement: Engagement;
  /** Turns up to this one are hidden from the mind (D7). */
  readonly pruned: number;
  readonly late: number;
  /** Agents may not write now (T7). */
  readonly held: boolean;
  /** How often it was: what was called off then is asked for under another key. */
  readonly holds: number;
}

export function initialDialogue(): Dialogue {
  return {
    config: DEFAULTS,
    autoAcceptBy: '',
    pool: emptyPool,
    clustered: 0,
    iterations: [],
    turns: [],
    accepted: [],
    runs: 0,
    engagement: 'absent',
    pruned: 0,
    late: 0,
    held: false,
    holds: 0,
  };
}

const NO_COUNTS: Counts = {
  iterations: 0,
  reply: 0,
  soft: 0,
  endorsed: 0,
  unchanged: 0,
  silences: 0,
  quiet: 0,
  failures: 0,
  hard: false,
};

export function newTurn(turn: Pick<Turn, 'turn' | 'text' | 'by' | 'ts' | 'opened' | 'iter'>): Turn {
  return { ...turn, notes: [], drafts: Drafts.none, seen: [], cleared: 0, counts: NO_COUNTS };
}

export function iterOf(state: Dialogue): number {
  return state.iterations.length;
}

/** A turn that is over, or the one that waits. */
export function turnOf(state: Dialogue, turn: number): Turn | undefined {
  return state.open?.turn === turn ? state.open : turn >= 1 ? state.turns.at(turn - 1) : undefined;
}

/** The latest iteration of the turn that waits brought nothing at all from the model (D28). */
export function isAnswerEmpty({ iterations, open }: Dialogue): boolean {
  const last = iterations.at(-1)?.content;
  return last?.empty === true && last.turn === open?.turn;
}

export function latestReply({ drafts, counts }: Turn): Draft | undefined {
  return drafts.get(counts.reply);
}

/** What an iteration adds up to; the decision on it and the fold of it count alike. */
export function counted(
  counts: Counts,
  { outcome, draft, thoughts }: Pick<IterationContent, 'outcome' | 'draft' | 'thoughts'>,
): Counts {
  const replied = outcome === 'draft';
  const soft = draft?.signal === 'soft';
  const failed = outcome === 'malformed' || outcome === 'error';
  const hard = outcome === 'silence' && counts.reply > 0;
  return {
    iterations: counts.iterations + 1,
    reply: replied && draft ? draft.index : counts.reply,
    soft: soft ? draft.index : counts.soft,
    endorsed: replied ? 0 : counts.endorsed + (soft ? 1 : 0),
    unchanged: replied ? 0 : counts.unchanged + 1,
    // Thoughts go on: only an iteration without any counts towards the end of a run (D29).
    silences: hard && thoughts.length === 0 ? counts.silences + 1 : 0,
    // A failed iteration says nothing: it neither counts nor breaks the row.
    quiet: failed ? counts.quiet : (hard || soft) && counts.reply > 0 ? counts.quiet + 1 : 0,
    failures: failed ? counts.failures + 1 : 0,
    hard,
  };
}
