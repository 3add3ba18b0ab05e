import { type Config, DEFAULTS } from '../../../core/dialogue/config.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { withClient } from '../../connect/client.ts';
import { pairsIn, settingWords } from '../../input/pairs.ts';
import { table } from '../../output/table.ts';
import { answer, send } from '../../threads/send.ts';
import { withDialogue } from '../reader.ts';
import { mustKnowModel } from '../require-model.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[settings...]', 'key=value; "none" for no value, prompt=@FILE for a text from a file')
    .addHelpText(
      'after',
      examples(
        'mind config',
        'mind config model=chat auto_accept=5',
        'mind config budget.money=0.5 budget.iterations=40',
        'mind config auto_accept=none budget=none',
      ),
    )
    .action((pairs: string[]) => (pairs.length === 0 ? show(start()) : change(start(), pairs)));

function show(cli: Cli): Promise<void> {
  const { out } = cli;
  return withDialogue(cli, ({ dialogue: { config } }) => {
    if (out.json) return out.value({ config });
    const rows = Object.entries(config).map(([key, value]) => [
      key,
      settingWords(value),
      isUsual(key, value) ? 'default' : '',
    ]);
    for (const line of table(rows, out.width, (cell, column) => (column === 1 ? cell : out.colors.dim(cell))))
      out.line(line);
  });
}

async function change(cli: Cli, pairs: readonly string[]): Promise<void> {
  const before = await withDialogue(cli, ({ dialogue }) => dialogue.config);
  const set = pairsIn(pairs, { keys: 'mind config', texts: ['model', 'self', 'prompt'], before });
  const { model } = set;
  if (typeof model === 'string')
    await withClient(cli, (client) => mustKnowModel(client, model, 'Nothing was changed.'));
  const done = await send(cli, 'configure', { set });
  answer(
    cli,
    done,
    Object.entries(set)
      .map(([key, value]) => `${key} is ${settingWords(value)} now.`)
      .join('\n'),
  );
}

function isUsual(key: string, value: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(DEFAULTS[key as keyof Config]);
}
