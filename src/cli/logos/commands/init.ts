import type { Client } from '../../../client/index.ts';
import type { Cli } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { makeCurrent } from '../../current.ts';
import { type Declare, examples } from '../../declare.ts';
import { EXIT, Failure } from '../../failure.ts';
import { numberIn } from '../../numbers.ts';
import { oneLine } from '../../text.ts';

interface Options {
  readonly model?: string;
  readonly minds?: string;
  readonly auditor?: string;
  readonly auditEvery?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('[title...]', 'what it is about')
    .option('--model <names>', 'which model thinks, or several with commas, by turns (default: the one for minds)')
    .option('--minds <k>', 'how many minds share the pool (default: one for each model)')
    .option('--auditor <name>', 'which model audits (default: as --model, or the one for auditors)')
    .option('--audit-every <n>', 'an audit after so many rounds (default: 20)')
    .addHelpText(
      'after',
      examples(
        'logos init "What is a good garden?"',
        'logos init "Two views" --model chat,small --audit-every 10',
        'logos init --minds 3',
      ),
    )
    .action((title: string[], options: Options) => init(start(), title.join(' '), options));

async function init(cli: Cli, title: string, options: Options): Promise<void> {
  const { out } = cli;
  const { named, setup } = setupOf(options);
  const { thread } = await withClient(cli, async (client) => {
    if (named.length > 0) await mustExist(client, named);
    return client.threads.create({ title: title || untitled(new Date()), kind: 'exchange', setup });
  });
  makeCurrent(cli, thread.id);
  if (out.json) return out.value({ thread });
  out.line(`Began “${oneLine(thread.title)}” ${out.colors.dim(thread.id)}`);
  out.note('Give the minds something to think about: logos inject "…". Let them think: logos run 5');
}

function setupOf({ model, minds, auditor, auditEvery }: Options) {
  const models = (model ?? '').split(',').flatMap((name) => name.trim() || []);
  const many = minds === undefined ? Math.max(1, models.length) : numberIn(minds, 'minds');
  const auditorModel = auditor ?? models[0];
  return {
    named: [...models, ...(auditor === undefined ? [] : [auditor])],
    setup: {
      minds:
        models.length === 0
          ? many
          : Array.from({ length: many }, (_, i) => ({ id: `mind_${i}`, model: models[i % models.length] as string })),
      ...(auditorModel !== undefined && { auditor_model: auditorModel }),
      ...(auditEvery !== undefined && { audit_every: numberIn(auditEvery, 'rounds') }),
    },
  };
}

/** Better said now than by the first round. */
async function mustExist(client: Client, named: readonly string[]): Promise<void> {
  const { models } = await client.models.list();
  const missing = named.find((name) => !models.some((model) => model.name === name));
  if (missing === undefined) return;
  const names = models.map(({ name }) => name).join(', ');
  throw new Failure(
    'unknown_model',
    `There is no model "${missing}" in heddle.yaml, only ${names}. "heddle models add" adds one. Nothing was begun.`,
    EXIT.refused,
  );
}

function untitled(now: Date): string {
  return `Exchange of ${now.toLocaleString('sv').slice(0, 16)}`;
}
