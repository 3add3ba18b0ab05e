import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { createBlobs } from '../../log/blobs.ts';
import type { EventLog } from '../../log/event-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { Chat, Chunk, Completion, Model } from '../../models/model.ts';
import type { DroppedParts, FittedPrompt } from '../../models/prompt/fit.ts';
import type { Registry } from '../../models/registry/registry.ts';
import { costOf, type ModelEntry } from '../../models/registry/schema.ts';
import { storeWithRetry } from '../report/store.ts';
import type { Secrets } from '../secrets.ts';
import type { TextStream } from '../streaming/text-stream.ts';
import {
  type ActiveBudget,
  activeBudgets,
  type BudgetNeed,
  type CallBudgets,
  checkBudgets,
  usageOfBudgets,
} from '../usage/budgets.ts';
import { addTotals, NO_USAGE, type UsageStore, type UsageTotals } from '../usage/usage.ts';
import { type CallChoice, type CollectedStream, collectStream } from './collect.ts';
import { type FittableRequest, type MeasuredRequest, measureRequest } from './input.ts';
import { createLastCalls } from './last-calls.ts';
import { recordText, usageOfStream } from './record.ts';
import { createRecoveries } from './recoveries.ts';

export type { CallChoice } from './collect.ts';
export type { FittableRequest } from './input.ts';

export interface CallOptions {
  readonly model: string;
  /** The purpose in one word, stored with the raw response. */
  readonly purpose: string;
  readonly thread?: string;
  readonly run?: string;
  readonly budgets?: CallBudgets;
  readonly signal?: AbortSignal;
  /** The caller handles waits itself, visibly, when the server asks to retry later (`ask/retry.ts`). */
  readonly isPatient?: true;
  /** Storing the call is retried until this is aborted (W28); without it, there is one try. */
  readonly stopping?: AbortSignal;
  onChunk?(chunk: Chunk): void;
  /** Opens a live stream of the text for everyone who is watching (M12). */
  openStream?(): TextStream;
}

/** Usage and cost of a call. A refusal carries it as `refusal.spent` unless nothing was used. */
export type CallCost = Pick<CallReply, 'usage' | 'cost'>;

/** The result of a call; whatever it produced links to it (M5). */
export interface CallReply {
  readonly model: string;
  /** Shown wherever the model speaks. */
  readonly label?: 'small';
  readonly choices: readonly CallChoice[];
  readonly usage: { readonly promptTokens: number; readonly generatedTokens: number; readonly estimated?: true };
  readonly cost: number;
  readonly latency: CollectedStream['latency'];
  /** The blob with everything that was sent and came back. */
  readonly raw: string;
  readonly seed?: number;
  readonly promptHash: string;
  /** Parts dropped from the input, by id. */
  readonly dropped?: DroppedParts;
  readonly legibility: FittedPrompt['legibility'];
  /** Oldest tokens of the input that the model left out by itself. */
  readonly truncated: number;
  /** The answer was longer than the maximum and was cut. */
  readonly cut?: true;
}

export interface CallsParts {
  readonly log: EventLog;
  readonly registry: Registry;
  readonly usage: UsageStore;
  readonly secrets: Secrets;
  readonly now?: () => number;
}

/** How much of an answer that broke off goes with the refusal; all of it is in the raw response. */
const MAX_PARTIAL_CHARS = 20_000;

type CallKind = 'complete' | 'chat';
const ALREADY_STOPPED = AbortSignal.abort();
type CallRequestOf<K extends CallKind> = K extends 'complete' ? Completion : Chat;

