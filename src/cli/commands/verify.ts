import { sentenceOf } from '../../formats/verify/chain.ts';
import { type Verified, verifyFile } from '../../formats/verify/verify.ts';
import { proveLog } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withLog } from '../connect/client.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { createProgress, untilInterrupted } from '../output/progress.ts';
import { threadOfLog } from '../threads/find.ts';

interface Options {
  readonly file?: string;
  readonly expect?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('[thread]', 'its id, the beginning or end of it, or its exact title; without it, the whole workspace')
    .option('--file <file>', 'verify an export or a backup instead, without a workspace')
    .option('--expect <hash>', 'the head must be this one: also catches events cut off at the end')
    .addHelpText(
      'after',
      examples(
        'heddle verify',
        'heddle verify Garden --expect 5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
        'heddle verify --file backup.jsonl',
      ),
    )
    .addHelpText(
      'after',
      '\nPrints the head hash, and for a workspace one that also proves the order across threads ("Order"). Note one of them somewhere else: --expect with it proves later that nothing was taken away.',
    )
    .action((name: string | undefined, options: Options) => run(start(), name, options));

async function run(cli: Cli, name: string | undefined, { file, expect }: Options): Promise<void> {
  if (file !== undefined && name !== undefined) throw usage('Name a thread or a file, not both.');
  if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect))
    throw usage('--expect takes a whole head hash: 64 of 0-9 and a-f.');
  const verified = file === undefined ? await verifyHere(cli, name) : await verifyThere(cli, file);
  const { broken, head, order, events, threads } = verified;
  if (broken) {
    const { thread, seq, id: event } = broken;
    const rest = seq === undefined ? `All ${events} events are` : `The ${events} events before it are`;
    const said = `${sentenceOf(broken)} ${rest} as they were written.`;
    throw new Failure('broken', said, EXIT.failed, { thread, ...(seq !== undefined && { seq, event }) });
  }
  if (expect !== undefined && expect !== head && expect !== order) {
    throw new Failure(
      'other_head',
      `Every link holds, but the head is ${order ?? head}, not ${expect}: events were cut off at the end, or added.`,
    );
  }
  if (cli.out.json) {
    const which = name !== undefined && { thread: verified.thread };
    return cli.out.value({ events, threads, head, ...(order !== undefined && { order }), ...which });
  }
  cli.out.line(`Every link holds: ${events} events${threads === 1 ? '' : ` of ${threads} threads`}.`);
  cli.out.line(`Head ${head}`);
  if (order !== undefined) cli.out.line(`Order ${order}`);
}

type Result = Verified & { readonly thread?: string };

function verifyHere(cli: Cli, name: string | undefined): Promise<Result> {
  const progress = createProgress(cli.out, 'Verifying', 'events');
  return withLog(cli, async (log) => {
    const thread = name === undefined ? undefined : (await threadOfLog(log, name)).id;
    const verified = await proveLog(log, thread, { signal: untilInterrupted(), progress: progress.update });
    return { ...verified, ...(thread && { thread }) };
  }).finally(progress.end);
}

function verifyThere({ out }: Cli, file: string): Promise<Result> {
  const progress = createProgress(out, 'Verifying', 'bytes');
  return verifyFile(file, { signal: untilInterrupted(), progress: progress.update }).finally(progress.end);
}
