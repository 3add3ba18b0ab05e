// A process that holds the model and serves requests to it one after the other: its library's threads may use up the
// processors, hang or crash, and the server goes on.
import { isRefusal } from '../../../core/refusal.ts';
import { workInBackground } from '../../../platform/background.ts';
import type { Chunk } from '../../model.ts';
import { planWork, type Work } from '../generation/plan.ts';
import { randomFor } from '../generation/random.ts';
import { TURN_END } from './chat-template.ts';
import { loadLlama, STRIDE } from './llama.ts';
import type { ChildData, FromChild, ToChild } from './protocol.ts';
import { createVocabulary } from './vocabulary.ts';
import { writeChoice } from './write-choice.ts';

type Wish = Extract<ToChild, { type: 'complete' }>;

/** Where nobody says otherwise. Weights of two bits have made the unlikely likelier than it was: it is left out. */
const USUAL = { maxTokens: 256, temperature: 0.7, topP: 0.9 };

const data = JSON.parse(process.argv[2] as string) as ChildData;
const waiting = new Map<number, Wish>();
let running: { readonly id: number; cancelled: boolean } | undefined;
/** So many tokens at the beginning were read stride by stride, and give the same numbers for whoever begins with them. */
let steady = 0;

// Before it has threads, so that they are polite, too.
workInBackground();
process.on('disconnect', () => process.exit());
process.on('message', (message: ToChild) => void hear(message).catch(fail));
const loading = loadLlama(data);
loading.then(() => send({ type: 'step' }), fail);

/** Whoever started this process ends it. */
function fail(error: unknown): void {
  send({ type: 'failed', why: String((error as Error)?.message ?? error).slice(0, 300) });
}

async function hear(message: ToChild): Promise<void> {
  if (message.type === 'cancel') return cancel(message.id);
  if (message.type === 'complete') {
    waiting.set(message.id, message);
    return work();
  }
  const { encode } = createVocabulary(await loading);
  send({ type: 'count', id: message.id, tokens: encode(message.text).length });
}

function cancel(id: number): void {
  const wish = waiting.get(id);
  if (running?.id === id) running.cancelled = true;
  if (!wish) return;
  waiting.delete(id);
  const choices = Array.from({ length: wish.request.n ?? 1 }, (_, choice) => choice);
  const ends: Chunk[] = choices.map((choice) => ({ type: 'end', choice, reason: 'cancelled' }));
  chunks(id, [...ends, { type: 'done', usage: { promptTokens: 0, generatedTokens: 0 }, dropped: 0 }]);
}

async function work(): Promise<void> {
  if (running) return;
  for (const [id, wish] of waiting) {
    running = { id, cancelled: false };
    waiting.delete(id);
    await answer(wish, running);
  }
  running = undefined;
}

async function answer({ id, request, seed, turns }: Wish, state: { readonly cancelled: boolean }): Promise<void> {
  const loaded = await loading;
  const vocabulary = createVocabulary(loaded, turns ? TURN_END : undefined);
  const planned = planWork({ ...USUAL, ...request }, vocabulary, data.capabilities);
  if (isRefusal(planned)) return chunks(id, [{ type: 'refused', refusal: planned.refusal }]);
  const isCancelled = () => state.cancelled;
  const prompt = planned.tokens.length - 1;
  await read(planned, isCancelled);
  let generatedTokens = 0;
  for (let choice = 0; choice < planned.n; choice++) {
    const { nextTokenIndex: end } = loaded.sequence;
    if (end > prompt) await loaded.sequence.eraseContextTokenRanges([{ start: prompt, end }]);
    const random = randomFor(seed, choice);
    generatedTokens += await writeChoice(planned, choice, {
      loaded,
      vocabulary,
      seed: () => Math.floor(random() * 2 ** 32),
      isCancelled,
      send: (chunk) => chunks(id, [chunk]),
      stepped: () => send({ type: 'step' }),
    });
  }
  const usage = { promptTokens: planned.tokens.length, generatedTokens };
  chunks(id, [{ type: 'done', usage, seed, dropped: planned.dropped }]);
}

/**
 * Reads all of a prompt but its last token. What was read for the request before is not read again, but only in whole
 * strides: tokens read in another company come out differently in the last bits, and a seed would not mean the same.
 */
async function read({ tokens }: Work, isCancelled: () => boolean): Promise<void> {
  const { sequence } = await loading;
  const last = tokens.length - 1;
  const known = sequence.contextTokens;
  let same = 0;
  while (same < Math.min(last, steady) && known[same] === tokens[same]) same++;
  let at = same - (same % STRIDE);
  const { nextTokenIndex: end } = sequence;
  if (end > at) await sequence.eraseContextTokenRanges([{ start: at, end }]);
  while (at < last && !isCancelled()) {
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, Math.min(at + STRIDE, last)));
    at = Math.min(at + STRIDE, last);
    send({ type: 'step' });
  }
  steady = at - (at % STRIDE);
}

function chunks(id: number, list: readonly Chunk[]): void {
  send({ type: 'chunks', id, chunks: list });
}

function send(message: FromChild): void {
  process.send?.(message);
}
