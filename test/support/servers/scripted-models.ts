import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModels } from '../../../src/engine/calls/models.ts';
import { createSecrets } from '../../../src/engine/secrets.ts';
import type { EventLog } from '../../../src/log/event-log.ts';
import { createRegistry } from '../../../src/models/registry/registry.ts';
import type { RegistrySettings } from '../../../src/models/registry/schema.ts';

/** Answers of a script in order; a text is an answer that says only that. */
export function scriptOf(answers: readonly (string | object)[], more: object = {}): object {
  return { ...more, answers: answers.map((answer) => (typeof answer === 'string' ? { text: answer } : answer)) };
}

/** Models that play scripts, by name, beside others of the registry. `directory` holds the scripts. */
export function openScriptedModels(
  log: EventLog,
  scripts: Readonly<Record<string, object>>,
  { models: others, ...settings }: Partial<RegistrySettings>,
) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-scripts-'));
  const scripted = Object.entries(scripts).map(([name, script]) => {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(script));
    return [name, { provider: 'scripted' as const, path: `${name}.json` }] as const;
  });
  const models = { ...Object.fromEntries(scripted), ...others };
  const registry = createRegistry({
    settings: () => ({ clients: {}, defaults: {}, budgets: {}, ...settings, models }),
    directory,
  });
  const secrets = createSecrets(registry.keys);
  return {
    directory,
    secrets,
    models: createModels({ log, registry, secrets }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
