import { describeFailure } from '../../formats/verify/chain.ts';
import type { EventLog } from '../../log/event-log.ts';
import { type AdoptParts, type AdoptResult, adopt, proveBackup, WorkspaceNotEmpty } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withOwnLog } from '../connect/client.ts';
import { Failure } from '../failure.ts';
import { createImportProgress, IMPORT_STOPPED, printImport } from '../output/import-report.ts';
import { withStopMessage } from '../output/progress.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<file>', 'a file from "heddle backup"')
    .examples(
      'heddle --workspace ~/restored restore heddle-monday.jsonl',
      'heddle restore backup.jsonl --database postgres://user:password@host/empty',
    )
    .footnote('The file is verified before anything is created. A workspace that is not empty is never overwritten.')
    .run(restore);

async function restore(cli: Cli, file: string): Promise<void> {
  const { end, ...progressOptions } = createImportProgress(cli);
  try {
    // Verify the backup before creating the workspace.
    const proof = await proveBackup(file, { ...progressOptions, strict: false });
    const { broken } = proof.file;
    if (broken) throw new Failure('broken', `${describeFailure(broken)} Nothing was restored.`);
    const result = await withStopMessage(
      withOwnLog(cli, (log) => restoreInto(cli, log, file, { ...progressOptions, proof })),
      IMPORT_STOPPED,
    );
    end();
    printImport(cli, file, result, { verb: 'Restored', mine: true });
  } finally {
    end();
  }
}

/** A backup is the human's own data: nothing in it is shown as imported, and its open work continues (L25). */
async function restoreInto(cli: Cli, log: EventLog, file: string, progressOptions: AdoptParts): Promise<AdoptResult> {
  try {
    return await adopt(log, file, { ...progressOptions, mine: true, strict: false });
  } catch (error) {
    throw error instanceof WorkspaceNotEmpty ? notEmptyFailure(cli, error.why) : error;
  }
}

function notEmptyFailure({ directory, database }: Cli, why: string): Failure {
  return new Failure(
    'not_empty',
    `${database === undefined ? directory.path : 'The database'} ${why} Nothing was changed.`,
  );
}
