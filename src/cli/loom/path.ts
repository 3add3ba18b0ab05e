import type { ThreadClient, WireLoomPath } from '../../client/index.ts';

const PAGE = 20_000;

/** Reads the whole path, page by page. */
export async function readWholePath({ loom }: ThreadClient): Promise<WireLoomPath> {
  const first = await loom.path({ limit: PAGE });
  if (first.path.length >= first.length) return first;
  const path = [...first.path];
  const texts = [first.text];
  while (path.length < first.length) {
    const next = await loom.path({ from: path.length, limit: PAGE });
    if (next.path.length === 0) break;
    for (const entry of next.path) path.push(entry);
    texts.push(next.text);
  }
  return { ...first, path, text: texts.join('') };
}
