import type { Client, NewEventBody, ThreadClient } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { printPosted } from '../output/delivery.ts';
import { withThread } from './find.ts';

/** Posts to a thread and prints the delivery. */
export async function postTo(
  cli: Cli,
  name: string,
  buildBody: (thread: ThreadClient, client: Client) => NewEventBody | Promise<NewEventBody>,
): Promise<void> {
  let isServed = cli.database !== undefined;
  const response = await withThread(cli, name, async (thread, client, server) => {
    isServed ||= server !== undefined;
    return thread.post(await buildBody(thread, client));
  });
  printPosted(cli.out, response, isServed);
}
