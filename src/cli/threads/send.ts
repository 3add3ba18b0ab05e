import type { ThreadClient, ThreadCommand } from '../../client/index.ts';
import type { Event } from '../../core/events/event.ts';
import type { Cli } from '../cli.ts';
import { type AttachOptions, attachFiles } from '../input/attachments.ts';
import { oneLine } from '../output/text.ts';
import { requireCurrentThread, setCurrentThread, targetOf } from './current.ts';
import { withThread } from './find.ts';

type ThreadCommandBody<Name extends ThreadCommand> = Parameters<typeof sendTo<Name>>[2];
export type ThreadCommandResult = Awaited<ReturnType<typeof sendTo>>;

/** Sends one command to the current thread. */
export function send<Name extends ThreadCommand>(
  cli: Cli,
  name: Name,
  body: ThreadCommandBody<Name>,
): Promise<ThreadCommandResult> {
  return withThread(cli, requireCurrentThread(cli), (thread) => sendTo(thread, name, body));
}

/** Sends one command to the current thread and prints a sentence, or with --json the result as over HTTP. */
export async function sendAndPrint<Name extends ThreadCommand>(
  cli: Cli,
  name: Name,
  body: ThreadCommandBody<Name>,
  sentence: string | ((result: ThreadCommandResult) => string),
): Promise<void> {
  const result = await send(cli, name, body);
  cli.out.answer(result, typeof sentence === 'string' ? sentence : sentence(result));
}

/** Sends words and files to the current thread. */
export async function sendWithFiles(
  cli: Cli,
  name: 'message' | 'steer' | 'inject',
  body: { readonly text: string },
  files: AttachOptions,
  sentence: string | ((result: ThreadCommandResult) => string),
): Promise<void> {
  const result = await withThread(cli, requireCurrentThread(cli), async (thread, client) => {
    const attachments = await attachFiles(client, files);
    return sendTo(thread, name, { ...body, ...(attachments.length > 0 && { attachments }) });
  });
  cli.out.answer(result, typeof sentence === 'string' ? sentence : sentence(result));
}

interface ReadableDefinition<Content> {
  readonly type: string;
  read(stored: Event): Event<string, Content> | undefined;
}

/** The content of the first event of this type among a command's events. */
export function findContent<Content>(
  { events }: ThreadCommandResult,
  definition: ReadableDefinition<Content>,
): Content | undefined {
  return events.flatMap((event) => definition.read(event) ?? [])[0]?.content;
}

export function contentOf<Content>(result: ThreadCommandResult, definition: ReadableDefinition<Content>): Content {
  const content = findContent(result, definition);
  if (content === undefined) throw new Error(`The command led to no "${definition.type}".`);
  return content;
}

/** Makes the thread that a command created the current one. */
export function switchToResult(cli: Cli, result: ThreadCommandResult): void {
  const { id, title } = result.thread;
  setCurrentThread(cli, id);
  cli.out.answer(result, `“${oneLine(title)}” is now the current ${targetOf(cli).kind}. ${cli.out.colors.dim(id)}`);
}

function sendTo<Name extends ThreadCommand>(
  thread: ThreadClient,
  name: Name,
  body: Parameters<typeof thread.command<Name>>[1],
) {
  return thread.command(name, body);
}