/** The only way to ask a model: checks budgets, measures the input, records usage and stores the raw response. */
export function createCalls({ log, registry, usage, secrets, now = Date.now }: CallsParts) {
  const blobs = createBlobs(log, secrets.remove);
  /** Usage of this process, by model. */
  const counts = new Map<string, UsageTotals>();
  const recoveries = createRecoveries();
  const lastCalls = createLastCalls(log);
  /** Calls in progress: their prompt tokens count as used. */
  const pendingCalls = new Set<PendingCall>();
  let endedCount = 0;

  async function ask<K extends CallKind>(
    kind: K,
    source: CallRequestOf<K> | FittableRequest<CallRequestOf<K>>,
    options: CallOptions,
  ): Promise<CallReply | Refusal> {
    // 1. Check that the model exists and that the budgets are not used up.
    const entry = registry.entry(options.model);
    if (isRefusal(entry)) return entry;
    const budgets = activeBudgets(options, registry.budgets(), costOf(entry, 1, 1) === 0);
    const refusal = checkBudgets(budgets, await usageOfBudgets(usage, budgets), pendingNeed, registry.currency());
    if (refusal) return refusal;
    const model = await registry.open(options.model);
    if (isRefusal(model)) return model;

    // 2. Measure the input in the model's own tokens, and drop what does not fit.
    const input = await measureRequest(model, source);
    if (isRefusal(input)) return input;
    const { promptTokens } = input;

    // 3. Check that the prompt fits the budgets.
    const need = { tokens: promptTokens, money: costOf(entry, promptTokens, 0) };
    const pendingCall = await reserve(budgets, need);
    if (isRefusal(pendingCall)) return pendingCall;

    // 4. Ask, then record whatever came back.
    const textStream = options.openStream?.();
    try {
      const { signal, isPatient, onChunk = textStream?.onChunk } = options;
      const request = { ...input.request, ...(isPatient && { isPatient }) };
      const stream = await collectStream(model[kind](request as never, signal), onChunk);
      return await recordCall(entry, model, kind, input, options, stream);
    } finally {
      textStream?.end();
      pendingCalls.delete(pendingCall);
      endedCount++;
    }
  }

  /**
   * Checks and reserves in one step. A call that ended while the rows were read may be missing from both sums, so they
   * are read again.
   */
  async function reserve(budgets: readonly ActiveBudget[], need: BudgetNeed): Promise<PendingCall | Refusal> {
    for (;;) {
      const before = endedCount;
      const totals = await usageOfBudgets(usage, budgets);
      if (before !== endedCount) continue;
      const refusal = checkBudgets(
        budgets,
        totals,
        (budget) => addNeeds(pendingNeed(budget), need),
        registry.currency(),
      );
      if (refusal) return refusal;
      const pendingCall = { budgets, need };
      pendingCalls.add(pendingCall);
      return pendingCall;
    }
  }

  function pendingNeed({ scope, id }: ActiveBudget): BudgetNeed {
    const sameBudget = [...pendingCalls].filter(({ budgets }) =>
      budgets.some((each) => each.scope === scope && each.id === id),
    );
    return sameBudget.reduce((total, { need }) => addNeeds(total, need), { tokens: 0, money: 0 });
  }

  async function recordCall<K extends CallKind>(
    entry: ModelEntry,
    { capabilities }: Model,
    kind: K,
    { request, promptTokens, fitted }: MeasuredRequest<CallRequestOf<K>>,
    { model, purpose, thread, run, budgets, stopping = ALREADY_STOPPED }: CallOptions,
    { choices, last, latency, pieces, textBytes }: CollectedStream,
  ): Promise<CallReply | Refusal> {
    const isDone = last.type === 'done';
    const tokenUsage = usageOfStream({ last, pieces, textBytes, promptTokens });
    const cost = costOf(entry, tokenUsage.promptTokens, tokenUsage.generatedTokens);

    // Counted before anything is stored: the tokens were used even if storing fails (M13).
    const { promptTokens: prompt, generatedTokens: generated } = tokenUsage;
    const callCount = last.type === 'refused' && last.unasked ? 0 : 1;
    const failures = isDone ? 0 : callCount;
    const totals = { calls: callCount, failures, promptTokens: prompt, generatedTokens: generated, cost };
    counts.set(model, addTotals(counts.get(model) ?? NO_USAGE, totals));
    const callUsage = { ...totals, model, thread, payer: budgets?.payer?.thread, run };
    // Add only once: usage that could not be written stays queued for the next write.
    await usage.add(callUsage).catch(() => storeWithRetry(usage.flush, stopping));

    if (isDone) recoveries.notifyAnswer(model);
    const wasAsked = callCount > 0 && !choices.some(({ reason }) => reason === 'cancelled');
    if (wasAsked) {
      const failure = isDone ? undefined : secrets.remove(last.refusal.message);
      const at = new Date(now()).toISOString();
      lastCalls.note(model, entry, { at, ms: latency.totalMs, ...(failure !== undefined && { failure }) });
    }

    const promptHash = sha256(JSON.stringify(request));
    const { type: _, raw: response, failed, ...outcome } = last;
    const record = recordText({
      v: 1,
      at: new Date(now()).toISOString(),
      ...{ model, purpose, thread, run, kind, promptHash, request, outcome, cost, latency },
      usage: tokenUsage,
      choices: choices.map(({ text, reason }) => ({ text, reason })),
      response,
      failed,
    });
    const raw = (await storeWithRetry(() => blobs.put(record), stopping)) as string;
    if (!isDone) {
      const { code, message, ...details } = last.refusal;
      const { fault } = last;
      const partial = secrets.remove(choices[0]?.text.slice(0, MAX_PARTIAL_CHARS) ?? '');
      return refuse(code, secrets.remove(message), {
        ...{ ...details, model, raw },
        ...(prompt + generated > 0 && { spent: { usage: tokenUsage, cost } satisfies CallCost }),
        ...(fault && { fault }),
        ...(partial.trim() !== '' && { partial }),
      });
    }
    return {
      model,
      ...(capabilities.label && { label: capabilities.label }),
      choices,
      usage: tokenUsage,
      cost,
      latency,
      raw,
      ...(last.seed !== undefined && { seed: last.seed }),
      promptHash,
      ...(fitted && { dropped: fitted.dropped }),
      legibility: fitted?.legibility ?? 'full',
      truncated: last.dropped,
      ...(last.cut && { cut: true }),
    };
  }

  return {
    complete: (request: Completion | FittableRequest<Completion>, options: CallOptions) =>
      ask('complete', request, options),
    chat: (request: Chat | FittableRequest<Chat>, options: CallOptions) => ask('chat', request, options),
    /** The text of a raw response, by the hash that a result has. */
    raw: blobs.get,
    counts: counts as ReadonlyMap<string, UsageTotals>,
    /** How the last call of a model went. */
    lastCall: lastCalls.of,
    recoveries,
  };
}

interface PendingCall {
  readonly budgets: readonly ActiveBudget[];
  readonly need: BudgetNeed;
}

function addNeeds(a: BudgetNeed, b: BudgetNeed): BudgetNeed {
  return { tokens: a.tokens + b.tokens, money: a.money + b.money };
}
