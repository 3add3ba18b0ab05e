import type { Client } from '../../../client/index.ts';
import type { Cli } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { makeCurrent } from '../../current.ts';
import { type Declare, examples } from '../../declare.ts';
import { EXIT, Failure } from '../../failure.ts';
import { oneLine } from '../../text.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[title...]', 'what it is about')
    .option('--model <name>', 'which model thinks: one of "heddle models" (default: the one for minds)')
    .addHelpText('after', examples('mind init', 'mind init "Garden plans"', 'mind init "A letter" --model chat'))
    .action((title: string[], { model }: { model?: string }) => init(start(), title.join(' '), model));

async function init(cli: Cli, title: string, model: string | undefined): Promise<void> {
  const { out } = cli;
  const { thread } = await withClient(cli, async (client) => {
    if (model !== undefined) await mustExist(client, model);
    return client.threads.create({
      title: title || untitled(new Date()),
      kind: 'dialogue',
      setup: model === undefined ? {} : { model },
    });
  });
  makeCurrent(cli, thread.id);
  if (out.json) return out.value({ thread });
  out.line(`Began “${oneLine(thread.title)}” ${out.colors.dim(thread.id)}`);
  out.note('Say something: mind message "…"');
}

/** Better said now than by the first iteration. */
async function mustExist(client: Client, model: string): Promise<void> {
  const { models } = await client.models.list();
  if (models.some(({ name }) => name === model)) return;
  const names = models.map(({ name }) => name).join(', ');
  throw new Failure(
    'unknown_model',
    `There is no model "${model}" in heddle.yaml, only ${names}. "heddle models add" adds one. Nothing was begun.`,
    EXIT.refused,
  );
}

function untitled(now: Date): string {
  return `Dialogue of ${now.toLocaleString('sv').slice(0, 16)}`;
}
