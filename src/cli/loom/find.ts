import type { Client } from '../../client/index.ts';
import { EXIT, Failure } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { findThread } from '../threads/find.ts';

type Loom = ReturnType<Client['thread']>;

const WHOLE_ID = /^[0-9A-Z]{26}$/;

/** A loom by its id, the beginning or end of one, or its exact title. */
export async function loomOf(client: Client, name: string): Promise<Loom> {
  if (WHOLE_ID.test(name)) return client.thread(name);
  const { threads } = await client.threads.list();
  const looms = threads.filter(({ kind }) => kind === 'loom');
  return client.thread(findThread(looms, name).id);
}

/** A node's whole id from a part of it. */
export async function nodeOf({ loom }: Loom, part: string): Promise<string> {
  const { nodes } = await loom.like(part);
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return only;
  if (only === undefined) {
    const message = `There is no node "${oneLine(part)}" in this loom. "heddle loom tree" shows them.`;
    throw new Failure('unknown_node', message, EXIT.refused);
  }
  const choice = nodes.slice(0, 5).map((id) => `\n  ${oneLine(id)}`);
  throw new Failure(
    'ambiguous',
    `"${oneLine(part)}" may be any of these; use more of it:${choice.join('')}`,
    EXIT.usage,
  );
}

const SHORTEST = 6;

/** The ends of ids, as long as it takes to tell those that are shown apart. */
export function shortNodes(ids: readonly string[]): (id: string) => string {
  const all = [...new Set(ids)];
  const longest = all.reduce((length, id) => Math.max(length, id.length), 0);
  for (let length = SHORTEST; length < longest; length++) {
    if (new Set(all.map((id) => id.slice(-length))).size === all.length) return (id) => oneLine(id.slice(-length));
  }
  return oneLine;
}
