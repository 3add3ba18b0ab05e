import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { createBlobs } from '../../log/blobs.ts';
import type { EventLog } from '../../log/event-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { Chat, Chunk, Completion, Model } from '../../models/model.ts';
import type { Dropped, Fitted } from '../../models/prompt/fit.ts';
import type { Registry } from '../../models/registry/registry.ts';
import { costOf, type ModelEntry } from '../../models/registry/schema.ts';
import { untilStored } from '../report/store.ts';
import type { Secrets } from '../secrets.ts';
import type { TextStream } from '../streaming/text-stream.ts';
import { type Budgeted, firstReached, type Need, usedOf } from '../usage/budgets.ts';
import { NOTHING_USED, sum, type Usage, type Used } from '../usage/usage.ts';
import { type Choice, type Heard, listen } from './collect.ts';
import { type Fitting, type Input, inputOf } from './input.ts';
import { recordText, usedBy } from './record.ts';
import { createRecoveries } from './recoveries.ts';

export type { Choice } from './collect.ts';
export type { Fitting } from './input.ts';

/** Who asks, and within which limits. */
export interface CallOptions {
  readonly model: string;
  /** What for, in a word: kept with the raw response. */
  readonly purpose: string;
  readonly thread?: string;
  readonly run?: string;
  /** The thread's and the run's own; where there is none, what the settings say for all of them. */
  readonly budgets?: {
    readonly thread?: Allowance | undefined;
    readonly run?: Allowance | undefined;
    /** Of a thread that this one was made from by an agent: what is used here counts there as well. */
    readonly payer?: { readonly thread: string; readonly limit: Allowance };
  };
  readonly signal?: AbortSignal;
  /** The caller waits by itself, visibly, when the server asks to be left alone (`patience.ts`). */
  readonly isPatient?: true;
  /** Until this is aborted, what came is stored as often as that has to be tried (W28); without it, once. */
  readonly stopping?: AbortSignal;
  /** Hears everything as it comes. */
  onChunk?(chunk: Chunk): void;
  /** Opens what shows the text to everybody who watches, as it comes (M12). */
  openStream?(): TextStream;
}

/** A budget as a thread or a run has it. */
interface Allowance {
  readonly tokens?: number | undefined;
  readonly money?: number | undefined;
}

/** What a call has used: a refusal has it as `spent` where it is more than nothing. */
export type UsedByCall = Pick<Called, 'usage' | 'cost'>;

/** What came of a call: to be linked from what it produced (M5). */
export interface Called {
  readonly model: string;
  /** Shown wherever the model speaks. */
  readonly label?: 'small';
  readonly choices: readonly Choice[];
  readonly usage: { readonly promptTokens: number; readonly generatedTokens: number; readonly estimated?: true };
  readonly cost: number;
  readonly latency: Heard['latency'];
  /** The blob with everything that was sent and came back. */
  readonly raw: string;
  readonly seed?: number;
  readonly promptHash: string;
  /** What was left out of the input, by id. */
  readonly dropped?: Dropped;
  readonly legibility: Fitted['legibility'];
  /** Oldest tokens of the input that the model left out by itself. */
  readonly truncated: number;
  /** It wrote more than is taken of one answer. */
  readonly cut?: true;
}

export interface CallsParts {
  readonly log: EventLog;
  readonly registry: Registry;
  readonly usage: Usage;
  readonly secrets: Secrets;
  readonly now?: () => number;
}

/** What a run on a priced model may cost while neither it nor the settings say anything (D31). */
const USUAL_RUN: Allowance = { money: 1 };

type Kind = 'complete' | 'chat';
const STOPPED = AbortSignal.abort();
type RequestOf<K extends Kind> = K extends 'complete' ? Completion : Chat;

