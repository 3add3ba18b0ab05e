import { isKeyName } from '../../workspace/keys/model-key.ts';
import { modelProblem } from '../../workspace/settings/problem.ts';
import { readSettings } from '../../workspace/settings/settings.ts';
import type { Cli } from '../cli.ts';
import { Failure, usageError } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { type ModelOptions, modelFieldsOf, parseUses } from './fields.ts';
import { openQuestionnaire, type Questionnaire, type TerminalQuestion } from './questions.ts';

export interface NewModelOptions extends ModelOptions {
  readonly name: string;
  readonly for?: string;
  /** The key that the user typed. It goes to the key store, never to heddle.yaml. */
  readonly key?: string;
}

type RemoteModelEntry = Parameters<Cli['host']['listOfferedModels']>[0];

const LOCAL_PROVIDERS = ['embedded', 'local', 'scripted'];
const MAX_OFFERED = 20;

/** Asks one question at a time and checks each answer. Enter takes the default in brackets. */
export async function askForModel(cli: Cli, file: string, preset: Partial<NewModelOptions>): Promise<NewModelOptions> {
  const questions = openQuestionnaire();
  try {
    const provider = await askUnlessGiven(questions, preset.provider, {
      text: 'Provider (openai-chat, openai-completions, anthropic, embedded, local, scripted)',
      defaultAnswer: 'openai-chat',
      check: (provider) => optionsProblem({ provider, path: 'x', model: provider === 'local' ? 'tinyllama' : 'm' }),
    });
    const details = LOCAL_PROVIDERS.includes(provider)
      ? await askForLocal(questions, provider, preset)
      : await askForRemote(cli, questions, provider, preset);
    const { models } = readSettings(file);
    return {
      ...details,
      provider,
      name: await askUnlessGiven(questions, preset.name, {
        text: 'Display name',
        defaultAnswer: 'chat',
        check: (name) =>
          Object.hasOwn(models, name)
            ? `There is already a model "${name}". Choose another name.`
            : modelProblem(name, { provider: 'embedded' }),
      }),
      for: await askUnlessGiven(questions, preset.for, {
        text: 'Default model for mind, auditor, loom (with commas; Enter for none)',
        check: (uses) => failureMessageOf(() => parseUses(uses)),
      }),
    };
  } finally {
    questions.close();
  }
}

async function askForLocal(
  questions: Questionnaire,
  provider: string,
  preset: Partial<NewModelOptions>,
): Promise<Partial<NewModelOptions>> {
  if (provider === 'local') return { model: preset.model ?? 'tinyllama' };
  if (provider !== 'scripted') return {};
  const check = (path: string) => optionsProblem({ provider, path });
  return { path: await askUnlessGiven(questions, preset.path, { text: 'Script file', check }) };
}

async function askForRemote(
  { out, host }: Cli,
  questions: Questionnaire,
  provider: string,
  preset: Partial<NewModelOptions>,
): Promise<Partial<NewModelOptions>> {
  const checkField = (field: keyof ModelOptions) => (value: string) =>
    optionsProblem({ provider, model: 'm', [field]: value });
  out.note('Most servers, such as llama.cpp, Ollama, vLLM and OpenRouter, are openai-chat.');
  const baseUrl = await askUnlessGiven(questions, preset.baseUrl, {
    text: 'Address',
    defaultAnswer: provider === 'anthropic' ? '' : 'http://127.0.0.1:8080/v1',
    check: checkField('baseUrl'),
  });
  const keyInput = await askUnlessGiven(questions, preset.keyEnv, {
    text: 'Key, or the name of its environment variable (not shown; Enter for none)',
    isSecret: true,
    check: (text) => (isKeyName(text) || !/\s/.test(text) ? undefined : 'A key contains no spaces.'),
  });
  const key = keyInput === '' || isKeyName(keyInput) ? {} : { key: keyInput };
  const keyEnv = isKeyName(keyInput) ? { keyEnv: keyInput } : {};
  const server = { provider, model: 'm', ...(baseUrl && { base_url: baseUrl }), api_key_env: keyEnv.keyEnv ?? 'TYPED' };
  const offeredModels =
    preset.model === undefined ? ((await host.listOfferedModels(server as RemoteModelEntry, key.key)) ?? []) : [];
  if (offeredModels.length > 0)
    out.note(`The server offers: ${offeredModels.slice(0, MAX_OFFERED).map(oneLine).join(', ')}.`);
  const model = await askUnlessGiven(questions, preset.model, {
    text: 'Model ID',
    ...(offeredModels.length === 1 && { defaultAnswer: offeredModels[0] as string }),
    check: (text) => (text === '' ? 'Give the model ID that the server uses.' : checkField('model')(text)),
  });
  if (offeredModels.length > 0 && !offeredModels.includes(model))
    out.note(`The server does not list "${oneLine(model)}".`);
  return {
    baseUrl,
    model,
    ...key,
    ...keyEnv,
    context: await askUnlessGiven(questions, preset.context, {
      text: 'Context in tokens (Enter for the default)',
      check: checkField('context'),
    }),
    price: await askUnlessGiven(questions, preset.price, {
      text: 'Price per million tokens as input,output (Enter if you do not know)',
      check: checkField('price'),
    }),
  };
}

/** Skips the question if an option already answers it. */
async function askUnlessGiven(
  questions: Questionnaire,
  preset: string | undefined,
  question: TerminalQuestion,
): Promise<string> {
  return preset ?? questions.ask(question);
}

function optionsProblem(options: ModelOptions): string | undefined {
  return failureMessageOf(() => {
    const problem = modelProblem('new', providerEntryOf(modelFieldsOf(options)));
    if (problem !== undefined) throw usageError(problem);
  });
}

/** Keeps only the fields of this provider. The others are asked for later or not needed. */
function providerEntryOf({ path, model, ...fields }: Record<string, unknown>): object {
  const { provider } = fields;
  return {
    ...fields,
    ...(provider === 'scripted' && { path }),
    ...(provider !== 'scripted' && provider !== 'embedded' && { model }),
  };
}

function failureMessageOf(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
