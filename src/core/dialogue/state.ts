import type { z } from 'zod';
import type { Attachment } from '../attachments/attachment.ts';
import type { ContentOf } from '../events/define.ts';
import { emptyPool, type ThoughtPool } from '../pool/state.ts';
import type { Run } from '../runs/run.ts';
import type { DiffHunk } from '../text/diff.ts';
import type { GrowingList } from '../util/growing-list.ts';
import type { DialogueBudget, DialogueConfig } from './config.ts';
import { DEFAULT_CONFIG } from './default-config.ts';
import type { endReason, engagement, IterationEnded, IterationLate, pauseReason } from './events.ts';
import { type DialogueDraft, DialogueDrafts } from './turns/drafts.ts';
import type { SeenRanges } from './turns/seen-ranges.ts';

export type Engagement = z.infer<typeof engagement>;
export type IterationContent = ContentOf<typeof IterationEnded>;
export type LateContent = ContentOf<typeof IterationLate>;

/** One message from a person and its outcome. */
export interface Turn {
  readonly turn: number;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  readonly by: string;
  /** The turn was imported, and so was its author. */
  readonly imported?: true;
  readonly ts: string;
  /** The seq of the event that opened the turn; a fork just before it starts a new topic (D6). */
  readonly openedSeq: number;
  /** The number of iterations before the turn opened. */
  readonly iter: number;
  readonly notes: readonly SteeringNote[];
  readonly drafts: DialogueDrafts;
  readonly seen: SeenRanges;
  /** Drafts up to this index are no longer in the mind's window (D19). */
  readonly cleared: number;
  readonly counts: TurnCounts;
  readonly end?: TurnEnd;
}

/** A steering note. */
export interface SteeringNote {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  readonly by: string;
  readonly iter: number;
}

/** Counters for the stop rules and attention, updated with every iteration. */
export interface TurnCounts {
  /** Iterations in this turn. */
  readonly iterations: number;
  /** Indices of the latest reply and the latest `+1`; 0 when there is none. */
  readonly reply: number;
  readonly soft: number;
  /** How many times the latest reply was endorsed. */
  readonly endorsed: number;
  /** Iterations since the latest reply was written. */
  readonly unchanged: number;
  /**
   * Three streaks up to now. `silences`: neither thought nor draft while there is a reply. `quiet`: no draft, or `+1`.
   * `failures`: malformed or failed. `silences` and `failures` count within one run only.
   */
  readonly silences: number;
  readonly quiet: number;
  readonly failures: number;
  /** The last iteration had no draft although there is a reply (D9). */
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
      /** The accepted text: the draft's, or the person's edit of it. */
      readonly text: string;
      readonly difference?: readonly DiffHunk[];
      readonly auto?: { readonly after: number; readonly set_by: string };
    };

type StopReason = z.infer<typeof pauseReason | typeof endReason>;

export interface DialogueRun extends Run<DialogueBudget, StopReason> {
  readonly turn: number;
  /** The run ends after this many silent iterations in a row. */
  readonly silences: number;
  /** The run ends at the first hard signal or `+1`. */
  readonly untilSignal?: true;
}

/** One iteration, and its position in the log. */
export interface Iteration {
  readonly event: string;
  readonly ts: string;
  readonly content: IterationContent;
  /** The highest thought id before this iteration; its own thoughts follow. */
  readonly thoughtsAfter: number;
}

/** The state of a dialogue. Adding to any of its growing lists takes constant time. */
export interface Dialogue {
  readonly config: DialogueConfig;
  /** The participant who set `auto_accept`. */
  readonly autoAcceptBy: string;
  readonly pool: ThoughtPool;
  /** Clustering has processed the thoughts up to this one. */
  readonly clustered: number;
  readonly iterations: GrowingList<Iteration>;
  /** Closed turns in order: turn n is at n - 1. */
  readonly turns: GrowingList<Turn>;
  /** Numbers of the accepted turns. */
  readonly accepted: GrowingList<number>;
  /** The turn that waits for an accepted reply. */
  readonly open?: Turn;
  readonly run?: DialogueRun;
  /** The number of runs so far, including those of the thread this one was forked from. */
  readonly runs: number;
  readonly engagement: Engagement;
  /** Turns up to this one are hidden from the mind (D7). */
  readonly pruned: number;
  readonly late: number;
  /** Agents may not write now (T7). */
  readonly held: boolean;
  /** The number of holds so far. It is part of job keys, so that jobs cancelled by a hold get a new key. */
  readonly holds: number;
}

export function initialDialogue(): Dialogue {
  return {
    config: DEFAULT_CONFIG,
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

const NO_COUNTS: TurnCounts = {
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

export function newTurn(turn: Pick<Turn, 'turn' | 'text' | 'by' | 'ts' | 'openedSeq' | 'iter'>): Turn {
  return { ...turn, notes: [], drafts: DialogueDrafts.empty, seen: [], cleared: 0, counts: NO_COUNTS };
}

export function iterationCount(state: Dialogue): number {
  return state.iterations.length;
}

/** A closed turn or the open one. */
export function turnOf(state: Dialogue, turn: number): Turn | undefined {
  return state.open?.turn === turn ? state.open : turn >= 1 ? state.turns.at(turn - 1) : undefined;
}

/** The model's latest answer in the open turn was empty (D28). */
export function isAnswerEmpty({ iterations, open }: Dialogue): boolean {
  const last = iterations.at(-1)?.content;
  return last?.empty === true && last.turn === open?.turn;
}

export function latestReply({ drafts, counts }: Turn): DialogueDraft | undefined {
  return drafts.get(counts.reply);
}

/** Updates the counts for one iteration. The decision and the fold both use it, so that they agree. */
export function countIteration(
  counts: TurnCounts,
  { outcome, draft, thoughts }: Pick<IterationContent, 'outcome' | 'draft' | 'thoughts'>,
): TurnCounts {
  const isReply = outcome === 'draft';
  const isSoft = draft?.signal === 'soft';
  const hasFailed = outcome === 'malformed' || outcome === 'error';
  const hard = outcome === 'silence' && counts.reply > 0;
  return {
    iterations: counts.iterations + 1,
    reply: isReply && draft ? draft.index : counts.reply,
    soft: isSoft ? draft.index : counts.soft,
    endorsed: isReply ? 0 : counts.endorsed + (isSoft ? 1 : 0),
    unchanged: isReply ? 0 : counts.unchanged + 1,
    // Only an iteration without thoughts counts towards the end of a run (D29).
    silences: hard && thoughts.length === 0 ? counts.silences + 1 : 0,
    // A failed iteration is neutral: it neither extends nor breaks the streak.
    quiet: hasFailed ? counts.quiet : (hard || isSoft) && counts.reply > 0 ? counts.quiet + 1 : 0,
    failures: hasFailed ? counts.failures + 1 : 0,
    hard,
  };
}
