import { createInterface } from 'node:readline/promises';
import { addModel, type NewModel } from '../../workspace/settings-edit.ts';
import type { Cli } from '../cli.ts';
import { Failure, usage } from '../failure.ts';
import { settingsOf } from './edit.ts';
import { fieldsOf, type ModelOptions, orFail, sayOfKey, usesIn } from './fields.ts';

/** Writes a block to heddle.yaml. Whatever is asked for, a key never is: only where to find it. */
export async function addFrom(cli: Cli, name: string | undefined, options: Omit<Wanted, 'name'>): Promise<void> {
  const isWhole = name !== undefined && options.provider !== undefined;
  if (!isWhole && (cli.out.json || !process.stdin.isTTY)) {
    throw usage(
      'Say its name and --provider, such as: heddle models add chat --provider openai-chat --model some-chat.',
    );
  }
  const wanted = isWhole ? { ...options, name } : await ask(cli, { ...options, ...(name && { name }) });
  const model = modelOf(wanted);
  orFail(addModel(settingsOf(cli), model));
  say(cli, model);
}

function say({ out, directory }: Cli, { name, entry, defaultFor }: NewModel): void {
  if (out.json) {
    out.value({ name, entry, default_for: defaultFor, file: directory.settings });
    return;
  }
  out.line(`Added "${name}" to ${directory.settings}.`);
  sayOfKey(out, entry);
  out.line(out.colors.dim(`"heddle models test ${name}" tries it.`));
}

interface Wanted extends ModelOptions {
  readonly name: string;
  readonly for?: string;
}

function modelOf(wanted: Wanted): NewModel {
  const entry = fieldsOf(wanted) as unknown as NewModel['entry'];
  return { name: wanted.name, entry, defaultFor: usesIn(wanted.for ?? '') };
}

/** Plain questions, one after the other; Enter takes what stands in brackets. */
async function ask({ out }: Cli, given: Partial<Wanted>): Promise<Wanted> {
  const reader = createInterface({ input: process.stdin });
  // Asked line by line, so that answers which were pasted all at once are heard, too.
  const lines = reader[Symbol.asyncIterator]();
  const question = async (text: string, usual = '') => {
    process.stderr.write(`${text}${usual === '' ? '' : ` [${usual}]`}: `);
    const { value, done } = await lines.next();
    if (done) throw new Failure('stopped', 'Stopped. Nothing was written.');
    return value.trim() || usual;
  };
  try {
    const provider =
      given.provider ??
      (await question(
        'Provider (openai-chat, openai-completions, anthropic, embedded, local, scripted)',
        'openai-chat',
      ));
    const isRemote = !['embedded', 'local', 'scripted'].includes(provider);
    if (isRemote) out.note('Most servers, such as llama.cpp, Ollama, vLLM and OpenRouter, are openai-chat.');
    const usualPlace = provider === 'anthropic' ? '' : 'http://127.0.0.1:8080/v1';
    const answers = {
      provider,
      baseUrl: given.baseUrl ?? (isRemote ? await question('Address', usualPlace) : ''),
      model:
        given.model ??
        (isRemote ? await question('Model, as it is called there') : provider === 'local' ? 'tinyllama' : ''),
      path: given.path ?? (provider === 'scripted' ? await question('File it plays') : ''),
      keyEnv:
        given.keyEnv ??
        (isRemote ? await question('Environment variable that has the key (its name; Enter for none)') : ''),
      context: given.context ?? (isRemote ? await question('Context in tokens (Enter for the usual)') : ''),
      price: given.price ?? (isRemote ? await question('Price per million tokens, read,written (Enter for free)') : ''),
      name: given.name ?? (await question('What to call it here', 'chat')),
      for: given.for ?? (await question('Use it for mind, auditor, loom (with commas; Enter for none)')),
    };
    return answers;
  } finally {
    reader.close();
  }
}
