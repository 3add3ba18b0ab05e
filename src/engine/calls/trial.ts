import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Chunk } from '../../models/model.ts';
import type { ModelProvider } from '../../models/registry/schema.ts';
import type { CallReply } from './calls.ts';
import type { Models } from './models.ts';

/** A trial of a model: a few short texts that show whether it works and how it writes. */
export interface TrialRequest {
  readonly model: string;
  readonly prompt?: string;
  readonly n: number;
  readonly maxTokens: number;
  readonly seed?: number;
  /** Extra fields, passed on unchanged. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  onText?(choice: number, text: string): void;
}

export interface TrialResult extends Pick<CallReply, 'model' | 'label' | 'choices' | 'usage' | 'cost' | 'latency'> {
  readonly prompt: string;
  readonly kind: 'continuation' | 'answer';
  /** Findings about the server, in sentences (M11). */
  readonly found: readonly string[];
  /** The models that the server lists; absent if it lists none. */
  readonly offered?: readonly string[];
}

const STORY_START = 'Once upon a time, a little girl found a';
const QUESTION = 'In one sentence: what is a loom for?';
const ALTERNATIVES = 3;
const CHAT_PROVIDERS: readonly ModelProvider[] = ['openai-chat', 'anthropic'];

/** Asks even a model whose circuit breaker is open, and probes its server's quirks again (M14). */
export async function tryModel(models: Models, trial: TrialRequest): Promise<TrialResult | Refusal> {
  const { registry } = models;
  await registry.forgetQuirks(trial.model);
  const [result, offered] = await Promise.all([
    runTrial(models, trial),
    registry.listServerModels(trial.model, trial.signal),
  ]);
  const details = offered && offered.length > 0 ? { offered } : {};
  if (isRefusal(result)) return refuse(result.refusal.code, result.refusal.message, { ...result.refusal, ...details });
  const listing = (await registry.list()).find(({ name }) => name === trial.model);
  return { ...result, found: listing?.found ?? [], ...details };
}

async function runTrial(
  { registry, calls }: Models,
  trial: TrialRequest,
): Promise<Omit<TrialResult, 'found'> | Refusal> {
  const entry = registry.entry(trial.model);
  if (isRefusal(entry)) return entry;
  const model = await registry.open(trial.model);
  if (isRefusal(model)) return model;
  const { capabilities } = model;
  const kind = CHAT_PROVIDERS.includes(entry.provider) ? 'answer' : 'continuation';
  const prompt = trial.prompt ?? (kind === 'answer' ? QUESTION : STORY_START);

  const pendingCalls = splitIntoBatches(trial.n, capabilities.n).map(({ first, n }) => {
    const logprobs = Math.min(ALTERNATIVES, capabilities.logprobs);
    const request = {
      maxTokens: trial.maxTokens,
      evenIfResting: true as const,
      ...(trial.extra && { extra: trial.extra }),
      ...(n > 1 && { n }),
      ...(logprobs > 0 && { logprobs }),
      ...(trial.seed !== undefined && { seed: trial.seed + first }),
    };
    const onChunk = (chunk: Chunk) => chunk.type === 'text' && trial.onText?.(first + chunk.choice, chunk.text);
    const options = { model: trial.model, purpose: 'test', onChunk, ...(trial.signal && { signal: trial.signal }) };
    if (kind === 'answer') return calls.chat({ ...request, messages: [{ role: 'user', content: prompt }] }, options);
    return calls.complete({ ...request, prompt }, options);
  });
  const replies = await Promise.all(pendingCalls);
  const completed = replies.filter((reply): reply is CallReply => !isRefusal(reply));
  return replies.find((reply) => isRefusal(reply)) ?? { ...mergeReplies(completed), prompt, kind };
}

/** Some models return only one text per call; those are called several times. */
function splitIntoBatches(n: number, max: number): readonly { readonly first: number; readonly n: number }[] {
  const batches = [];
  for (let first = 0; first < n; first += max) batches.push({ first, n: Math.min(max, n - first) });
  return batches;
}

function mergeReplies(replies: readonly CallReply[]): Omit<TrialResult, 'prompt' | 'kind' | 'found'> {
  const [{ model, label, latency }] = replies as [CallReply];
  const total = (of: (reply: CallReply) => number) => replies.reduce((all, reply) => all + of(reply), 0);
  const usage = {
    promptTokens: total((reply) => reply.usage.promptTokens),
    generatedTokens: total((reply) => reply.usage.generatedTokens),
    ...(replies.some((reply) => reply.usage.estimated) && { estimated: true as const }),
  };
  const choices = replies.flatMap((reply) => reply.choices);
  const totalMs = Math.max(...replies.map((reply) => reply.latency.totalMs));
  const cost = total((reply) => reply.cost);
  return { model, ...(label && { label }), choices, usage, cost, latency: { ...latency, totalMs } };
}
