import type { ThreadClient } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { usageError } from '../failure.ts';
import { shorten, widthOf } from '../output/text.ts';
import { findNode, withLoom } from './find.ts';
import { INTERRUPTED, type LoomTreeColumns, ON_PATH, PRUNED, treeLines } from './tree-lines.ts';

export interface LoomTreeOptions {
  readonly all?: boolean;
  readonly at?: string;
  readonly lines?: string;
}

const PAGE = 20_000;

/** Shows the tree for a person: the path as a trunk, side branches folded and counted (C9). */
export async function showTree(cli: Cli, name: string, options: LoomTreeOptions): Promise<void> {
  const { out } = cli;
  const maxLines = parseLineLimit(options.lines);
  await withLoom(cli, name, async (loom) => {
    if (out.json) return printJson(cli, loom);
    const columns = await readWholeTree(loom);
    if (columns.total === 0) return out.note('This loom has no text yet. Write some: heddle loom append');
    const at = options.at === undefined ? undefined : await findPlace(loom, columns, options.at);
    const lines = treeLines(columns, {
      all: options.all ?? false,
      at,
      maxLines: options.all ? Number.POSITIVE_INFINITY : maxLines,
    });
    for (const { trunk, label, text, note } of lines) {
      const usedWidth = widthOf(trunk) + widthOf(label) + (note === '' ? 0 : widthOf(note) + 2);
      const shortText = shorten(text, Math.max(12, out.width - usedWidth - 2));
      const tail = note === '' ? '' : `  ${out.colors.dim(note)}`;
      out.line(`${trunk}${out.colors.dim(label)}${label === '' ? '' : ' '}${shortText}${tail}`.trimEnd());
      await out.drained();
    }
    const { total, path } = columns;
    out.note(`${total.toLocaleString('en')} places, ${path.length.toLocaleString('en')} of them on your path (●).`);
  });
}

async function readWholeTree({ loom }: ThreadClient): Promise<LoomTreeColumns> {
  const first = await loom.tree({ limit: PAGE });
  const { total } = first;
  const pages = [first];
  for (let from = first.node.length; from < total; ) {
    const page = await loom.tree({ from, limit: PAGE });
    if (page.node.length === 0) break;
    pages.push(page);
    from += page.node.length;
  }
  return {
    total,
    node: pages.flatMap(({ node }) => node),
    parent: pages.flatMap(({ parent }) => parent),
    author: pages.flatMap(({ author, authors }) => author.map((index) => authors[index]?.id ?? '')),
    versions: pages.flatMap(({ versions }) => versions),
    preview: pages.flatMap(({ preview }) => preview),
    length: pages.flatMap(({ length }) => length),
    flags: pages.flatMap(({ flags }) => flags),
    marked: pages.flatMap(({ marked }) => marked),
    shares: pages.flatMap(({ shares }) => shares),
    path: pages.flatMap(({ path }) => path),
  };
}

/** Finds the place of a node, even if the tree shows another version there. */
async function findPlace(loom: ThreadClient, { node }: LoomTreeColumns, nodeRef: string): Promise<number> {
  const id = await findNode(loom, nodeRef);
  const at = node.indexOf(id);
  if (at >= 0) return at + 1;
  const { versions } = await loom.loom.node(id);
  return node.findIndex((version) => versions.includes(version)) + 1;
}

/** Prints one JSON document, page by page. */
async function printJson({ out }: Cli, loom: ThreadClient): Promise<void> {
  let from = 0;
  for (;;) {
    const page = await loom.loom.tree({ from, limit: PAGE });
    if (from === 0) out.part(`{"id":${JSON.stringify(loom.id)},"total":${page.total},"nodes":[`);
    const rows = page.node.map((node, i) => {
      const flags = page.flags[i] as number;
      const { id, kind } = page.authors[page.author[i] as number] as { id: string; kind: string };
      return JSON.stringify({
        place: from + i + 1,
        parent: page.parent[i],
        node,
        author: id,
        kind,
        versions: page.versions[i],
        children: page.children[i],
        preview: page.preview[i],
        length: page.length[i],
        on_path: (flags & ON_PATH) !== 0,
        ...((flags & PRUNED) !== 0 && { pruned: true }),
        ...((flags & INTERRUPTED) !== 0 && { interrupted: true }),
      });
    });
    if (rows.length > 0) await out.part((from > 0 ? ',' : '') + rows.join(','));
    from += rows.length;
    if (rows.length === 0 || from >= page.total) break;
  }
  out.part(']}\n');
}

function parseLineLimit(text = '200'): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError(`"--lines ${text}" should be a whole number.`);
}
