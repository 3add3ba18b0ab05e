// The process that holds the model and serves requests one after the other. Its library's threads may use up the
// processors, hang or crash; the server keeps running.
import { isRefusal } from '../../../core/refusal.ts';
import { workInBackground } from '../../../platform/background.ts';
import type { Capabilities, Chunk } from '../../model.ts';
import { type GenerationPlan, planGeneration } from '../generation/plan.ts';
import { randomFor } from '../generation/random.ts';
import { cancelledChunks } from '../generation/stream.ts';
import type { GenerationTask, WorkerReply, WorkerRequest } from '../worker-requests.ts';
import { TURN_END } from './chat-template.ts';
import { type LlamaLoadOptions, loadLlama, STRIDE } from './llama.ts';
import { createVocabulary } from './vocabulary.ts';
import { writeChoice } from './write-choice.ts';

/** The start-up data of the process, as JSON in its first argument. */
export interface LargerModelData extends LlamaLoadOptions {
  readonly capabilities: Capabilities;
}

export interface LargerModelTask extends GenerationTask {
  /** The prompt is a conversation (see chat-template.ts). */
  readonly turns: boolean;
}

export type FromChild =
  | WorkerReply
  /** A sign of progress, so that the parent knows the process is not hung. */
  | { readonly type: 'step' }
  /** The model cannot be loaded, or crashed. */
  | { readonly type: 'failed'; readonly why: string };

type ToChild = WorkerRequest<LargerModelTask>;
type CompleteMessage = Extract<ToChild, { type: 'complete' }>;

/**
 * Used when the request sets none. Two-bit weights make unlikely tokens likelier than they should be, so topP drops
 * them.
 */
const DEFAULTS = { maxTokens: 256, temperature: 0.7, topP: 0.9 };

const data = JSON.parse(process.argv[2] as string) as LargerModelData;
const queue = new Map<number, CompleteMessage>();
let running: { readonly id: number; cancelled: boolean } | undefined;
/**
 * The number of tokens at the start that were read in whole strides, and so give the same numbers for every prompt
 * that starts with them.
 */
let stridedTokens = 0;

// Call this before any threads start, so that they inherit the low priority.
workInBackground();
process.on('disconnect', () => process.exit());
process.on('message', (message: ToChild) => void receive(message).catch(fail));
const loading = loadLlama(data);
loading.then(() => send({ type: 'step' }), fail);

/** Reports the error; the parent process then ends this one. */
function fail(error: unknown): void {
  send({ type: 'failed', why: String((error as Error)?.message ?? error).slice(0, 300) });
}

async function receive(message: ToChild): Promise<void> {
  if (message.type === 'cancel') return cancel(message.id);
  if (message.type === 'complete') {
    queue.set(message.id, message);
    return runQueue();
  }
  const { encode } = createVocabulary(await loading);
  send({ type: 'count', id: message.id, tokens: encode(message.text).length });
}

function cancel(id: number): void {
  const queued = queue.get(id);
  if (running?.id === id) running.cancelled = true;
  if (!queued) return;
  queue.delete(id);
  sendChunks(id, cancelledChunks(queued.request.n ?? 1));
}

async function runQueue(): Promise<void> {
  if (running) return;
  for (const [id, message] of queue) {
    running = { id, cancelled: false };
    queue.delete(id);
    await runRequest(message, running);
  }
  running = undefined;
}

async function runRequest(
  { id, request, seed, turns }: CompleteMessage,
  state: { readonly cancelled: boolean },
): Promise<void> {
  const loaded = await loading;
  const vocabulary = createVocabulary(loaded, turns ? TURN_END : undefined);
  const plan = planGeneration({ ...DEFAULTS, ...request }, vocabulary, data.capabilities);
  if (isRefusal(plan)) return sendChunks(id, [{ type: 'refused', refusal: plan.refusal }]);
  const isCancelled = () => state.cancelled;
  const promptEnd = plan.tokens.length - 1;
  await readPrompt(plan, isCancelled);
  let generatedTokens = 0;
  for (let choice = 0; choice < plan.n; choice++) {
    const { nextTokenIndex: end } = loaded.sequence;
    if (end > promptEnd) await loaded.sequence.eraseContextTokenRanges([{ start: promptEnd, end }]);
    const random = randomFor(seed, choice);
    generatedTokens += await writeChoice(plan, choice, {
      loaded,
      vocabulary,
      seed: () => Math.floor(random() * 2 ** 32),
      isCancelled,
      send: (chunk) => sendChunks(id, [chunk]),
      onToken: () => send({ type: 'step' }),
    });
  }
  const usage = { promptTokens: plan.tokens.length, generatedTokens };
  sendChunks(id, [{ type: 'done', usage, seed, dropped: plan.dropped }]);
}

/**
 * Reads all of a prompt but its last token. Tokens shared with the previous request are not read again, but only in
 * whole strides: tokens read in another grouping differ in the last bits, and a seed would no longer give the same
 * result.
 */
async function readPrompt({ tokens }: GenerationPlan, isCancelled: () => boolean): Promise<void> {
  const { sequence } = await loading;
  const promptEnd = tokens.length - 1;
  const contextTokens = sequence.contextTokens;
  let sharedTokens = 0;
  while (sharedTokens < Math.min(promptEnd, stridedTokens) && contextTokens[sharedTokens] === tokens[sharedTokens])
    sharedTokens++;
  let position = sharedTokens - (sharedTokens % STRIDE);
  const { nextTokenIndex: end } = sequence;
  if (end > position) await sequence.eraseContextTokenRanges([{ start: position, end }]);
  while (position < promptEnd && !isCancelled()) {
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(position, Math.min(position + STRIDE, promptEnd)));
    position = Math.min(position + STRIDE, promptEnd);
    send({ type: 'step' });
  }
  stridedTokens = position - (position % STRIDE);
}

function sendChunks(id: number, items: readonly Chunk[]): void {
  send({ type: 'chunks', id, chunks: items });
}

function send(message: FromChild): void {
  process.send?.(message);
}
