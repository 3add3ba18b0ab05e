import { text } from 'node:stream/consumers';
import { setModelKey } from '../../workspace/keys/model-key.ts';
import type { Cli } from '../cli.ts';
import { usageError } from '../failure.ts';
import { ensureSettingsFile } from './edit.ts';
import { unwrapOrFail } from './fields.ts';
import { openQuestionnaire } from './questions.ts';

/** Stores a model's key from a hidden prompt or a pipe, never from an argument, which other users could see. */
export async function storeKey(cli: Cli, model: string, { remove }: { readonly remove?: boolean }): Promise<void> {
  const { out } = cli;
  const file = ensureSettingsFile(cli);
  const keyText = remove ? '' : await readKey(model);
  if (!remove && keyText === '')
    throw usageError(`No key was given. Type it in, or pipe it: "heddle models key ${model} < FILE".`);
  const { name, where } = unwrapOrFail(setModelKey(file, model, keyText));
  out.answer(
    { model, name, where },
    where === undefined
      ? `The key ${name} is no longer stored.`
      : `The key of "${model}" is stored in ${where}, as ${name}.`,
  );
  if (where !== undefined && process.env[name])
    out.note(`The environment variable ${name} is also set and takes precedence.`);
}

async function readKey(model: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const questions = openQuestionnaire('Stopped. Nothing was stored.');
  try {
    return await questions.ask({ text: `Key of ${model} (not shown)`, isSecret: true });
  } finally {
    questions.close();
  }
}
