// The worker thread that holds the model and serves its requests, so that the server's own thread never waits for
// arithmetic.
import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal } from '../../../core/refusal.ts';
import { workInBackground } from '../../../platform/background.ts';
import type { Capabilities } from '../../model.ts';
import { planGeneration } from '../generation/plan.ts';
import { createTokenizer } from '../generation/tokenizer.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { GenerationTask, WorkerReply, WorkerRequest } from '../worker-requests.ts';
import { workingBytes, workingMemory } from './memory.ts';
import { createScheduler } from './scheduler.ts';
import { loadWeights } from './weights.ts';

export interface SmallModelData {
  readonly path: string;
  readonly capabilities: Capabilities;
  readonly kernel?: Kernel['name'];
}

export interface SmallModelTask extends GenerationTask {
  /** Text omitted earlier, which counts as dropped. */
  readonly unread: string;
}

type Request = WorkerRequest<SmallModelTask>;

const { path, capabilities, kernel } = workerData as SmallModelData;
const loaded = loadWeights(path, workingBytes, kernel);

const { shape, freeAt } = loaded.weights;
const tokenizer = createTokenizer(loaded.tokenizer, shape.vocabulary);
const memory = workingMemory(loaded.weights.kernel, shape, freeAt);
const scheduler = createScheduler(loaded.weights, memory, tokenizer);
// Lower the priority only after loading: loading is short, and a caller waits for it.
workInBackground();
const send = (message: WorkerReply) => parentPort?.postMessage(message);
let isWorking = false;

parentPort?.on('message', (message: Request) => {
  if (message.type === 'cancel') scheduler.cancel(message.id);
  else if (message.type === 'count') {
    send({ type: 'count', id: message.id, tokens: tokenizer.encode(message.text).length });
  } else startRequest(message);
});

function startRequest({ id, request, seed, unread }: Extract<Request, { type: 'complete' }>): void {
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
