import type { Attachment } from '../../attachments/attachment.ts';
import { type ShownThought, sampleThoughts, type ThoughtSample } from '../../pool/sample.ts';
import { type Dialogue, type Engagement, iterationCount, type Turn } from '../state.ts';
import { hasSeen } from '../turns/seen-ranges.ts';
import { windowOf } from '../turns/window.ts';
import { attentionOf } from '../view/attention.ts';
import type { DialogueAttention } from '../view/schema.ts';
import { historyForMind } from '../view/view.ts';

/** The complete input of a mind for one iteration (D20). */
export interface DialogueMindInput {
  readonly meta: {
    readonly self: string;
    readonly iter: number;
    readonly user_time: string;
    readonly user: string;
    readonly engagement: Engagement;
    readonly attention: DialogueAttention;
    readonly limits: { readonly draft_chars: number; readonly draft_count: number };
  };
  readonly thoughts: readonly ShownThought[];
  readonly recent: readonly ShownThought[];
  readonly recalled: readonly ShownThought[];
  readonly history: readonly HistoryPair[];
  readonly awaiting: AgedText;
  readonly steer: readonly AgedText[];
  readonly drafts: readonly ShownDraft[];
}

export interface AgedText {
  /** In iterations. */
  readonly age: number;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

export interface HistoryPair {
  readonly turn: number;
  readonly message: AgedText;
  readonly reply: AgedText;
}

export interface ShownDraft extends AgedText {
  readonly index: number;
  readonly user_seen: boolean;
  /** The reply a person would accept. It is the last to be dropped when space is short (D30). */
  readonly isReply?: true;
}

export interface IterationContext {
  readonly seed: number;
  readonly userTime: string;
  /** The person's name (D18). */
  readonly user: string;
  readonly engagement: Engagement;
}

export function buildMindInput(
  state: Dialogue,
  open: Turn,
  { seed, userTime, user, engagement }: IterationContext,
): DialogueMindInput {
  const { config } = state;
  const iter = iterationCount(state) + 1;
  const { sampled, recent, recalled } = sampleForMind(state, iter, seed);
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
    history: historyForMind(state).flatMap((turn) => historyPairs(turn, iter)),
    awaiting: agedText(open, iter),
    steer: open.notes.map((note) => agedText(note, iter)),
    drafts: windowOf(open, config).map(({ draft, text }) => ({
      index: draft.index,
      age: iter - draft.iter,
      user_seen: hasSeen(open.seen, draft.index),
      ...(draft.index === open.counts.reply && { isReply: true as const }),
      text,
    })),
  };
}

/** The mind's input does not mention that its run waited for a model. */
function withoutWaiting(state: Dialogue): Dialogue {
  const { waiting: _, ...run } = state.run ?? {};
  return state.run ? { ...state, run: run as NonNullable<Dialogue['run']> } : state;
}

function sampleForMind({ pool, config }: Dialogue, iter: number, seed: number): ThoughtSample {
  return sampleThoughts(pool, {
    seed,
    iter,
    count: config.thought_display_count,
    chars: config.thought_display_chars,
    recent: config.thought_recent_count,
    recall: config.thought_recall_count,
  });
}

function agedText(said: Pick<Turn, 'text' | 'iter' | 'attachments'>, iter: number): AgedText {
  const { text, attachments } = said;
  return { age: iter - said.iter, text, ...(attachments && { attachments }) };
}

function historyPairs(turn: Turn, iter: number): readonly HistoryPair[] {
  const { end } = turn;
  if (end?.kind !== 'accepted') return [];
  return [{ turn: turn.turn, message: agedText(turn, iter), reply: { age: iter - end.iter, text: end.text } }];
}
