import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ClientEntry } from '../../models/registry/schema.ts';

/** The program of a client: its command, or by default the one its adapter is made for. */
export function programNameOf({ command, adapter }: ClientEntry): string {
  return command?.[0] ?? adapter;
}

/** The path of the program that this name would start; undefined if there is none. */
export function findProgram(name: string, path: string = process.env.PATH ?? ''): string | undefined {
  const candidates = isAbsolute(name)
    ? [name]
    : name.includes('/')
      ? []
      : path.split(delimiter).map((directory) => join(directory, name));
  return candidates.find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
