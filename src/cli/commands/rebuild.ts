import { rebuildAll } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { viaServerOrLog } from '../connect/client.ts';
import { createProgress } from '../output/progress.ts';

export const declare: DeclareCommand = (command) =>
  command
    .examples('heddle rebuild', 'heddle rebuild --json')
    .footnote(
      'The index of threads, the index of words and the snapshots are made from the events alone. Nothing that was said can be lost by it.',
    )
    .run(rebuild);

async function rebuild(cli: Cli): Promise<void> {
  const { out } = cli;
  const progress = createProgress(out, 'Rebuilding', 'events');
  const { threads, events, mended } = await viaServerOrLog(
    cli,
    (client) => client.rebuild({ onProgress: ({ done, total }) => progress.update(done, total) }),
    (log) => rebuildAll(log, progress.update),
  ).finally(progress.end);
  const outcome = mended === 0 ? 'every row was as it should be' : `${mended} rows were mended`;
  out.answer({ threads, events, mended }, `Rebuilt ${threads} threads from ${events} events; ${outcome}.`);
}
