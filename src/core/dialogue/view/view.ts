import { authorLabelOf } from '../../events/event.ts';
import { type ThoughtView, viewThought } from '../../pool/view.ts';
import type { ModelWait } from '../../runs/wait.ts';
import type { DiffHunk } from '../../text/diff.ts';
import {
  type Dialogue,
  type DialogueRun,
  type Engagement,
  type Iteration,
  iterationCount,
  latestReply,
  type Turn,
  turnOf,
} from '../state.ts';
import type { DialogueDraft, DraftSignal } from '../turns/drafts.ts';
import { hasSeen } from '../turns/seen-ranges.ts';
import { isReplyShown, windowOf } from '../turns/window.ts';
import { attentionOf, type DialogueAttention } from './attention.ts';

/** A draft as people see it (C7). */
export interface DialogueDraftView {
  readonly index: number;
  readonly iter: number;
  readonly text: string;
  readonly seen: boolean;
  readonly signal: DraftSignal | null;
  readonly same_as?: number;
  readonly confidence?: number;
  readonly status?: 'working' | 'final';
  readonly unstructured?: true;
  readonly ts: string;
  /** The length in characters; length is a signal, too (D14). */
  readonly chars: number;
  /** Iterations since the previous entry; frequency is a signal, too. */
  readonly after: number;
}

export interface DialogueDraftsView {
  readonly turn: number | null;
  readonly drafts: readonly DialogueDraftView[];
  /** The total number of drafts; a page shows some of them. */
  readonly total: number;
}

export interface DialoguePageOptions {
  /** Only drafts with a lower index. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
  /** Only drafts with these indices. */
  readonly only?: readonly number[] | undefined;
}

/** Drafts of the open turn, or of another one; newest first. */
export function draftsView(
  state: Dialogue,
  turn: Turn | undefined = state.open,
  page: DialoguePageOptions = {},
): DialogueDraftsView {
  if (!turn) return { turn: null, drafts: [], total: 0 };
  const { before = Number.MAX_SAFE_INTEGER, limit = Number.MAX_SAFE_INTEGER, only } = page;
  const drafts: DialogueDraftView[] = [];
  const selected = only
    ? [...new Set(only)].sort((a, b) => b - a).flatMap((index) => turn.drafts.get(index) ?? [])
    : turn.drafts.newestFirst(before - 1);
  for (const draft of selected) {
    if (drafts.length === limit) break;
    drafts.push(draftView(turn, draft));
  }
  return { turn: turn.turn, drafts, total: turn.drafts.length };
}

function draftView(turn: Turn, draft: DialogueDraft): DialogueDraftView {
  const { index, iter, text, signal, same_as, confidence, status, unstructured, ts } = draft;
  return {
    index,
    iter,
    text,
    seen: hasSeen(turn.seen, index),
    signal,
    ...(same_as !== undefined && { same_as }),
    ...(confidence !== undefined && { confidence }),
    ...(status !== undefined && { status }),
    ...(unstructured && { unstructured }),
    ts,
    chars: text.length,
    after: iter - (turn.drafts.get(index - 1)?.iter ?? turn.iter),
  };
}

export interface DialogueStatusView {
  readonly state: 'idle' | 'awaiting';
  readonly iter: number;
  readonly attention: DialogueAttention;
  /** The number of drafts in the open turn. */
  readonly drafts: number;
  readonly engagement: Engagement;
  readonly turn?: TurnView;
  readonly run?: DialogueRunView;
  /** Set when the mind no longer sees the reply that accept takes by default (D13). */
  readonly warning?: string;
  readonly thoughts: number;
  readonly late: number;
  readonly model: string | null;
  readonly self: string;
}

export interface TurnView {
  readonly turn: number;
  readonly message: string;
  readonly by: string;
  readonly ts: string;
  readonly iterations: number;
  readonly steer: readonly string[];
  /** The index that accept takes by default. */
  readonly latest_reply: number | null;
  readonly unseen: number;
  /** Indices of the drafts in the mind's window now (D12). */
  readonly window: readonly number[];
  /** A fork after this event number starts another topic (D6). */
  readonly fork_at: number;
}

