import { rebuildAll } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { viaServerOrLog } from '../connect/client.ts';
import { createProgress } from '../output/progress.ts';

export const declare: DeclareCommand = (command) =>
  command
    .examples('heddle rebuild', 'heddle rebuild --json')
    .footnote('The list of threads, the word index and the snapshots are rebuilt from the events. Nothing can be lost.')
    .run(rebuild);

async function rebuild(cli: Cli): Promise<void> {
  const { out } = cli;
  const progress = createProgress(out, 'Rebuilding', 'events');
  const { threads, events, mended } = await viaServerOrLog(
    cli,
    (client) => client.rebuild({ onProgress: ({ done, total }) => progress.update(done, total) }),
    (log) => rebuildAll(log, progress.update),
  ).finally(progress.end);
  const outcome = mended === 0 ? 'every row was correct' : `${mended} rows were repaired`;
  out.answer({ threads, events, mended }, `Rebuilt ${threads} threads from ${events} events; ${outcome}.`);
}
