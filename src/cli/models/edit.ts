import { makeDirectory } from '../../workspace/directory.ts';
import { changeModel, removeModel, setDefaults } from '../../workspace/settings/edit.ts';
import { writeDefaultSettings } from '../../workspace/settings/settings.ts';
import type { Cli } from '../cli.ts';
import { usageError } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { type ModelOptions, missingKeyLines, modelFieldsOf, parseUses, unwrapOrFail } from './fields.ts';

/** The path of the workspace's heddle.yaml; creates the file if it is missing. */
export function ensureSettingsFile({ directory }: Cli): string {
  makeDirectory(directory);
  writeDefaultSettings(directory.settings);
  return directory.settings;
}

/** Sets only the given fields and removes those given as empty. */
export function changeModelFields(cli: Cli, name: string, options: ModelOptions): void {
  const set = modelFieldsOf(options, null);
  if (Object.keys(set).length === 0)
    throw usageError(`Give the changes, such as: heddle models change ${oneLine(name)} --context 8192.`);
  const file = ensureSettingsFile(cli);
  unwrapOrFail(changeModel(file, name, set));
  cli.out.answer({ name, set, file }, `Changed "${name}" in ${file}.`, ...missingKeyLines(name, set));
}

export function removeFromSettings(cli: Cli, name: string): void {
  const file = ensureSettingsFile(cli);
  const { entry } = unwrapOrFail(removeModel(file, name));
  cli.out.answer({ name, entry, file }, `Removed "${name}" from ${file}.`);
}

export function setDefaultModel(cli: Cli, name: string, uses: string | undefined): void {
  const requestedUses = parseUses(uses ?? '');
  const roles = requestedUses.length > 0 ? requestedUses : (['mind', 'auditor', 'loom'] as const);
  const file = ensureSettingsFile(cli);
  unwrapOrFail(setDefaults(file, Object.fromEntries(roles.map((role) => [role, name]))));
  cli.out.answer({ name, default_for: roles, file }, `"${name}" is now the default for ${roles.join(', ')}.`);
}
