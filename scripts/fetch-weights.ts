// Brings the weights of the built-in models to this machine, once. Run again, it goes on with what is missing.
import { cacheDirectory } from '../src/models/weights/cache.ts';
import { fetchWeights, type Progress } from '../src/models/weights/fetch.ts';
import { MINILM, type Pinned, STORIES } from '../src/models/weights/pinned.ts';

if (import.meta.main) {
  const all = await fetchAll().catch((error: Error) => {
    console.error(`${error.message}\nWithout weights, Heddle runs but its built-in models do not.`);
    process.exitCode = 1;
  });
  if (all?.every((outcome) => outcome === 'present')) console.error('All weights are there.');
}

/** Weights first needed, first fetched. */
export async function fetchAll(): Promise<readonly ('present' | 'fetched')[]> {
  const outcomes: ('present' | 'fetched')[] = [];
  for (const pinned of [STORIES, MINILM]) outcomes.push(await fetchWithLine(pinned));
  return outcomes;
}

async function fetchWithLine(pinned: Pinned): Promise<'present' | 'fetched'> {
  const start = performance.now();
  const show = lineFor(pinned.name, start);
  const outcome = await fetchWeights(pinned, cacheDirectory(), show).finally(() => clearLine());
  if (outcome === 'present') return outcome;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.error(`Fetched the ${pinned.name}: ${megabytes(pinned.tarball.bytes)} MB in ${seconds} s`);
  return outcome;
}

/** One line that is written over on a terminal; elsewhere nothing until it is done. */
function lineFor(name: string, start: number): (progress: Progress) => void {
  return ({ received, total }) => {
    if (!process.stderr.isTTY) return;
    const rate = received / ((performance.now() - start) / 1000);
    const left = rate > 0 ? `${((total - received) / rate).toFixed(0)} s left` : '';
    const done = `${megabytes(received)} of ${megabytes(total)} MB, ${(rate / 1e6).toFixed(1)} MB/s, ${left}`;
    process.stderr.write(`\r\x1b[KFetching the ${name}: ${done}`);
  };
}

function clearLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
