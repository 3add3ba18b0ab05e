import type { ThreadClient, ThreadCommand } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { oneLine } from '../output/text.ts';
import { requireCurrentThread, setCurrentThread, targetOf } from './current.ts';
import { withThread } from './find.ts';

type ThreadCommandBody<Name extends ThreadCommand> = Parameters<typeof sendTo<Name>>[2];
export type ThreadCommandResult = Awaited<ReturnType<typeof sendTo>>;

/** Sends one command to the thread that is meant. */
export function send<Name extends ThreadCommand>(
  cli: Cli,
  name: Name,
  body: ThreadCommandBody<Name>,
): Promise<ThreadCommandResult> {
  return withThread(cli, requireCurrentThread(cli), (thread) => sendTo(thread, name, body));
}

/** With --json what the command came to, as over HTTP; otherwise a sentence. */
export function printResult({ out }: Cli, result: ThreadCommandResult, sentence: string): void {
  if (out.json) out.value(result);
  else out.line(sentence);
}

/** Makes the thread that a command began the current one. */
export function switchToResult(cli: Cli, result: ThreadCommandResult): void {
  const { id, title } = result.thread;
  setCurrentThread(cli, id);
  printResult(cli, result, `“${oneLine(title)}” is the current ${targetOf(cli).kind} now. ${cli.out.colors.dim(id)}`);
}

/** What the first event of a command says. */
// biome-ignore lint/suspicious/noExplicitAny: what an event holds was checked when it was written
export function firstEventContent(result: ThreadCommandResult): any {
  return result.events[0]?.content;
}

function sendTo<Name extends ThreadCommand>(
  thread: ThreadClient,
  name: Name,
  body: Parameters<typeof thread.command<Name>>[1],
) {
  return thread.command(name, body);
}
