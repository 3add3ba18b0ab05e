import type { CodeLines } from './highlight.ts';
import type { HighlightRequest, HighlightResult } from './highlight-worker.ts';

/** A grammar is a set of expressions, and a hostile text may make one of them run for ever: this long, and no longer. */
const TIME_LIMIT_MS = 5000;

let worker: Worker | undefined;
let lastId = 0;
const pending = new Map<number, (lines: CodeLines | undefined) => void>();

/** Colours code beside the page, which stays free meanwhile. Undefined where it cannot be coloured. */
export function highlightBeside(text: string, language: string): Promise<CodeLines | undefined> {
  worker ??= startWorker();
  const id = ++lastId;
  return new Promise((resolve) => {
    const timer = setTimeout(restart, TIME_LIMIT_MS);
    pending.set(id, (lines) => {
      clearTimeout(timer);
      resolve(lines);
    });
    worker?.postMessage({ id, text, language } satisfies HighlightRequest);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<HighlightResult>) => settle(data.id, data.lines));
  started.addEventListener('error', restart);
  return started;
}

/** What waits goes without colours, also what was only behind the text that took too long. */
function restart(): void {
  worker?.terminate();
  worker = undefined;
  for (const id of [...pending.keys()]) settle(id, undefined);
}

function settle(id: number, lines: CodeLines | undefined): void {
  pending.get(id)?.(lines);
  pending.delete(id);
}
