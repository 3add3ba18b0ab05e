import type { DialogueConfig } from '../../../core/dialogue/config.ts';
import { DEFAULT_CONFIG } from '../../../core/dialogue/default-config.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { withClient } from '../../connect/client.ts';
import { formatSetting, parsePairs } from '../../input/pairs.ts';
import { printTable } from '../../output/table.ts';
import { assertModelsExist } from '../../threads/begin.ts';
import { withCurrentThread } from '../../threads/reader.ts';
import { sendAndPrint } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[settings...]', 'key=value; "none" for no value, prompt=@FILE reads a text from a file')
    .examples(
      'mind config',
      'mind config model=chat auto_accept=5',
      'mind config budget.money=0.5 budget.iterations=40',
      'mind config auto_accept=none budget=none',
    )
    .run((cli, pairs: string[]) => (pairs.length === 0 ? printConfig(cli) : changeConfig(cli, pairs)));

function printConfig(cli: Cli): Promise<void> {
  const { out } = cli;
  return withCurrentThread(cli, async ({ dialogue }) => {
    const { config } = await dialogue.config();
    if (out.json) return out.value({ config });
    const rows = Object.entries(config).map(([key, value]) => [
      key,
      formatSetting(value),
      isDefault(key, value) ? 'default' : '',
    ]);
    printTable(out, rows, 1);
  });
}

async function changeConfig(cli: Cli, pairs: readonly string[]): Promise<void> {
  const { config: currentConfig } = await withCurrentThread(cli, ({ dialogue }) => dialogue.config());
  const set = parsePairs(pairs, { keys: 'mind config', texts: ['model', 'self', 'prompt'], before: currentConfig });
  const { model } = set;
  if (typeof model === 'string')
    await withClient(cli, (client) => assertModelsExist(client, [model], 'Nothing was changed.'));
  const sentences = Object.entries(set).map(([key, value]) => `${key} is ${formatSetting(value)} now.`);
  await sendAndPrint(cli, 'configure', { set }, sentences.join('\n'));
}

function isDefault(key: string, value: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(DEFAULT_CONFIG[key as keyof DialogueConfig]);
}
