import { makeDirectory } from '../../workspace/directory.ts';
import { changeModel, removeModel, setDefaults } from '../../workspace/settings/edit.ts';
import { writeFirstSettings } from '../../workspace/settings/settings.ts';
import type { Cli } from '../cli.ts';
import { usage } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { fieldsOf, type ModelOptions, orFail, sayOfKey, usesIn } from './fields.ts';

/** The workspace's heddle.yaml, which is made where there is none. */
export function settingsOf({ directory }: Cli): string {
  makeDirectory(directory);
  writeFirstSettings(directory.settings);
  return directory.settings;
}

/** Sets only what was said; what is empty is taken out. */
export function change(cli: Cli, name: string, options: ModelOptions): void {
  const set = fieldsOf(options, null);
  if (Object.keys(set).length === 0)
    throw usage(`Say what to change, such as: heddle models change ${oneLine(name)} --context 8192.`);
  const file = settingsOf(cli);
  orFail(changeModel(file, name, set));
  if (cli.out.json) {
    cli.out.value({ name, set, file });
    return;
  }
  cli.out.line(`Changed "${name}" in ${file}.`);
  sayOfKey(cli.out, name, set);
}

export function remove(cli: Cli, name: string): void {
  const file = settingsOf(cli);
  const { entry } = orFail(removeModel(file, name));
  if (cli.out.json) {
    cli.out.value({ name, entry, file });
    return;
  }
  cli.out.line(`Removed "${name}" from ${file}.`);
}

export function use(cli: Cli, name: string, uses: string | undefined): void {
  const named = usesIn(uses ?? '');
  const wanted = named.length > 0 ? named : (['mind', 'auditor', 'loom'] as const);
  const file = settingsOf(cli);
  orFail(setDefaults(file, Object.fromEntries(wanted.map((role) => [role, name]))));
  if (cli.out.json) {
    cli.out.value({ name, default_for: wanted, file });
    return;
  }
  cli.out.line(`"${name}" is used for ${wanted.join(', ')} from now on, where no other is named.`);
}
