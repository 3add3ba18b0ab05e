import { text } from 'node:stream/consumers';
import { setModelKey } from '../../workspace/keys/model-key.ts';
import type { Cli } from '../cli.ts';
import { usage } from '../failure.ts';
import { settingsOf } from './edit.ts';
import { orFail } from './fields.ts';
import { openQuestions } from './questions.ts';

/** Stores the key of a model, typed in unseen or piped in; never as a word of the command, which others could see. */
export async function key(cli: Cli, model: string, { remove }: { readonly remove?: boolean }): Promise<void> {
  const { out } = cli;
  const file = settingsOf(cli);
  const given = remove ? '' : await keyFromPerson(model);
  if (!remove && given === '')
    throw usage(`No key was given. Type it in, or pipe it: "heddle models key ${model} < FILE".`);
  const { name, where } = orFail(setModelKey(file, model, given));
  if (out.json) return out.value({ model, name, ...(where !== undefined && { where }) });
  if (where === undefined) out.line(`The key ${name} is no longer stored.`);
  else out.line(`The key of "${model}" is stored in ${where}, as ${name}.`);
  if (where !== undefined && process.env[name])
    out.note(`The environment variable ${name} is set here, too, and goes before it.`);
}

async function keyFromPerson(model: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const questions = openQuestions('Stopped. Nothing was stored.');
  try {
    return await questions.ask({ text: `Key of ${model} (not shown)`, isSecret: true });
  } finally {
    questions.close();
  }
}