/** The one way to ask a model: within budgets, measured, counted and kept. */
export function createCalls({ log, registry, usage, secrets, now = Date.now }: CallsParts) {
  const blobs = createBlobs(log, secrets.remove);
  /** What this process did, by model. */
  const counts = new Map<string, Used>();
  const recoveries = createRecoveries();
  /** Prompts under way: their tokens are as good as used. */
  const underWay = new Set<Going>();
  let ended = 0;

  async function ask<K extends Kind>(
    kind: K,
    given: RequestOf<K> | Fitting<RequestOf<K>>,
    options: CallOptions,
  ): Promise<Called | Refusal> {
    // 1. Is there such a model, and anything left to spend?
    const entry = registry.entry(options.model);
    if (isRefusal(entry)) return entry;
    const budgets = budgetsOf(options, entry);
    const spent = firstReached(budgets, await usedOf(usage, budgets), pending);
    if (spent) return spent;
    const model = await registry.open(options.model);
    if (isRefusal(model)) return model;

    // 2. The input, measured in the model's own tokens, with what does not fit left out.
    const input = await inputOf(model, given);
    if (isRefusal(input)) return input;
    const { promptTokens } = input;

    // 3. Would it be too much?
    const need = { tokens: promptTokens, money: costOf(entry, promptTokens, 0) };
    const going = await enter(budgets, need);
    if (isRefusal(going)) return going;

    // 4. Ask; then count and keep what came, whatever it was.
    const stream = options.openStream?.();
    try {
      const { signal, isPatient, onChunk = stream?.onChunk } = options;
      const request = { ...input.request, ...(isPatient && { isPatient }) };
      const heard = await listen(model[kind](request as never, signal), onChunk);
      return await keep(entry, model, kind, input, options, heard);
    } finally {
      stream?.end();
      underWay.delete(going);
      ended++;
    }
  }

  /** Checks and takes in one step: what ended while the rows were read may be in neither sum, so they are read again. */
  async function enter(budgets: readonly Budgeted[], need: Need): Promise<Going | Refusal> {
    for (;;) {
      const before = ended;
      const used = await usedOf(usage, budgets);
      if (before !== ended) continue;
      const tooMuch = firstReached(budgets, used, (budget) => plus(pending(budget), need));
      if (tooMuch) return tooMuch;
      const going = { budgets, need };
      underWay.add(going);
      return going;
    }
  }

  /** Money limits only what costs some. */
  function budgetsOf({ thread, run, budgets = {} }: CallOptions, entry: ModelEntry): readonly Budgeted[] {
    const all = registry.budgets();
    const isFree = costOf(entry, 1, 1) === 0;
    const limited = budgets.run?.tokens !== undefined || budgets.run?.money !== undefined;
    const limits = [
      { scope: 'run', id: run, own: budgets.run, usual: all.run ?? (limited ? undefined : USUAL_RUN) },
      { scope: 'thread', id: thread, own: budgets.thread, usual: all.thread },
      { scope: 'thread', id: budgets.payer?.thread, own: budgets.payer?.limit, usual: all.thread },
      { scope: 'workspace', id: 'all', own: undefined, usual: all.workspace },
    ] as const;
    return limits.flatMap(({ scope, id, own, usual }) => {
      const tokens = own?.tokens ?? usual?.tokens;
      const money = own?.money ?? usual?.money;
      const limit = { ...(tokens !== undefined && { tokens }), ...(money !== undefined && !isFree && { money }) };
      return id === undefined ? [] : [{ scope, id, limit }];
    });
  }

  function pending({ scope, id }: Budgeted): Need {
    const same = [...underWay].filter(({ budgets }) => budgets.some((each) => each.scope === scope && each.id === id));
    return same.reduce((all, { need }) => plus(all, need), { tokens: 0, money: 0 });
  }

  async function keep<K extends Kind>(
    entry: ModelEntry,
    { capabilities }: Model,
    kind: K,
    { request, promptTokens, fitted }: Input<RequestOf<K>>,
    { model, purpose, thread, run, budgets, stopping = STOPPED }: CallOptions,
    { choices, last, latency, pieces, textBytes }: Heard,
  ): Promise<Called | Refusal> {
    const isDone = last.type === 'done';
    const used = usedBy({ last, pieces, textBytes, promptTokens });
    const cost = costOf(entry, used.promptTokens, used.generatedTokens);

    // Counted before anything is stored: whatever happens then, it was used (M13).
    const { promptTokens: prompt, generatedTokens: generated } = used;
    const asked = last.type === 'refused' && last.unasked ? 0 : 1;
    const failures = isDone ? 0 : asked;
    const counted = { calls: asked, failures, promptTokens: prompt, generatedTokens: generated, cost };
    counts.set(model, sum(counts.get(model) ?? NOTHING_USED, counted));
    const noted = { ...counted, model, thread, payer: budgets?.payer?.thread, run };
    // Added once: what could not be written waits there for the next write.
    await usage.add(noted).catch(() => untilStored(usage.flush, stopping));

    if (isDone) recoveries.answered(model);

    const promptHash = sha256(JSON.stringify(request));
    const { type: _, raw: response, failed, ...outcome } = last;
    const record = recordText({
      v: 1,
      at: new Date(now()).toISOString(),
      ...{ model, purpose, thread, run, kind, promptHash, request, outcome, cost, latency },
      usage: used,
      choices: choices.map(({ text, reason }) => ({ text, reason })),
      response,
      failed,
    });
    const raw = (await untilStored(() => blobs.put(record), stopping)) as string;
    if (!isDone) {
      const { code, message, ...about } = last.refusal;
      const { fault } = last;
      return refuse(code, secrets.remove(message), {
        ...{ ...about, model, raw },
        ...(prompt + generated > 0 && { spent: { usage: used, cost } satisfies UsedByCall }),
        ...(fault && { fault }),
      });
    }
    return {
      model,
      ...(capabilities.label && { label: capabilities.label }),
      choices,
      usage: used,
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
    complete: (request: Completion | Fitting<Completion>, options: CallOptions) => ask('complete', request, options),
    chat: (request: Chat | Fitting<Chat>, options: CallOptions) => ask('chat', request, options),
    /** The text of a raw response, by the hash that a result has. */
    raw: blobs.get,
    counts: counts as ReadonlyMap<string, Used>,
    recoveries,
  };
}

interface Going {
  readonly budgets: readonly Budgeted[];
  readonly need: Need;
}

function plus(a: Need, b: Need): Need {
  return { tokens: a.tokens + b.tokens, money: a.money + b.money };
}
