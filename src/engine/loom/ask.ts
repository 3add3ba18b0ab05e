import type { PromptNode } from '../../core/loom/generation/prompt.ts';
import type { GenerationRequest } from '../../core/loom/state.ts';
import { isRefusal, type Refusal, type RefusalDetail, refuse } from '../../core/refusal.ts';
import type { Chunk, Completion } from '../../models/model.ts';
import { type AskContext, patientOptions } from '../ask/ask.ts';
import { faultOf, isTransient } from '../ask/faults.ts';
import { CANCELLED } from '../ask/outcome.ts';
import { askWithRetry, giveUpReason } from '../ask/retry.ts';
import type { CallOptions, CallReply } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import { buildCompletion, droppedOf, nodesWithin, promptOfEnd } from './request.ts';
import { type CollectedChoice, type LoomCall, type LoomCompletion, mergeCalls, type NumberedCall } from './result.ts';

export interface LoomRequest {
  readonly request: GenerationRequest;
  readonly nodes: readonly PromptNode[];
  readonly suffix?: string;
}

export interface LoomAskContext extends AskContext {
  /** The current budgets: they may change while waiting for the model (M7). */
  budgets(): Promise<NonNullable<CallOptions['budgets']>>;
  onToken(choice: number, text: string): void;
  /** Parts that were finished earlier, here or on a server that stopped, by the number of their first choice (W28). */
  readonly finishedParts: ReadonlyMap<number, LoomPart>;
  /** Saves a finished part while the others are still being written. */
  savePart(first: number, part: LoomPart): Promise<void>;
}

/** One call and the choices it brought. */
export interface LoomPart extends LoomCall {
  readonly model: string;
}

interface LoomOutcome {
  readonly completion: LoomCompletion;
  /** True if every choice was written to its end. */
  readonly isComplete: boolean;
  /** The saved parts, by the number of their first choice. */
  readonly parts: readonly number[];
}

/** Asks for every missing choice, in as many calls as the model needs; a broken stream keeps its text so far (W16). */
export async function ask(
  models: Models,
  name: string,
  loomRequest: LoomRequest,
  context: LoomAskContext,
): Promise<LoomOutcome> {
  const { finishedParts } = context;
  const { n, seed } = loomRequest.request;
  if (countChoices([...finishedParts.values()]) >= n) return outcomeOf(name, [...finishedParts]);
  const model = await models.registry.open(name).catch((error) => refuse('model_unavailable', String(error)));
  if (isRefusal(model)) return outcomeOf(name, [...finishedParts, [n, failedPart(model.refusal)]]);
  const { capabilities } = model;
  if (loomRequest.suffix !== undefined && !capabilities.fillInTheMiddle) {
    const message = `"${name}" cannot fill in the middle. Ask without that, or choose a model that can.`;
    return outcomeOf(name, [...finishedParts, [n, failedPart({ code: 'malformed', message })]]);
  }
  const plannedCalls = planCalls(n, capabilities.n, finishedParts);
  // Servers may use the same seed for every call, so each call gets its own (M11).
  const baseSeed = seed ?? (plannedCalls.length > 1 ? Math.floor(Math.random() * 2 ** 31) : undefined);
  const parts = await Promise.all(
    plannedCalls.map(async ({ first, n: count }): Promise<NumberedCall> => {
      const existing = finishedParts.get(first);
      if (existing) return [first, existing];
      const ownSeed = baseSeed === undefined ? undefined : baseSeed + Math.floor(first / capabilities.n);
      const request = buildCompletion(loomRequest, capabilities, count, ownSeed);
      const onToken: LoomAskContext['onToken'] = (choice, text) => context.onToken(first + choice, text);
      const part = await completePart(
        models,
        name,
        loomRequest,
        request,
        { ...context, onToken },
        capabilities.context,
      );
      if (isFinished(part)) await context.savePart(first, { ...part, model: name });
      return [first, part];
    }),
  );
  return outcomeOf(name, parts);
}

/** The outcome of a generation that was stopped on a server that is gone: no more calls are made (W28). */
export function stoppedOutcome(name: string, finishedParts: ReadonlyMap<number, LoomPart>): LoomOutcome {
  const fallback: NumberedCall = [0, failedPart({ code: 'model_unavailable', message: CANCELLED })];
  return outcomeOf(name, finishedParts.size > 0 ? [...finishedParts] : [fallback]);
}

