import { isKeyName } from '../../workspace/keys/model-key.ts';
import { problemWith } from '../../workspace/settings/problem.ts';
import { readSettings } from '../../workspace/settings/settings.ts';
import type { Cli } from '../cli.ts';
import { Failure, usage } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { fieldsOf, type ModelOptions, usesIn } from './fields.ts';
import { type Asking, openQuestions, type Question } from './questions.ts';

export interface Wanted extends ModelOptions {
  readonly name: string;
  readonly for?: string;
  /** The key itself, typed in: it is stored, and never written to heddle.yaml. */
  readonly key?: string;
}

type Entry = Parameters<Cli['host']['offered']>[0];

const LOCAL = ['embedded', 'local', 'scripted'];
const MOST_OFFERED = 20;

/** Plain questions, one after the other; each answer is checked as it is given. Enter takes what stands in brackets. */
export async function askForModel(cli: Cli, file: string, given: Partial<Wanted>): Promise<Wanted> {
  const questions = openQuestions();
  try {
    const provider = await answer(questions, given.provider, {
      text: 'Provider (openai-chat, openai-completions, anthropic, embedded, local, scripted)',
      usual: 'openai-chat',
      check: (provider) => problemIn({ provider, path: 'x', model: provider === 'local' ? 'tinyllama' : 'm' }),
    });
    const here = LOCAL.includes(provider)
      ? await askForLocal(questions, provider, given)
      : await askForRemote(cli, questions, provider, given);
    const { models } = readSettings(file);
    return {
      ...here,
      provider,
      name: await answer(questions, given.name, {
        text: 'Display name',
        usual: 'chat',
        check: (name) =>
          Object.hasOwn(models, name)
            ? `There is a model "${name}" already. Choose another name.`
            : problemWith(name, { provider: 'embedded' }),
      }),
      for: await answer(questions, given.for, {
        text: 'Default model for mind, auditor, loom (with commas; Enter for none)',
        check: (uses) => failureIn(() => usesIn(uses)),
      }),
    };
  } finally {
    questions.close();
  }
}

async function askForLocal(questions: Asking, provider: string, given: Partial<Wanted>): Promise<Partial<Wanted>> {
  if (provider === 'local') return { model: given.model ?? 'tinyllama' };
  if (provider !== 'scripted') return {};
  const check = (path: string) => problemIn({ provider, path });
  return { path: await answer(questions, given.path, { text: 'File it plays', check }) };
}

async function askForRemote(
  { out, host }: Cli,
  questions: Asking,
  provider: string,
  given: Partial<Wanted>,
): Promise<Partial<Wanted>> {
  const about = (field: keyof ModelOptions) => (value: string) => problemIn({ provider, model: 'm', [field]: value });
  out.note('Most servers, such as llama.cpp, Ollama, vLLM and OpenRouter, are openai-chat.');
  const baseUrl = await answer(questions, given.baseUrl, {
    text: 'Address',
    usual: provider === 'anthropic' ? '' : 'http://127.0.0.1:8080/v1',
    check: about('baseUrl'),
  });
  const said = await answer(questions, given.keyEnv, {
    text: 'Key, or the name of its environment variable (not shown; Enter for none)',
    isSecret: true,
    check: (text) => (isKeyName(text) || !/\s/.test(text) ? undefined : 'A key is one word.'),
  });
  const key = said === '' || isKeyName(said) ? {} : { key: said };
  const keyEnv = isKeyName(said) ? { keyEnv: said } : {};
  const server = { provider, model: 'm', ...(baseUrl && { base_url: baseUrl }), api_key_env: keyEnv.keyEnv ?? 'TYPED' };
  const offered = given.model === undefined ? ((await host.offered(server as Entry, key.key)) ?? []) : [];
  if (offered.length > 0) out.note(`The server offers: ${offered.slice(0, MOST_OFFERED).map(oneLine).join(', ')}.`);
  const model = await answer(questions, given.model, {
    text: 'Model ID',
    ...(offered.length === 1 && { usual: offered[0] as string }),
    check: (text) => (text === '' ? 'Say which model, as its server calls it.' : about('model')(text)),
  });
  if (offered.length > 0 && !offered.includes(model)) out.note(`The server does not list "${oneLine(model)}".`);
  return {
    baseUrl,
    model,
    ...key,
    ...keyEnv,
    context: await answer(questions, given.context, {
      text: 'Context in tokens (Enter for the usual)',
      check: about('context'),
    }),
    price: await answer(questions, given.price, {
      text: 'Price per million tokens, read,written (Enter if you do not know)',
      check: about('price'),
    }),
  };
}

/** What was said as an option is not asked for. */
async function answer(questions: Asking, given: string | undefined, question: Question): Promise<string> {
  return given ?? questions.ask(question);
}

function problemIn(options: ModelOptions): string | undefined {
  return failureIn(() => {
    const problem = problemWith('new', entryOf(fieldsOf(options)));
    if (problem !== undefined) throw usage(problem);
  });
}

/** Only what this provider has: the others are asked for later, or not at all. */
function entryOf({ path, model, ...fields }: Record<string, unknown>): object {
  const { provider } = fields;
  return {
    ...fields,
    ...(provider === 'scripted' && { path }),
    ...(provider !== 'scripted' && provider !== 'embedded' && { model }),
  };
}

function failureIn(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