export interface DialogueRunView {
  readonly run: number;
  readonly state: DialogueRun['state'];
  readonly done: number;
  readonly iterations?: number;
  readonly budget: DialogueRun['budget'];
  readonly spent: { readonly iterations: number; readonly tokens: number; readonly money: number };
  readonly since: string;
  /** Set until the model can answer again. */
  readonly waiting?: ModelWait;
  /** The run should continue, but the process that served it is gone. */
  readonly interrupted?: true;
  readonly reason?: string;
  readonly why?: string;
  /** The model's answer in the latest iteration was empty (D28). */
  readonly empty?: true;
}

/** `isServed`: whether a process is there to do the pending jobs. */
export function statusView(state: Dialogue, isServed = true): DialogueStatusView {
  const { open, run, config } = state;
  const warning = open && warningOf(open);
  return {
    state: open ? 'awaiting' : 'idle',
    iter: iterationCount(state),
    attention: attentionOf(state, isServed),
    drafts: open?.drafts.length ?? 0,
    engagement: state.engagement,
    ...(open && { turn: turnView(state, open) }),
    ...(run && { run: runView(state, run, isServed) }),
    ...(warning && { warning }),
    thoughts: state.pool.thoughts.length,
    late: state.late,
    model: config.model,
    self: config.self,
  };
}

function turnView({ config }: Dialogue, open: Turn): TurnView {
  const seenCount = open.seen.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return {
    turn: open.turn,
    message: open.text,
    by: authorLabelOf({ from: open.by, imported: open.imported }),
    ts: open.ts,
    iterations: open.counts.iterations,
    steer: open.notes.map(({ text }) => text),
    latest_reply: latestReply(open)?.index ?? null,
    unseen: open.drafts.length - seenCount,
    window: windowOf(open, config).map(({ draft }) => draft.index),
    fork_at: open.openedSeq - 1,
  };
}

function runView({ iterations: allIterations }: Dialogue, current: DialogueRun, isServed: boolean): DialogueRunView {
  const { run, state, done, limit, budget, spent, waiting, reason, why } = current;
  const last = allIterations.at(-1)?.content;
  return {
    run,
    state,
    done,
    ...(limit !== undefined && { iterations: limit }),
    budget,
    spent: { iterations: spent.steps, tokens: spent.tokens, money: spent.money },
    since: spent.since,
    ...(waiting && isServed && { waiting }),
    ...(state === 'running' && !isServed && { interrupted: true as const }),
    ...(reason !== undefined && { reason }),
    ...(why !== undefined && { why }),
    ...(last?.empty && last.run === run && { empty: true as const }),
  };
}

function warningOf(open: Turn): string | undefined {
  if (isReplyShown(open) !== false) return undefined;
  return `The mind no longer sees #${latestReply(open)?.index}, because it cleared its view; you can still accept it.`;
}

export interface HistoryTurn {
  readonly turn: number;
  readonly message: string;
  readonly reply: string;
  readonly accepted_draft_index: number;
  readonly ts: string;
  readonly by: string;
  /** The model that wrote the draft; a small model is always marked as such (M3). */
  readonly model?: string;
  readonly small?: true;
  /** For an edited reply: the draft's original text and the diff (D5). */
  readonly draft?: string;
  readonly difference?: readonly DiffHunk[];
  readonly auto?: { readonly after: number; readonly set_by: string };
  /** Hidden from the mind (D7). */
  readonly pruned?: true;
}

