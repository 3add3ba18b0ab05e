import { sentenceOf } from '../../formats/chain.ts';
import type { Imported } from '../../formats/import.ts';
import { verifyFile } from '../../formats/verify.ts';
import type { EventLog } from '../../log/event-log.ts';
import { RESTORING } from '../../log/record-kinds.ts';
import { adopt } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { withOwnLog } from '../connect.ts';
import { type Declare, examples } from '../declare.ts';
import { Failure } from '../failure.ts';
import { importProgress, STOPPED_IMPORT, toldImport } from '../imported.ts';
import { orStopped } from '../progress.ts';

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
    const { broken } = await verifyFile(file, { signal: parts.signal, progress: parts.proving });
    if (broken) throw new Failure('broken', `${sentenceOf(broken)} Nothing was restored.`);
    const imported = await orStopped(
      withOwnLog(cli, (log) => restoreInto(cli, log, file, parts)),
      STOPPED_IMPORT,
    );
    end();
    toldImport(cli, file, imported, 'Restored');
  } finally {
    end();
  }
}

async function restoreInto(
  cli: Cli,
  log: EventLog,
  file: string,
  parts: Parameters<typeof adopt>[2],
): Promise<Imported> {
  const begun = await log.record(RESTORING, 'head');
  if (begun === undefined && (await log.head()) > 0) {
    throw notEmpty(
      cli,
      'already holds events. Restore into an empty one, or add what is missing with "heddle import".',
    );
  }
  const imported = await adopt(log, file, {
    ...parts,
    strict: false,
    async proved({ head }) {
      if (begun !== undefined && begun !== head) {
        throw notEmpty(
          cli,
          'holds part of another backup, whose restore was not finished. Finish that one, or take an empty workspace.',
        );
      }
      await log.putRecords([{ kind: RESTORING, key: 'head', value: head }]);
    },
  });
  await log.putRecords([{ kind: RESTORING, key: 'head', value: null }]);
  return imported;
}

function notEmpty({ directory, database }: Cli, why: string): Failure {
  return new Failure(
    'not_empty',
    `${database === undefined ? directory.path : 'The database'} ${why} Nothing was changed.`,
  );
}
