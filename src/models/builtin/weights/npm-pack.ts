import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.ts';

/**
 * Downloads a package's archive into `directory` with npm, and returns the path of the archive. Nothing of the
 * package is installed or run.
 */
export async function npmPack(
  spec: string,
  directory: string,
  onReceived: (bytes: number) => void,
  { stalledMs, signal }: { readonly stalledMs?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const args = ['pack', spec, '--json', '--pack-destination', directory];
  await runNpm({ args, directory, label: spec, measure: largestFile, onReceived, stalledMs, signal });
  const archive = readdirSync(directory).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm fetched ${spec} but left no archive.`);
  return join(directory, archive);
}

function largestFile(folder: string): number {
  return Math.max(0, ...fileSizes(folder));
}

export function fileSizes(folder: string): readonly number[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
  } catch {
    return []; // Not there yet, or changing under our eyes.
  }
}
