// The worker thread that holds the model and serves its requests, so that the server's own thread never waits for
// arithmetic.
import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal } from '../../../core/refusal.ts';
import { workInBackground } from '../../../platform/background.ts';
import { planGeneration } from '../generation/plan.ts';
import { createTokenizer } from '../generation/tokenizer.ts';
import { workingBytes, workingMemory } from './memory.ts';
import type { FromWorker, SmallModelData, ToWorker } from './protocol.ts';
import { createScheduler } from './scheduler.ts';
import { loadWeights } from './weights.ts';

const { path, capabilities, kernel } = workerData as SmallModelData;
const loaded = loadWeights(path, workingBytes, kernel);

const { shape, freeAt } = loaded.weights;
const tokenizer = createTokenizer(loaded.tokenizer, shape.vocabulary);
const memory = workingMemory(loaded.weights.kernel, shape, freeAt);
const scheduler = createScheduler(loaded.weights, memory, tokenizer);
// Lower the priority only after loading: loading is short, and a caller waits for it.
workInBackground();
const send = (message: FromWorker) => parentPort?.postMessage(message);
let isWorking = false;

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'cancel') scheduler.cancel(message.id);
  else if (message.type === 'count') {
    send({ type: 'count', id: message.id, tokens: tokenizer.encode(message.text).length });
  } else startRequest(message);
});

function startRequest({ id, request, seed, unread }: Extract<ToWorker, { type: 'complete' }>): void {
  const plan = planGeneration(request, tokenizer, capabilities);
  if (isRefusal(plan)) {
    send({ type: 'chunks', id, chunks: [{ type: 'refused', refusal: plan.refusal }] });
    return;
  }
  const dropped = plan.dropped + tokenizer.encode(unread).length;
  scheduler.start(id, { ...plan, dropped }, seed, (chunks) => send({ type: 'chunks', id, chunks }));
  if (!isWorking) setImmediate(runStep);
  isWorking = true;
}

/** Runs one step at a time, so that messages are handled in between: a cancelled request ends within one token. */
function runStep(): void {
  isWorking = scheduler.step();
  if (isWorking) setImmediate(runStep);
}
