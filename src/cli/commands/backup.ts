import type { DeclareCommand } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { exportToFile } from './export.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<file>', 'where to write it')
    .option('--force', 'replace the file if it exists')
    .examples(
      'heddle backup ~/heddle-monday.jsonl',
      'heddle verify --file ~/heddle-monday.jsonl',
      'heddle --workspace new restore ~/heddle-monday.jsonl',
    )
    .footnote(
      'A backup contains everything up to the moment it started, with every link verified, even while others keep writing.\nIt does not contain tokens or heddle.yaml.',
    )
    .run((cli, file: string, { force = false }: { force?: boolean }) =>
      withLog(cli, (log) => exportToFile(cli, log, file, { force })),
    );
