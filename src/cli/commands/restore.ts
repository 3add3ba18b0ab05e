import { sentenceOf } from '../../formats/verify/chain.ts';
import type { EventLog } from '../../log/event-log.ts';
import { type Adopted, type AdoptParts, adopt, NotEmpty, proveBackup } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withOwnLog } from '../connect/client.ts';
import { Failure } from '../failure.ts';
import { importProgress, STOPPED_IMPORT, toldImport } from '../output/import-report.ts';
import { orStopped } from '../output/progress.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('<file>', 'what "heddle backup" wrote')
    .addHelpText(
      'after',
      examples(
        'heddle --workspace ~/restored restore heddle-monday.jsonl',
        'heddle restore backup.jsonl --database postgres://user:password@host/empty',
      ),
    )
    .addHelpText(
      'after',
      '\nThe file is proved before anything is made. A workspace that holds anything is never overwritten.',
    )
    .action((file: string) => restore(start(), file));

async function restore(cli: Cli, file: string): Promise<void> {
  const { end, ...parts } = importProgress(cli);
  try {
    // Proved before the workspace is so much as created.
    const proof = await proveBackup(file, { ...parts, strict: false });
    const { broken } = proof.file;
    if (broken) throw new Failure('broken', `${sentenceOf(broken)} Nothing was restored.`);
    const imported = await orStopped(
      withOwnLog(cli, (log) => restoreInto(cli, log, file, { ...parts, proof })),
      STOPPED_IMPORT,
    );
    end();
    toldImport(cli, file, imported, { did: 'Restored', mine: true });
  } finally {
    end();
  }
}

/** It is the human's own: nothing of it is shown as imported, and its work goes on (L25). */
async function restoreInto(cli: Cli, log: EventLog, file: string, parts: AdoptParts): Promise<Adopted> {
  try {
    return await adopt(log, file, { ...parts, mine: true, strict: false });
  } catch (error) {
    throw error instanceof NotEmpty ? notEmpty(cli, error.why) : error;
  }
}

function notEmpty({ directory, database }: Cli, why: string): Failure {
  return new Failure(
    'not_empty',
    `${database === undefined ? directory.path : 'The database'} ${why} Nothing was changed.`,
  );
}
