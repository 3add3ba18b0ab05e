import type { Client, ThreadClient } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { EXIT, Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { findThread, WHOLE_ID } from '../threads/find.ts';

/** Finds a loom by its id, the beginning or end of its id, or its exact title. */
export async function findLoom(client: Client, name: string): Promise<ThreadClient> {
  if (WHOLE_ID.test(name)) return client.thread(name);
  const { threads } = await client.threads.list({ archived: 'true' });
  const looms = threads.filter(({ kind }) => kind === 'loom');
  return client.thread(findThread(looms, name).id);
}

/** Runs `work` with a loom, as a client of its workspace. */
export function withLoom<T>(cli: Cli, name: string, work: (loom: ThreadClient) => Promise<T>): Promise<T> {
  return withClient(cli, async (client) => work(await findLoom(client, name)));
}

/** Returns the full id of a node from a part of it. */
export async function findNode({ loom }: ThreadClient, part: string): Promise<string> {
  const { nodes } = await loom.like(part);
  const [first] = nodes;
  if (first !== undefined && nodes.length === 1) return first;
  if (first === undefined) {
    const message = `There is no node "${oneLine(part)}" in this loom. "heddle loom tree" shows them.`;
    throw new Failure('unknown_node', message, EXIT.refused);
  }
  const candidates = nodes.slice(0, 5).map((id) => `\n  ${oneLine(id)}`);
  throw new Failure(
    'ambiguous',
    `"${oneLine(part)}" matches several nodes; use more of the ID:${candidates.join('')}`,
    EXIT.usage,
  );
}
