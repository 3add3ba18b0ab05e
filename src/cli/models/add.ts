import { isRefusal } from '../../core/refusal.ts';
import { setModelKey } from '../../workspace/keys/model-key.ts';
import { addModel, type NewModel } from '../../workspace/settings/edit.ts';
import type { Cli } from '../cli.ts';
import { usage } from '../failure.ts';
import { settingsOf } from './edit.ts';
import { fieldsOf, orFail, sayOfKey, usesIn } from './fields.ts';
import { askForModel, type Wanted } from './wizard.ts';

/** Writes a block to heddle.yaml. A key that was typed in is stored apart from it. */
export async function addFrom(cli: Cli, name: string | undefined, options: Omit<Wanted, 'name'>): Promise<void> {
  const isWhole = name !== undefined && options.provider !== undefined;
  if (!isWhole && (cli.out.json || !process.stdin.isTTY)) {
    throw usage(
      'Say its name and --provider, such as: heddle models add chat --provider openai-chat --model some-chat.',
    );
  }
  const file = settingsOf(cli);
  const wanted = isWhole ? { ...options, name } : await askForModel(cli, file, { ...options, ...(name && { name }) });
  const model = modelOf(wanted);
  orFail(addModel(file, model));
  if (wanted.key !== undefined) storeKey(cli, file, model.name, wanted.key);
  say(cli, model);
}

function say({ out, directory }: Cli, { name, entry, defaultFor }: NewModel): void {
  if (out.json) {
    out.value({ name, entry, default_for: defaultFor, file: directory.settings });
    return;
  }
  out.line(`Added "${name}" to ${directory.settings}.`);
  sayOfKey(out, name, entry);
  out.line(out.colors.dim(`"heddle models test ${name}" tries it.`));
}

/** The model is written by then: a key that cannot be stored is told, and can be given again. */
function storeKey({ out }: Cli, file: string, model: string, key: string): void {
  const kept = setModelKey(file, model, key);
  if (isRefusal(kept)) out.note(`Its key was not stored: ${kept.refusal.message}`);
  else out.note(`Its key is stored in ${kept.where}, as ${kept.name}.`);
}

function modelOf(wanted: Wanted): NewModel {
  const entry = fieldsOf(wanted) as unknown as NewModel['entry'];
  return { name: wanted.name, entry, defaultFor: usesIn(wanted.for ?? '') };
}