/** Accepted pairs, newest first (D7). */
export function historyView(
  state: Dialogue,
  page: Omit<DialoguePageOptions, 'only'> = {},
): { turns: readonly HistoryTurn[] } {
  const { before = Number.MAX_SAFE_INTEGER, limit = Number.MAX_SAFE_INTEGER } = page;
  const turns: HistoryTurn[] = [];
  for (let i = state.accepted.length - 1; i >= 0 && turns.length < limit; i--) {
    const turn = turnOf(state, state.accepted.at(i) as number);
    if (!turn || turn.turn >= before || turn.end?.kind !== 'accepted') continue;
    const { end } = turn;
    const draft = turn.drafts.get(end.draft);
    const source = draft && state.iterations.at(draft.iter - 1)?.content;
    turns.push({
      turn: turn.turn,
      message: turn.text,
      reply: end.text,
      accepted_draft_index: end.draft,
      ts: end.ts,
      by: end.by,
      ...(source && { model: source.model, ...(source.small && { small: source.small }) }),
      ...(end.difference && { draft: draft?.text ?? '', difference: end.difference }),
      ...(end.auto && { auto: end.auto }),
      ...(turn.turn <= state.pruned && { pruned: true as const }),
    });
  }
  return { turns };
}

/** The last accepted pairs that the mind may see, oldest first (D7). */
export function historyForMind({ accepted, pruned, config, turns }: Dialogue): readonly Turn[] {
  if (config.history_pairs === 0) return [];
  return accepted
    .slice(-config.history_pairs)
    .filter((turn) => turn > pruned)
    .map((turn) => turns.at(turn - 1) as Turn);
}

/** An iteration as `step` prints it (C7), with everything it was shown (D27). */
export interface IterationView {
  readonly iter: number;
  readonly outcome: Iteration['content']['outcome'];
  readonly draft?: DialogueDraftView;
  readonly thoughts: readonly ThoughtView[];
  readonly sampled: readonly number[];
  readonly usage: Iteration['content']['usage'];
  readonly turn: number;
  readonly run: number;
  readonly ts: string;
  readonly event: string;
  readonly model: string;
  readonly small?: true;
  readonly prompt: string;
  readonly seed: number;
  readonly latency_ms: number;
  readonly problem?: string;
  readonly clear?: true;
  /** The model's answer was empty; it counts as silence (D28). */
  readonly empty?: true;
  readonly shown: {
    readonly thoughts: readonly ThoughtView[];
    readonly recent: readonly ThoughtView[];
    readonly recalled: readonly ThoughtView[];
    readonly drafts: readonly number[];
    readonly history: readonly number[];
  };
  readonly dropped?: Iteration['content']['dropped'];
}

export function iterationView(state: Dialogue, iter: number): IterationView | undefined {
  const iteration = iter >= 1 ? state.iterations.at(iter - 1) : undefined;
  if (!iteration) return undefined;
  const { content, thoughtsAfter, event, ts } = iteration;
  const { shown, draft, problem, clear, empty, dropped, small } = content;
  const turn = turnOf(state, content.turn);
  const storedDraft = draft && turn?.drafts.get(draft.index);
  const viewThoughts = (ids: readonly number[]) =>
    ids.flatMap((id) => viewThought(state.pool, id, iterationCount(state)) ?? []);
  return {
    iter,
    outcome: content.outcome,
    ...(turn && storedDraft && { draft: draftView(turn, storedDraft) }),
    thoughts: viewThoughts(content.thoughts.map((_, i) => thoughtsAfter + i + 1)),
    sampled: shown.thoughts,
    usage: content.usage,
    turn: content.turn,
    run: content.run,
    ts,
    event,
    model: content.model,
    ...(small && { small }),
    prompt: content.prompt,
    seed: content.seed,
    latency_ms: content.latency_ms,
    ...(problem !== undefined && { problem }),
    ...(clear && { clear }),
    ...(empty && { empty }),
    shown: {
      thoughts: viewThoughts(shown.thoughts),
      recent: viewThoughts(shown.recent),
      recalled: viewThoughts(shown.recalled),
      drafts: shown.drafts,
      history: shown.history,
    },
    ...(dropped && { dropped }),
  };
}

/** A page of iterations, newest first. */
export function iterationsView(
  state: Dialogue,
  { before = Number.MAX_SAFE_INTEGER, limit = Number.MAX_SAFE_INTEGER }: Pick<DialoguePageOptions, 'before' | 'limit'>,
) {
  const newest = Math.min(iterationCount(state), before - 1);
  const iters = Array.from({ length: Math.min(limit, newest) }, (_, i) => newest - i);
  return { iterations: iters.map((iter) => iterationView(state, iter)) };
}
