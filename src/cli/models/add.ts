import { isRefusal } from '../../core/refusal.ts';
import { setModelKey } from '../../workspace/keys/model-key.ts';
import { addModel, type NewModel } from '../../workspace/settings/edit.ts';
import type { Cli } from '../cli.ts';
import { usageError } from '../failure.ts';
import { ensureSettingsFile } from './edit.ts';
import { missingKeyLines, modelFieldsOf, parseUses, unwrapOrFail } from './fields.ts';
import { askForModel, type NewModelOptions } from './wizard.ts';

/** Writes a model to heddle.yaml. A key that the user typed is stored separately. */
export async function addModelFromOptions(
  cli: Cli,
  name: string | undefined,
  options: Omit<NewModelOptions, 'name'>,
): Promise<void> {
  const isComplete = name !== undefined && options.provider !== undefined;
  if (!isComplete && (cli.out.json || !process.stdin.isTTY)) {
    throw usageError(
      'Give its name and --provider, such as: heddle models add chat --provider openai-chat --model some-chat.',
    );
  }
  const file = ensureSettingsFile(cli);
  const modelOptions = isComplete
    ? { ...options, name }
    : await askForModel(cli, file, { ...options, ...(name && { name }) });
  const model = newModelOf(modelOptions);
  unwrapOrFail(addModel(file, model));
  if (modelOptions.key !== undefined) storeKey(cli, file, model.name, modelOptions.key);
  const { name: newName, entry, defaultFor } = model;
  cli.out.answer(
    { name: newName, entry, default_for: defaultFor, file },
    `Added "${newName}" to ${file}.`,
    ...missingKeyLines(newName, entry),
    cli.out.colors.dim(`Test it: heddle models test ${newName}`),
  );
}

/** The model is already written, so a key that cannot be stored is only a note. The user can set it again. */
function storeKey({ out }: Cli, file: string, model: string, key: string): void {
  const outcome = setModelKey(file, model, key);
  if (isRefusal(outcome)) out.note(`Its key was not stored: ${outcome.refusal.message}`);
  else out.note(`Its key is stored in ${outcome.where}, as ${outcome.name}.`);
}

function newModelOf(modelOptions: NewModelOptions): NewModel {
  const entry = modelFieldsOf(modelOptions) as unknown as NewModel['entry'];
  return { name: modelOptions.name, entry, defaultFor: parseUses(modelOptions.for ?? '') };
}
