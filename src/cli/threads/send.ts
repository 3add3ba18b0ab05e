import type { Client, ThreadCommand } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { chosen } from './current.ts';
import { threadOfClient } from './find.ts';

type Thread = ReturnType<Client['thread']>;
type Body<Name extends ThreadCommand> = Parameters<typeof sendTo<Name>>[2];
export type Done = Awaited<ReturnType<typeof sendTo>>;

/** Sends one command to the thread that is meant. */
export function send<Name extends ThreadCommand>(cli: Cli, name: Name, body: Body<Name>): Promise<Done> {
  return withThread(cli, (thread) => sendTo(thread, name, body));
}

/** Does something with the thread that is meant, as a client of its workspace. */
function withThread<T>(cli: Cli, work: (thread: Thread) => Promise<T>): Promise<T> {
  const name = chosen(cli);
  return withClient(cli, async (client) => work(client.thread(await threadOfClient(client, name))));
}

/** With --json what the command came to, as over HTTP; otherwise a sentence. */
export function answer({ out }: Cli, done: Done, sentence: string): void {
  if (out.json) out.value(done);
  else out.line(sentence);
}

/** What the first event of a command says. */
// biome-ignore lint/suspicious/noExplicitAny: what an event holds was checked when it was written
export function contentIn(done: Done): any {
  return done.events[0]?.content;
}

function sendTo<Name extends ThreadCommand>(
  thread: Thread,
  name: Name,
  body: Parameters<typeof thread.command<Name>>[1],
) {
  return thread.command(name, body);
}
