import type { WireModel } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { CliCommand, DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { parseInteger } from '../input/numbers.ts';
import { addModelFromOptions } from '../models/add.ts';
import { bench } from '../models/bench.ts';
import { changeModelFields, removeFromSettings, setDefaultModel } from '../models/edit.ts';
import { storeKey } from '../models/key.ts';
import { pullModel } from '../models/pull.ts';
import { testModel } from '../models/test.ts';
import { showUsage } from '../models/usage.ts';
import { formatPrice } from '../output/figures.ts';
import { printTable } from '../output/table.ts';
import { oneLine } from '../output/text.ts';

export const declare: DeclareCommand = (command) => {
  command
    .examples(
      'heddle models',
      'heddle models test small',
      'heddle models add chat --provider openai-chat --base-url http://127.0.0.1:8080/v1 --model some-chat',
      'heddle models use chat --for mind,loom',
      'heddle models usage',
    )
    .footnote(
      'Models are stored in heddle.yaml. Keys are not: set an environment variable, or store a key with "heddle models key".',
    );
  command
    .command('list', { isDefault: true })
    .description('list the models, their status, and what they are used for')
    .examples('heddle models list', 'heddle models list --json')
    .run(list);
  addModelOptions(command.command('add [name]'))
    .description('add a model to heddle.yaml; asks for anything you leave out')
    .option('--for <uses>', 'make it the default for mind, auditor or loom (several with commas)')
    .examples(
      'heddle models add',
      'heddle models add base --provider openai-completions --base-url http://127.0.0.1:8080/v1 --model some-base --for loom',
      'heddle models add claude --provider anthropic --model MODEL --key-env ANTHROPIC_API_KEY --price 3,15',
    )
    .run(addModelFromOptions);
  addModelOptions(command.command('change <name>'))
    .description('change a model in heddle.yaml; "" removes a field')
    .examples('heddle models change chat --context 8192 --price 3,15', 'heddle models change chat --key-env ""')
    .run(changeModelFields);
  command
    .command('key <name>')
    .description('store a model’s key in the system keychain, or in a file that only you can read')
    .option('--remove', 'remove the stored key')
    .examples('heddle models key chat', 'heddle models key chat < key.txt')
    .run(storeKey);
  command
    .command('use <name>')
    .description('make a model the default for minds, auditors and looms')
    .option('--for <uses>', 'only for mind, auditor or loom (several with commas)')
    .examples('heddle models use chat', 'heddle models use chat --for mind,loom')
    .run((cli, name: string, options: { for?: string }) => setDefaultModel(cli, name, options.for));
  command
    .command('remove <name>')
    .description('remove a model from heddle.yaml, unless it is the default for something')
    .examples('heddle models remove chat', 'heddle models remove chat --json')
    .run(removeFromSettings);
  command
    .command('pull <name>')
    .description(
      'download a larger model that runs on this machine, and add it to heddle.yaml: tinyllama (about 370 MB)',
    )
    .examples('heddle models pull tinyllama')
    .run(pullModel);
  command
    .command('test <name>')
    .description('let a model write three short texts, and list what its server supports and offers')
    .option('--prompt <text>', 'the text to continue or answer')
    .option('--tokens <n>', 'token limit for each text', '40')
    .option('--seed <n>', 'the same seed gives the same texts, if the model supports it')
    .option('--extra <json>', 'other fields, sent unchanged: \'{"min_p": 0.1}\'')
    .examples('heddle models test small', 'heddle models test chat --prompt "What is a heddle?"')
    .run(testModel);
  command
    .command('bench <name>')
    .description('measure a model: time to first token and tokens per second, for one text and three at once')
    .examples('heddle models bench small')
    .run(bench);
  command
    .command('usage')
    .description('show usage and cost by model, thread and day')
    .option('--days <n>', 'how many days to show', '14')
    .examples('heddle models usage', 'heddle models usage --json')
    .run((cli, { days }: { days: string }) => showUsage(cli, parseInteger('--days', days)));
};

function addModelOptions(command: CliCommand) {
  return command
    .option('--provider <name>', 'openai-chat, openai-completions, anthropic, embedded, local or scripted')
    .option('--base-url <url>', 'its address (default: the provider’s own address)')
    .option('--model <id>', 'the model ID on that server')
    .option(
      '--key-env <NAME>',
      'the name of its key: an environment variable, or a key stored with "heddle models key"',
    )
    .option('--context <tokens>', 'context size: input and output together')
    .option('--price <input,output>', 'price of a million tokens, input and output')
    .option('--images <yes|no>', 'whether it accepts images (default: known for many models)')
    .option('--path <file>', 'for scripted: the script file')
    .option('--extra <json>', 'other fields of every request, sent unchanged: \'{"min_p": 0.1}\'');
}

async function list(cli: Cli): Promise<void> {
  const { out } = cli;
  const { models, currency, problem } = await withClient(cli, (client) => client.models.list());
  if (out.json) return out.value({ models, currency, ...(problem && { problem }) });
  const headers = ['name', 'provider', 'model', 'context', 'price', 'default for', 'state'];
  printTable(out, [headers, ...models.map((model) => rowOf(model, out.currency))], 0);
  for (const { name, state, found } of models) {
    if (state.code !== 'ready') out.note(`${name}: ${oneLine(state.sentence)}`);
    for (const sentence of found) out.note(`${name}: ${oneLine(sentence)}`);
  }
  if (problem) out.note(oneLine(problem));
}

function rowOf(
  { name, provider, model, capabilities, price, default_for, state }: WireModel,
  currency: string,
): string[] {
  return [
    name,
    provider,
    oneLine(model ?? '–'),
    capabilities ? capabilities.context.toLocaleString('en') : '–',
    formatPrice(provider, price, currency),
    default_for.join(', ') || '–',
    STATE_LABELS[state.code] ?? state.code,
  ];
}

const STATE_LABELS: Record<string, string> = {
  ready: 'ready',
  key_missing: 'key missing',
  weights_missing: 'weights missing',
  not_pulled: 'not pulled',
  file_missing: 'file missing',
  resting: 'resting',
};
