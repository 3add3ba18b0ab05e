import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Chunk } from '../../models/model.ts';
import type { Provider } from '../../models/registry/schema.ts';
import type { Called } from './calls.ts';
import type { Models } from './models.ts';

/** A few short texts, to see that a model works and what it is like. */
export interface TrialWish {
  readonly model: string;
  readonly prompt?: string;
  readonly n: number;
  readonly maxTokens: number;
  readonly seed?: number;
  /** Further fields, passed on as they are. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  onText?(choice: number, text: string): void;
}

export interface Trial extends Pick<Called, 'model' | 'label' | 'choices' | 'usage' | 'cost' | 'latency'> {
  readonly prompt: string;
  readonly kind: 'continuation' | 'answer';
  /** What was found out about the server, in sentences (M11). */
  readonly found: readonly string[];
  /** What the server says it has; absent where it does not say. */
  readonly offered?: readonly string[];
}

const BEGINNING = 'Once upon a time, a little girl found a';
const QUESTION = 'In one sentence: what is a loom for?';
const ALTERNATIVES = 3;
const ANSWERS: readonly Provider[] = ['openai-chat', 'anthropic'];

/** Asks even a model that is left alone after failures, and finds out anew what its server takes (M14). */
export async function tryModel(models: Models, wish: TrialWish): Promise<Trial | Refusal> {
  const { registry } = models;
  await registry.forgetQuirks(wish.model);
  const [tried, offered] = await Promise.all([askFor(models, wish), registry.offered(wish.model, wish.signal)]);
  const about = offered && offered.length > 0 ? { offered } : {};
  if (isRefusal(tried)) return refuse(tried.refusal.code, tried.refusal.message, { ...tried.refusal, ...about });
  const listed = (await registry.list()).find(({ name }) => name === wish.model);
  return { ...tried, found: listed?.found ?? [], ...about };
}

async function askFor({ registry, calls }: Models, wish: TrialWish): Promise<Omit<Trial, 'found'> | Refusal> {
  const entry = registry.entry(wish.model);
  if (isRefusal(entry)) return entry;
  const model = await registry.open(wish.model);
  if (isRefusal(model)) return model;
  const { capabilities } = model;
  const kind = ANSWERS.includes(entry.provider) ? 'answer' : 'continuation';
  const prompt = wish.prompt ?? (kind === 'answer' ? QUESTION : BEGINNING);

  const asked = inPortions(wish.n, capabilities.n).map(({ first, n }) => {
    const logprobs = Math.min(ALTERNATIVES, capabilities.logprobs);
    const request = {
      maxTokens: wish.maxTokens,
      evenIfResting: true as const,
      ...(wish.extra && { extra: wish.extra }),
      ...(n > 1 && { n }),
      ...(logprobs > 0 && { logprobs }),
      ...(wish.seed !== undefined && { seed: wish.seed + first }),
    };
    const onChunk = (chunk: Chunk) => chunk.type === 'text' && wish.onText?.(first + chunk.choice, chunk.text);
    const options = { model: wish.model, purpose: 'test', onChunk, ...(wish.signal && { signal: wish.signal }) };
    if (kind === 'answer') return calls.chat({ ...request, messages: [{ role: 'user', content: prompt }] }, options);
    return calls.complete({ ...request, prompt }, options);
  });
  const answers = await Promise.all(asked);
  const done = answers.filter((answer): answer is Called => !isRefusal(answer));
  return answers.find((answer) => isRefusal(answer)) ?? { ...together(done), prompt, kind };
}

/** Not every model gives several texts at once; the others are asked several times. */
function inPortions(n: number, most: number): readonly { readonly first: number; readonly n: number }[] {
  const portions = [];
  for (let first = 0; first < n; first += most) portions.push({ first, n: Math.min(most, n - first) });
  return portions;
}

function together(answers: readonly Called[]): Omit<Trial, 'prompt' | 'kind' | 'found'> {
  const [{ model, label, latency }] = answers as [Called];
  const total = (of: (answer: Called) => number) => answers.reduce((all, answer) => all + of(answer), 0);
  const usage = {
    promptTokens: total((answer) => answer.usage.promptTokens),
    generatedTokens: total((answer) => answer.usage.generatedTokens),
    ...(answers.some((answer) => answer.usage.estimated) && { estimated: true as const }),
  };
  const choices = answers.flatMap((answer) => answer.choices);
  const totalMs = Math.max(...answers.map((answer) => answer.latency.totalMs));
  const cost = total((answer) => answer.cost);
  return { model, ...(label && { label }), choices, usage, cost, latency: { ...latency, totalMs } };
}
