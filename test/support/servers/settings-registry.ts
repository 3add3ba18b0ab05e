// A registry on a heddle.yaml of its own, as the program has it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry } from '../../../src/models/registry/registry.ts';
import { openKeyStore } from '../../../src/workspace/keys/key-store.ts';
import { createRegistryWriter } from '../../../src/workspace/settings/registry-writer.ts';
import { openSettingsSource } from '../../../src/workspace/settings/source.ts';

export function registryOn(text = '', env: NodeJS.ProcessEnv = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-registry-'));
  const path = join(directory, 'heddle.yaml');
  writeFileSync(path, text);
  // Whatever the person who runs the tests has for all workspaces stays out.
  process.env.HEDDLE_CONFIG = join(directory, 'mine.yaml');
  const { current, problem } = openSettingsSource(path);
  const registry = createRegistry({
    ...{ settings: current, problem, env, directory },
    writer: createRegistryWriter(path),
    storedKey: openKeyStore().read,
  });
  return {
    registry,
    path,
    text: () => readFileSync(path, 'utf8'),
    /** As a person does it, by hand. */
    write: (next: string) => writeFileSync(path, next),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
