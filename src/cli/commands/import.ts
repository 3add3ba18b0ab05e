import { bringIn } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { withOwnLog } from '../connect.ts';
import { type Declare, examples } from '../declare.ts';
import { importProgress, STOPPED_IMPORT, toldImport } from '../imported.ts';
import { orStopped } from '../progress.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('<file>', 'what "heddle export" or "heddle backup" wrote')
    .addHelpText(
      'after',
      examples(
        'heddle import garden.jsonl',
        'heddle import workspace.jsonl --database postgres://user:password@host/heddle',
      ),
    )
    .addHelpText(
      'after',
      '\nThe whole file is proved before anything is stored. What is here already is skipped; a thread that went on\ndifferently here is refused. An import that was stopped is finished by running it again.',
    )
    .action((file: string) => run(start(), file));

async function run(cli: Cli, file: string): Promise<void> {
  const { end, ...parts } = importProgress(cli);
  const imported = await orStopped(
    withOwnLog(cli, (log) => bringIn(log, file, parts)),
    STOPPED_IMPORT,
  ).finally(end);
  toldImport(cli, file, imported, 'Imported');
}
