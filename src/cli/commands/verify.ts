import { describeFailure } from '../../formats/verify/chain.ts';
import { type Verification, verifyFile } from '../../formats/verify/verify.ts';
import { proveLog } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { EXIT, Failure, usageError } from '../failure.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { createProgress, interruptSignal } from '../output/progress.ts';
import { findThreadInLog } from '../threads/find.ts';

interface VerifyOptions {
  readonly file?: string;
  readonly expect?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('[thread]', `${THREAD_HELP}; without it, the whole workspace`)
    .option('--file <file>', 'verify an export or a backup instead, without a workspace')
    .option('--expect <hash>', 'the expected head hash: also detects events removed at the end')
    .examples(
      'heddle verify',
      'heddle verify Garden --expect 5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
      'heddle verify --file backup.jsonl',
    )
    .footnote(
      'Prints the head hash and, for a workspace, a second hash that also proves the order across threads ("Order"). Write one of them down somewhere else: later, --expect with it proves that nothing was removed.',
    )
    .run(runVerify);

async function runVerify(cli: Cli, name: string | undefined, { file, expect }: VerifyOptions): Promise<void> {
  if (file !== undefined && name !== undefined) throw usageError('Give a thread or a file, not both.');
  if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect))
    throw usageError('--expect takes a whole head hash: 64 characters, 0-9 and a-f.');
  const result = file === undefined ? await verifyLog(cli, name) : await verifyExport(cli, file);
  const { broken, head, order, events, threads } = result;
  if (broken) {
    const { thread, seq, id: event } = broken;
    const remainder = seq === undefined ? `All ${events} events are` : `The ${events} events before it are`;
    const message = `${describeFailure(broken)} ${remainder} as they were written.`;
    throw new Failure('broken', message, EXIT.failed, { thread, ...(seq !== undefined && { seq, event }) });
  }
  if (expect !== undefined && expect !== head && expect !== order) {
    throw new Failure(
      'other_head',
      `Every link holds, but the head is ${order ?? head}, not ${expect}: events were removed at the end, or added.`,
    );
  }
  cli.out.answer(
    { events, threads, head, order, thread: result.thread },
    `Every link holds: ${events} events${threads === 1 ? '' : ` of ${threads} threads`}.`,
    `Head ${head}`,
    ...(order === undefined ? [] : [`Order ${order}`]),
  );
}

type VerifyResult = Verification & { readonly thread?: string | undefined };

function verifyLog(cli: Cli, name: string | undefined): Promise<VerifyResult> {
  const progress = createProgress(cli.out, 'Verifying', 'events');
  return withLog(cli, async (log) => {
    const thread = name === undefined ? undefined : (await findThreadInLog(log, name)).id;
    return { ...(await proveLog(log, thread, { signal: interruptSignal(), onProgress: progress.update })), thread };
  }).finally(progress.end);
}

function verifyExport({ out }: Cli, file: string): Promise<VerifyResult> {
  const progress = createProgress(out, 'Verifying', 'bytes');
  return verifyFile(file, { signal: interruptSignal(), onProgress: progress.update }).finally(progress.end);
}
