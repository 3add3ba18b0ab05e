import type { Cli } from '../cli.ts';
import { oneLine } from '../output/text.ts';
import { createIdShortener } from '../threads/find.ts';
import { withLoom } from './find.ts';

export async function search(cli: Cli, name: string, words: string, { path }: { path?: boolean }): Promise<void> {
  const { out } = cli;
  const result = await withLoom(cli, name, async ({ id, loom }) => {
    return { id, ...(await loom.search({ words, in: path ? 'path' : 'tree' })) };
  });
  if (out.json) return out.value(result);
  const { found, more } = result;
  if (found.length === 0) return out.note(`No node contains all of these words: ${oneLine(words)}`);
  const shortId = createIdShortener(found.map(({ node }) => node));
  for (const { node, excerpt, on_path } of found) {
    out.line(`${on_path ? '●' : '○'} ${out.colors.dim(shortId(node))}  ${oneLine(excerpt)}`);
  }
  if (more) out.note(`These are the first ${found.length}; add words to narrow the search.`);
}
