import type { z } from 'zod';
import type { ContentOf } from '../events/define.ts';
import { emptyPool, type ThoughtPool } from '../pool/state.ts';
import type { Run } from '../runs/run.ts';
import type { DiffHunk } from '../text/diff.ts';
import type { GrowingList } from '../util/growing-list.ts';
import { DEFAULT_CONFIG, type DialogueBudget, type DialogueConfig } from './config.ts';
import type { engagement, IterationEnded, IterationLate } from './events.ts';
import { type DialogueDraft, DialogueDrafts } from './turns/drafts.ts';
import type { SeenRanges } from './turns/seen-ranges.ts';

export type Engagement = z.infer<typeof engagement>;
export type IterationContent = ContentOf<typeof IterationEnded>;
export type LateContent = ContentOf<typeof IterationLate>;

/** One message of a person and what became of it. */
export interface Turn {
  readonly turn: number;
  readonly text: string;
  readonly by: string;
  /** It came in by an import, and so did whoever it is by. */
  readonly imported?: true;
  readonly ts: string;
  /** The seq of the event that opened it: a fork before it is a new topic beside it (D6). */
  readonly openedSeq: number;
  /** Iterations there had been. */
  readonly iter: number;
  readonly notes: readonly SteeringNote[];
  readonly drafts: DialogueDrafts;
  readonly seen: SeenRanges;
  /** Drafts up to this index left the mind's window (D19). */
  readonly cleared: number;
  readonly counts: TurnCounts;
  readonly end?: TurnEnd;
}

/** A steering note. */
export interface SteeringNote {
  readonly text: string;
  readonly by: string;
  readonly iter: number;
}

/** What the stop rules and attention go by, kept as it changes. */
export interface TurnCounts {
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
      readonly difference?: readonly DiffHunk[];
      readonly auto?: { readonly after: number; readonly set_by: string };
    };

export interface DialogueRun extends Run<DialogueBudget> {
  readonly turn: number;
  /** Ends after so many silent iterations in a row. */
  readonly silences: number;
  /** It ends at the first hard signal or `+1`. */
  readonly untilSignal?: true;
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
  readonly config: DialogueConfig;
  /** Who set `auto_accept`. */
  readonly autoAcceptBy: string;
  readonly pool: ThoughtPool;
  /** Thoughts up to this one have been looked at for clusters. */
  readonly clustered: number;
  readonly iterations: GrowingList<Iteration>;
  /** Turns that are over, in order: turn n at n - 1. */
  readonly turns: GrowingList<Turn>;
  /** Numbers of the accepted ones. */
  readonly accepted: GrowingList<number>;
  /** The turn that waits for an answer. */
  readonly open?: Turn;
  readonly run?: DialogueRun;
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

/** A turn that is over, or the one that waits. */
export function turnOf(state: Dialogue, turn: number): Turn | undefined {
  return state.open?.turn === turn ? state.open : turn >= 1 ? state.turns.at(turn - 1) : undefined;
}

/** The latest iteration of the turn that waits brought nothing at all from the model (D28). */
export function isAnswerEmpty({ iterations, open }: Dialogue): boolean {
  const last = iterations.at(-1)?.content;
  return last?.empty === true && last.turn === open?.turn;
}

export function latestReply({ drafts, counts }: Turn): DialogueDraft | undefined {
  return drafts.get(counts.reply);
}

/** What an iteration adds up to; the decision on it and the fold of it count alike. */
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
    // Thoughts go on: only an iteration without any counts towards the end of a run (D29).
    silences: hard && thoughts.length === 0 ? counts.silences + 1 : 0,
    // A failed iteration says nothing: it neither counts nor breaks the row.
    quiet: hasFailed ? counts.quiet : (hard || isSoft) && counts.reply > 0 ? counts.quiet + 1 : 0,
    failures: hasFailed ? counts.failures + 1 : 0,
    hard,
  };
}
