import type { Client, ThreadClient } from '../../client/index.ts';
import { EXIT, Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { findThread } from '../threads/find.ts';

const WHOLE_ID = /^[0-9A-Z]{26}$/;

/** A loom by its id, the beginning or end of one, or its exact title. */
export async function findLoom(client: Client, name: string): Promise<ThreadClient> {
  if (WHOLE_ID.test(name)) return client.thread(name);
  const { threads } = await client.threads.list();
  const looms = threads.filter(({ kind }) => kind === 'loom');
  return client.thread(findThread(looms, name).id);
}

/** A node's whole id from a part of it. */
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
    `"${oneLine(part)}" may be any of these; use more of it:${candidates.join('')}`,
    EXIT.usage,
  );
}

const MIN_LENGTH = 6;

/** The ends of ids, as long as it takes to tell those that are shown apart. */
export function createNodeShortener(ids: readonly string[]): (id: string) => string {
  const all = [...new Set(ids)];
  const longest = all.reduce((length, id) => Math.max(length, id.length), 0);
  for (let length = MIN_LENGTH; length < longest; length++) {
    if (new Set(all.map((id) => id.slice(-length))).size === all.length) return (id) => oneLine(id.slice(-length));
  }
  return oneLine;
}
