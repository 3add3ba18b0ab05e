import type { CodeLines } from './highlight.ts';
import type { HighlightRequest, HighlightResult } from './highlight-worker.ts';

/** A grammar is a set of expressions, and a hostile text may make one of them run for ever: this long, and no longer. */
const TIME_LIMIT_MS = 5000;

interface Pending extends HighlightRequest {
  readonly resolve: (lines: CodeLines | undefined) => void;
}

let worker: Worker | undefined;
let lastId = 0;
/** One at a time: if the worker must be ended, it is clear which text kept it busy. */
const queue: Pending[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Colours code beside the page, which stays free meanwhile. Undefined where it cannot be coloured. */
export function highlightBeside(text: string, language: string): Promise<CodeLines | undefined> {
  return new Promise((resolve) => {
    queue.push({ id: ++lastId, text, language, resolve });
    if (queue.length === 1) next();
  });
}

function next(): void {
  const [first] = queue;
  if (!first) return;
  worker ??= startWorker();
  timer = setTimeout(endWorker, TIME_LIMIT_MS);
  const { id, text, language } = first;
  worker.postMessage({ id, text, language } satisfies HighlightRequest);
}

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<HighlightResult>) => settleFirst(data.lines));
  started.addEventListener('error', endWorker);
  return started;
}

function endWorker(): void {
  worker?.terminate();
  worker = undefined;
  settleFirst(undefined);
}

function settleFirst(lines: CodeLines | undefined): void {
  clearTimeout(timer);
  queue.shift()?.resolve(lines);
  next();
}
