import type { DeclareCommand } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { exportToFile } from './export.ts';

export const declare: DeclareCommand = (command) =>
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
    .run((cli, file: string, { force = false }: { force?: boolean }) =>
      withLog(cli, (log) => exportToFile(cli, log, file, { force })),
    );
