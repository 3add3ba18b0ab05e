import type { Client } from '../../../src/client/index.ts';

/** The nodes of a loom that was made for a sample: two on the path, and one beside the second. */
export interface SampleNodes {
  readonly first: string;
  readonly second: string;
  readonly beside: string;
}

export async function makeLoom(client: Client): Promise<{ thread: string; nodes: SampleNodes }> {
  const { thread } = await client.threads.create({ title: 'Tale', kind: 'loom', setup: { text: 'Once' } });
  const loom = client.thread(thread.id);
  const { tip: first } = await loom.loom.path();
  await loom.command('commit', { text: ' upon a time' });
  const { tip: beside } = await loom.loom.path();
  await loom.command('switch', { node: first });
  await loom.command('commit', { text: ' more', after: first });
  const { tip: second } = await loom.loom.path();
  return { thread: thread.id, nodes: { first, second, beside } };
}

/** For each command of a loom, a body that is accepted in such a loom. */
export const loomSamples: Readonly<Record<string, (nodes: SampleNodes) => object>> = {
  commit: ({ first }) => ({ edits: [{ node: first, text: 'Twice' }], text: ' and on' }),
  generate: () => ({ n: 2, max_tokens: 5 }),
  switch: ({ beside }) => ({ node: beside }),
  mark: ({ second }) => ({ node: second, bookmark: 'here', tags: ['good'] }),
  prefer: ({ first, second }) => ({ node: first, child: second }),
  undo: () => ({}),
  split: ({ first }) => ({ node: first, at: 2 }),
  merge: ({ second }) => ({ node: second }),
  cherry_pick: ({ second, beside }) => ({ node: second, source: beside, start: 0, end: 5 }),
  explore: () => ({ breadth: 2, depth: 2, nodes: 4 }),
  import_tree: () => ({ nodes: [{ id: 'a', content: 'From elsewhere', kind: 'human' }], active: 'a' }),
  configure: () => ({ temperature: 0.5 }),
};
