import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { exportToFile } from './export.ts';

export const declare: DeclareCommand = (command, getCli) =>
  command
    .argument('<file>', 'where to write it')
    .option('--force', 'replace the file if it is there already')
    .examples(
      'heddle backup ~/heddle-monday.jsonl',
      'heddle verify --file ~/heddle-monday.jsonl',
      'heddle --workspace new restore ~/heddle-monday.jsonl',
    )
    .footnote(
      'It holds everything up to the moment it began, every link proved, also while others go on writing.\nTokens and heddle.yaml are not part of it.',
    )
    .action((file: string, { force = false }: { force?: boolean }) => backup(getCli(), file, force));

function backup(cli: Cli, file: string, force: boolean): Promise<void> {
  return withLog(cli, (log) => exportToFile(cli, log, file, { force }));
}
