import type { Client, WireEvent } from '../../client/index.ts';
import { describeEvent } from '../../core/describe.ts';
import { parseLink } from '../../core/link.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { deliveryLines } from '../output/delivery.ts';
import { oneLine, shorten } from '../output/text.ts';
import { resolveEventId } from '../threads/event.ts';
import { resolveThreadId } from '../threads/find.ts';

const NUMBER = /^#?\d+$/;
const MAX_TRIED = 20;

export const declare: DeclareCommand = (command) =>
  command
    .argument('<event>', 'an event by its ID or link, or by its number with --in')
    .option('--in <thread>', `the thread it is in: ${THREAD_HELP}`)
    .examples(
      'heddle delivery 01M7HHXGPJP961B2DVJNDWVRVH',
      'heddle delivery 12 --in Garden',
      'heddle delivery 12 --in Garden --json',
    )
    .footnote('"heddle post" prints the same when you post a message.')
    .run(showDelivery);

async function showDelivery(cli: Cli, name: string, { in: threadName }: { in?: string }): Promise<void> {
  const { out } = cli;
  const link = parseLink(name);
  const { event, delivery } = await withClient(cli, async (client) => {
    const threadRef = threadName ?? link?.thread;
    const event =
      threadRef === undefined
        ? await findInAnyThread(client, name)
        : await findInThread(client.thread(await resolveThreadId(client, threadRef)), link?.at ?? name);
    return { event, delivery: (await client.thread(event.thread).delivery(event.id)).delivery };
  });
  if (out.json) return out.value({ event, delivery });
  const { text } = describeEvent(event);
  out.line(shorten(`#${event.seq} ${oneLine(event.from)}: ${oneLine(text)}`, out.width));
  const lines = deliveryLines(delivery, event.meta.unknown);
  for (const line of lines) out.line(out.colors.dim(`  ${line}`));
  if (lines.length === 0)
    out.line(
      out.colors.dim('  It could wake nobody: no agent is invited here, or the event is not a message to anybody.'),
    );
}

/** An event number is ambiguous without its thread, so the error suggests a thread that has such an event. */
async function findInAnyThread(client: Client, name: string): Promise<WireEvent> {
  if (!NUMBER.test(name)) return (await client.event(name)).event;
  const { threads } = await client.threads.list({ archived: 'true' });
  for (const { id, title } of threads.slice(0, MAX_TRIED)) {
    const match = await resolveEventId(client.thread(id), name).catch(() => undefined);
    const label = threads.filter((row) => row.title === title).length === 1 ? JSON.stringify(oneLine(title)) : id;
    if (match)
      throw usageError(
        `Every thread has its own numbers: add --in THREAD, such as: heddle delivery ${name} --in ${label}`,
      );
  }
  throw usageError(`Every thread has its own numbers: add --in THREAD. "heddle threads" lists them.`);
}

async function findInThread(thread: Parameters<typeof resolveEventId>[0], name: string): Promise<WireEvent> {
  return (await thread.event(await resolveEventId(thread, name))).event;
}
