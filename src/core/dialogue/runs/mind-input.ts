import { type Sample, type Shown, sample } from '../../pool/sample.ts';
import { type Dialogue, type Engagement, iterOf, type Turn } from '../state.ts';
import { hasSeen } from '../turns/seen-ranges.ts';
import { windowOf } from '../turns/window.ts';
import { type Attention, attentionOf } from '../view/attention.ts';
import { historyForMind } from '../view/view.ts';

/** All that a mind is shown in one iteration (D20). */
export interface MindInput {
  readonly meta: {
    readonly self: string;
    readonly iter: number;
    readonly user_time: string;
    readonly user: string;
    readonly engagement: Engagement;
    readonly attention: Attention;
    readonly limits: { readonly draft_chars: number; readonly draft_count: number };
  };
  readonly thoughts: readonly Shown[];
  readonly recent: readonly Shown[];
  readonly recalled: readonly Shown[];
  readonly history: readonly Pair[];
  readonly awaiting: Aged;
  readonly steer: readonly Aged[];
  readonly drafts: readonly ShownDraft[];
}

export interface Aged {
  /** In iterations. */
  readonly age: number;
  readonly text: string;
}

export interface Pair {
  readonly turn: number;
  readonly message: Aged;
  readonly reply: Aged;
}

export interface ShownDraft extends Aged {
  readonly index: number;
  readonly user_seen: boolean;
  /** The reply a person would accept: the last to go where there is little room (D30). */
  readonly isReply?: true;
}

export interface Around {
  readonly seed: number;
  readonly userTime: string;
  /** What the person is called (D18). */
  readonly user: string;
  readonly engagement: Engagement;
}

export function mindInput(state: Dialogue, open: Turn, { seed, userTime, user, engagement }: Around): MindInput {
  const { config } = state;
  const iter = iterOf(state) + 1;
  const { sampled, recent, recalled } = sampleFor(state, iter, seed);
  return {
    meta: {
      self: config.self,
      iter,
      user_time: userTime,
      user,
      engagement,
      attention: attentionOf(withoutWaiting(state)),
      limits: { draft_chars: config.draft_display_chars, draft_count: config.draft_display_count },
    },
    thoughts: sampled,
    recent,
    recalled,
    history: historyForMind(state).flatMap((turn) => pairOf(turn, iter)),
    awaiting: { age: iter - open.iter, text: open.text },
    steer: open.notes.map((note) => ({ age: iter - note.iter, text: note.text })),
    drafts: windowOf(open, config).map(({ draft, text }) => ({
      index: draft.index,
      age: iter - draft.iter,
      user_seen: hasSeen(open.seen, draft.index),
      ...(draft.index === open.counts.reply && { isReply: true as const }),
      text,
    })),
  };
}

/** Waiting for a model is no news to it. */
function withoutWaiting(state: Dialogue): Dialogue {
  const { waiting: _, ...run } = state.run ?? {};
  return state.run ? { ...state, run: run as NonNullable<Dialogue['run']> } : state;
}

function sampleFor({ pool, config }: Dialogue, iter: number, seed: number): Sample {
  return sample(pool, {
    seed,
    iter,
    count: config.thought_display_count,
    chars: config.thought_display_chars,
    recent: config.thought_recent_count,
    recall: config.thought_recall_count,
  });
}

function pairOf({ turn, text, iter: asked, end }: Turn, iter: number): readonly Pair[] {
  if (end?.kind !== 'accepted') return [];
  return [{ turn, message: { age: iter - asked, text }, reply: { age: iter - end.iter, text: end.text } }];
}
