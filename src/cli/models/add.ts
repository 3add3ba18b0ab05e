import { createInterface } from 'node:readline/promises';
import { makeDirectory } from '../../workspace/directory.ts';
import { readSettings, writeFirstSettings } from '../../workspace/settings.ts';
import { addModel, type NewModel, problemWith } from '../../workspace/settings-edit.ts';
import type { Cli } from '../cli.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { oneLine } from '../text.ts';

export interface AddOptions {
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly keyEnv?: string;
  readonly context?: string;
  readonly price?: string;
  readonly path?: string;
  readonly for?: string;
}

const USES = ['mind', 'auditor', 'loom'];

/** Writes a block to heddle.yaml. Whatever is asked for, a key never is: only where to find it. */
export async function addFrom(cli: Cli, name: string | undefined, options: AddOptions): Promise<void> {
  const isWhole = name !== undefined && options.provider !== undefined;
  if (!isWhole && (cli.out.json || !process.stdin.isTTY)) {
    throw usage(
      'Say its name and --provider, such as: heddle models add chat --provider openai-chat --model some-chat.',
    );
  }
  const wanted = isWhole ? { ...options, name } : await ask(cli, { ...options, ...(name && { name }) });
  const model = modelOf(wanted);
  const problem = problemWith(model);
  if (problem) throw usage(`${problem} Nothing was written.`);
  const { settings: path } = cli.directory;
  makeDirectory(cli.directory);
  writeFirstSettings(path);
  // "small" is there without being written: writing it is no second one.
  if (isTaken(path, model.name))
    throw new Failure(
      'exists',
      `There is a model "${model.name}" already. Choose another name, or change it in ${path}.`,
      EXIT.refused,
    );
  addModel(path, model);
  say(cli, model);
}

function isTaken(path: string, name: string): boolean {
  const { models } = readSettings(path);
  return Object.hasOwn(models, name);
}

function say({ out, directory }: Cli, { name, entry, defaultFor }: NewModel): void {
  if (out.json) {
    out.value({ name, entry, default_for: defaultFor, file: directory.settings });
    return;
  }
  out.line(`Added "${name}" to ${directory.settings}.`);
  const key = 'api_key_env' in entry ? entry.api_key_env : undefined;
  if (key !== undefined && !process.env[key])
    out.line(`Its key is looked for in ${key}, which is not set here: set it where Heddle is started.`);
  out.line(out.colors.dim(`"heddle models test ${name}" tries it.`));
}

interface Wanted extends AddOptions {
  readonly name: string;
}

function modelOf(wanted: Wanted): NewModel {
  const { name, provider, baseUrl, model, keyEnv, context, price, path } = wanted;
  const uses = (wanted.for ?? '')
    .split(',')
    .map((use) => use.trim())
    .filter(Boolean);
  const strange = uses.find((use) => !USES.includes(use));
  if (strange !== undefined) throw usage(`"--for ${oneLine(strange)}" should be mind, auditor or loom.`);
  const entry = {
    provider,
    ...(baseUrl && { base_url: baseUrl }),
    ...(model && { model }),
    ...(keyEnv && { api_key_env: keyEnv }),
    ...(context && { context: number('--context', context) }),
    ...(price && { price: priceOf(price) }),
    ...(path && { path }),
  };
  return { name, entry: entry as NewModel['entry'], defaultFor: uses as NewModel['defaultFor'] };
}

function priceOf(text: string): { input: number; output: number } {
  const [input = '', output = '', ...rest] = text.split(',');
  if (rest.length > 0 || output === '') throw usage(`"--price ${oneLine(text)}" should be two numbers, such as 3,15.`);
  return { input: number('--price', input), output: number('--price', output) };
}

function number(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw usage(`"${option} ${oneLine(text)}" is not a number.`);
  return value;
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
