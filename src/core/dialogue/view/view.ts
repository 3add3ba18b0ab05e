import { authorLabelOf } from '../../events/event.ts';
import { viewThought } from '../../pool/view.ts';
import { type Dialogue, type DialogueRun, iterationCount, latestReply, type Turn, turnOf } from '../state.ts';
import type { DialogueDraft } from '../turns/drafts.ts';
import { hasSeen } from '../turns/seen-ranges.ts';
import { isReplyShown, windowOf } from '../turns/window.ts';
import { attentionOf } from './attention.ts';
import type {
  DialogueDraftsView,
  DialogueDraftView,
  DialogueRunView,
  DialogueStatusView,
  HistoryTurn,
  IterationView,
  TurnView,
} from './schema.ts';

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
    ...(open.attachments && { attachments: open.attachments }),
    by: authorLabelOf({ from: open.by, imported: open.imported }),
    ts: open.ts,
    iterations: open.counts.iterations,
    steer: open.notes.map(({ text }) => text),
    ...(open.notes.some((note) => note.attachments) && {
      steer_attachments: open.notes.map((note) => note.attachments ?? []),
    }),
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
      ...(turn.attachments && { attachments: turn.attachments }),
      reply: end.text,
      accepted_draft_index: end.draft,
      ts: end.ts,
      by: end.by,
      asked: { by: authorLabelOf({ from: turn.by, imported: turn.imported }), ts: turn.ts },
      drafts: turn.drafts.length,
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

export function iterationView(state: Dialogue, iter: number): IterationView | undefined {
  const iteration = iter >= 1 ? state.iterations.at(iter - 1) : undefined;
  if (!iteration) return undefined;
  const { content, thoughtsAfter, event, ts } = iteration;
  const { shown, draft, problem, partial, clear, empty, dropped, small } = content;
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
    ...(partial !== undefined && { partial }),
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