/** Plans the calls for all choices: the finished parts, and as few calls as the model needs for the rest. */
function planCalls(n: number, max: number, finishedParts: ReadonlyMap<number, LoomPart>) {
  const parts: { readonly first: number; readonly n: number }[] = [];
  for (let first = 0; first < n; first += parts.at(-1)?.n ?? 1) {
    const existing = finishedParts.get(first)?.choices.length;
    const next = Math.min(n, ...[...finishedParts.keys()].filter((other) => other > first));
    parts.push({ first, n: existing ?? Math.min(max, next - first) });
  }
  return parts;
}

function countChoices(parts: readonly LoomPart[]): number {
  return parts.reduce((all, { choices }) => all + choices.length, 0);
}

function isFinished({ called: reply, choices }: LoomCall): boolean {
  return reply !== undefined && choices.every(({ finish }) => finish === 'stop' || finish === 'length');
}

function failedPart(refusal: RefusalDetail): LoomCall {
  return { called: undefined, refusal, choices: [], dropped: undefined, templated: false };
}

function outcomeOf(name: string, parts: readonly NumberedCall[]): LoomOutcome {
  const calls = parts.map(([, part]) => part);
  return {
    completion: mergeCalls(name, parts),
    isComplete: calls.every(isFinished),
    parts: parts.flatMap(([first, part]) => (isFinished(part) ? [first] : [])),
  };
}

async function completePart(
  models: Models,
  name: string,
  loomRequest: LoomRequest,
  request: Completion,
  askContext: LoomAskContext,
  maxTokens: number,
): Promise<LoomCall> {
  const { budgets, retryPolicy, onToken } = askContext;
  const nodes = nodesWithin(loomRequest.nodes, maxTokens);
  let choices: CollectedChoice[] = [];
  let templated = false;
  const { exploration } = loomRequest.request;
  const options: CallOptions = {
    model: name,
    purpose: 'loom',
    ...(exploration !== undefined && { run: exploration }),
    ...patientOptions(askContext),
    onChunk(chunk) {
      if (chunk.type === 'done') templated = chunk.templated === true;
      else collectChunk(choices, chunk, onToken);
    },
  };
  const complete = async (input: Parameters<typeof models.calls.complete>[0]): Promise<CallReply | Refusal> => {
    const { calls } = models;
    const ask = async () => {
      // Each try starts with empty choices: the end of an earlier try does not count.
      choices = Array.from({ length: request.n ?? 1 }, emptyChoice);
      return permanentIfPartial(await calls.complete(input, { ...options, budgets: await budgets() }));
    };
    const { reply } = await askWithRetry(ask, retryPolicy, calls.recoveries);
    return reply ?? refuse('model_unavailable', CANCELLED);
  };
  /** A broken stream keeps its text so far (W16). If the server names no time to retry, the person decides. */
  const permanentIfPartial = (reply: CallReply | Refusal) =>
    isRefusal(reply) && (choices.some(({ text }) => text !== '') || !shouldWait(reply)) ? withoutFault(reply) : reply;
  const fullReply = await complete(promptOfEnd.fitting(loomRequest, nodes, request));
  const isCut = isRefusal(fullReply) && fullReply.refusal.code === 'context_too_small' && nodes.length > 0;
  const reply = isCut ? await complete(promptOfEnd.cut(loomRequest, nodes, request)) : fullReply;
  if (isRefusal(reply)) {
    const message = giveUpReason(reply, 'A loom', 'generate again later.');
    const refusal = { ...reply.refusal, message };
    return { called: undefined, refusal, choices, dropped: undefined, templated };
  }
  return {
    called: reply,
    refusal: undefined,
    choices,
    dropped: droppedOf(loomRequest.nodes, nodes, reply, isCut),
    templated,
  };
}

/** True for a rate limit, or if the server says when to retry. */
function shouldWait(refusal: Refusal): boolean {
  return isTransient(refusal) && (refusal.refusal.code === 'rate_limited' || faultOf(refusal)?.afterMs !== undefined);
}

function withoutFault({ refusal: { fault: _, ...refusal } }: Refusal): Refusal {
  return { refusal };
}

function emptyChoice(): CollectedChoice {
  return { text: '', finish: undefined, withheld: false, tokens: [] };
}

function collectChunk(choices: readonly CollectedChoice[], chunk: Chunk, onToken: LoomAskContext['onToken']) {
  if (chunk.type === 'done' || chunk.type === 'refused') return;
  const choice = choices[chunk.choice];
  if (!choice) return;
  if (chunk.type === 'end') {
    choice.finish = chunk.reason;
    choice.withheld = chunk.withheld === true;
    return;
  }
  choice.text += chunk.text;
  for (const token of chunk.tokens ?? []) choice.tokens.push(token);
  onToken(chunk.choice, chunk.text);
}
