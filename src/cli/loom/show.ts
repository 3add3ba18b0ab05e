import type { ThreadClient, WireLoomNode, WireLoomPath } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { TerminalOutput } from '../output/output.ts';
import { printTable } from '../output/table.ts';
import { oneLine, padEnd, sanitize, shorten, wrap } from '../output/text.ts';
import { createIdShortener } from '../threads/find.ts';
import { findNode, withLoom } from './find.ts';
import { readWholePath } from './path.ts';

type LoomPathEntry = WireLoomPath['path'][number];

/** Shows the path node by node, or one node next to its versions and siblings (C9). */
export async function show(cli: Cli, name: string, nodeRef: string | undefined): Promise<void> {
  await withLoom(cli, name, async (loom) => {
    if (nodeRef !== undefined) return showNode(cli.out, loom, await findNode(loom, nodeRef));
    const wholePath = await readWholePath(loom);
    const { id, text, path, version_selections } = wholePath;
    if (cli.out.json) cli.out.value({ id, text, path: path.map(pathEntryJson), version_selections });
    else showPath(cli.out, wholePath);
  });
}

function showPath(out: TerminalOutput, { text, path }: WireLoomPath): void {
  if (path.length === 0) out.note('This loom has no text yet. Write some: heddle loom append');
  const shortId = createIdShortener(path.map(({ node }) => node));
  const rows = path.map((entry) => [
    shortId(entry.node),
    oneLine(entry.author),
    notesOf(entry).join(', '),
    oneLine(text.slice(entry.start, Math.min(entry.end, entry.start + 200))),
  ]);
  printTable(out, rows, 3);
  if (path.some(({ stale }) => stale)) out.note('stale: written against an earlier version of the text before it.');
}

function pathEntryJson({
  node,
  author,
  kind,
  start,
  end,
  versions,
  siblings,
  sources,
  stale,
  edited_from,
}: LoomPathEntry) {
  return { node, author, kind, start, end, versions, siblings, sources, stale, ...(edited_from && { edited_from }) };
}

function notesOf({
  node,
  kind,
  versions,
  siblings,
  stale,
  offered,
  interrupted,
  pruned,
  marks,
}: LoomPathEntry): string[] {
  return [
    kind,
    versions.length > 1 && `version ${versions.indexOf(node) + 1}/${versions.length}`,
    siblings.length > 1 && `branch ${siblings.indexOf(node) + 1}/${siblings.length}`,
    stale && 'stale',
    offered && `${offered.length} offered`,
    interrupted && 'interrupted',
    pruned && 'pruned',
    marks?.bookmark !== undefined && `bookmark ${oneLine(marks.bookmark)}`.trim(),
    marks?.tags?.map((tag) => `#${oneLine(tag)}`).join(' '),
  ].filter((note) => typeof note === 'string');
}

async function showNode(out: TerminalOutput, { id: thread, loom }: ThreadClient, id: string): Promise<void> {
  const node = await loom.node(id);
  const loadNodes = async (ids: readonly string[]) =>
    Promise.all(ids.slice(0, MAX_ALTERNATIVES).map((each) => (each === id ? node : loom.node(each))));
  const [versions, siblings] = [await loadNodes(node.versions), await loadNodes(node.siblings)];
  if (out.json)
    return out.value({
      id: thread,
      ...node,
      beside: { versions: versions.map(alternativeJson), siblings: siblings.map(alternativeJson) },
    });
  const { dim, bold } = out.colors;
  out.line(`${bold(oneLine(node.node))}  ${oneLine(node.author)}, ${node.kind}, ${oneLine(node.created)}`);
  out.line(dim(`content ${node.content_hash}`));
  out.line(dim(`context ${node.context_hash}`));
  out.line(dim(`proof   ${node.provenance_hash}`));
  const { bookmark, tags, rating, note } = node.marks;
  if (bookmark !== undefined) out.line(`Bookmark ${oneLine(bookmark)}`);
  if (tags) out.line(`Tags ${tags.map(oneLine).join(', ')}`);
  if (rating !== undefined) out.line(`Rating ${rating}`);
  if (note !== undefined) out.line(`Note: ${oneLine(note)}`);
  printColumns(out, 'Versions of this place', versions, node);
  printColumns(out, 'Branches from the same place', siblings, node);
}

const MAX_ALTERNATIVES = 32;

function alternativeJson({ node, author, kind, content, created }: WireLoomNode) {
  return { node, author, kind, content, created };
}

const MIN_COLUMN_WIDTH = 24;

/** Prints texts side by side, as many as fit the terminal. */
function printColumns(
  out: TerminalOutput,
  heading: string,
  nodes: readonly WireLoomNode[],
  currentNode: WireLoomNode,
): void {
  out.line();
  out.line(out.colors.bold(`${heading} (${nodes.length})`));
  const shortId = createIdShortener(nodes.map(({ node }) => node));
  const perRow = Math.max(1, Math.min(nodes.length, Math.floor((out.width + 3) / (MIN_COLUMN_WIDTH + 3))));
  const width = Math.floor((out.width - 3 * (perRow - 1)) / perRow);
  for (let at = 0; at < nodes.length; at += perRow) {
    const group = nodes.slice(at, at + perRow);
    const cells = group.map(({ node, author, content }) => [
      shorten(`${node === currentNode.node ? '▶ ' : ''}${shortId(node)} ${oneLine(author)}`, width),
      ...wrap(sanitize(content) || '(empty)', width),
    ]);
    const height = Math.max(...cells.map(({ length }) => length));
    for (let row = 0; row < height; row++) {
      const line = cells
        .map((cell) => padEnd(cell[row] ?? '', width))
        .join(' │ ')
        .trimEnd();
      out.line(row === 0 ? out.colors.dim(line) : line);
    }
    if (at + perRow < nodes.length) out.line();
  }
}
