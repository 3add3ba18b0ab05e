import type { ThreadClient, WireEvent } from '../../client/index.ts';
import type { EventOf } from '../../core/events/define.ts';
import { readEvent } from '../../core/events/read.ts';
import type { LoomEvent, LoomRepeated, LoomReverted } from '../../core/loom/events.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { readStdin, readTextFile } from '../input/text.ts';
import { oneLine, shorten } from '../output/text.ts';
import { findNode, withLoom } from './find.ts';

/** An event holds 1 MiB, and a character may take six bytes of it. */
const MAX_EVENT_CHARS = 150_000;
const MAX_TITLE = 60;

export interface LoomTextOptions {
  readonly text?: string;
  readonly file?: string;
}

/** Returns the text exactly as given: in a loom, white space matters. */
async function readGivenText(words: readonly string[], { text, file }: LoomTextOptions): Promise<string | undefined> {
  const sources = [words.length > 0, text !== undefined, file !== undefined].filter(Boolean);
  if (sources.length > 1) throw usageError('Give the text only once: as an argument, with --text, or with -f.');
  if (file !== undefined && file !== '-') return readTextFile(file);
  if (file === '-' || (words.length === 1 && words[0] === '-')) return readStdin();
  return text ?? (words.length > 0 ? words.join(' ') : undefined);
}

export async function beginLoom(
  cli: Cli,
  givenTitle: string | undefined,
  { model, ...options }: LoomTextOptions & { readonly model?: string },
): Promise<void> {
  const text = (await readGivenText([], options)) ?? '';
  const [first = '', ...rest] = splitText(text);
  const title = givenTitle ?? (shorten(oneLine(text.slice(0, 500)), MAX_TITLE) || 'Untitled loom');
  const thread = await withClient(cli, async (client) => {
    const setup = { ...(first !== '' && { text: first }), ...(model !== undefined && { model }) };
    const response = await client.threads.create({ title, kind: 'loom', setup });
    for (const piece of rest) await client.thread(response.thread.id).command('commit', { text: piece });
    return response.thread;
  });
  const { id, title: storedTitle } = thread;
  cli.out.answer({ id, title: storedTitle }, `Created the loom “${oneLine(storedTitle)}” ${cli.out.colors.dim(id)}`);
  cli.out.note(`Continue: heddle loom generate ${id.slice(-6)}`);
}

export async function append(
  cli: Cli,
  name: string,
  words: readonly string[],
  options: LoomTextOptions,
): Promise<void> {
  const text = await readGivenText(words, options);
  if (text === undefined || text === '') throw usageError('There is no text to append: give one, or a file with -f.');
  const result = await withLoom(cli, name, async (loom) => {
    const madeNodes: string[] = [];
    for (const piece of splitText(text))
      madeNodes.push(...committedNodes((await loom.command('commit', { text: piece })).events));
    return { id: loom.id, node: madeNodes.at(-1) as string };
  });
  cli.out.answer(result, `Appended ${text.length} characters ${cli.out.colors.dim(result.node)}`);
}

export async function edit(
  cli: Cli,
  name: string,
  nodeRef: string,
  words: readonly string[],
  options: LoomTextOptions,
): Promise<void> {
  const text = await readGivenText(words, options);
  if (text === undefined) throw usageError('Give the new text of the node ("" for none), or a file with -f.');
  const { out } = cli;
  const result = await withLoom(cli, name, async (loom) => {
    const node = await findNode(loom, nodeRef);
    const { events } = await loom.command('commit', { edits: [{ node, text }] });
    const [version] = committedNodes(events);
    return {
      id: loom.id,
      node: version ?? node,
      edited_from: node,
      changed: version !== undefined,
      ...(await followingNodes(loom, version)),
    };
  });
  if (out.json) return out.value(result);
  if (!result.changed) return out.line('The node already has this text. Nothing was changed.');
  out.line(`Created a version of ${oneLine(result.edited_from)} ${out.colors.dim(result.node)}`);
  const { kept, stale } = result;
  if (kept > 0) {
    const subject =
      stale === kept ? (kept === 1 ? 'it was' : 'they were') : `${stale} of them ${stale === 1 ? 'was' : 'were'}`;
    out.line(
      `The text after it stayed: ${kept} node${kept === 1 ? '' : 's'}. ${subject[0]?.toUpperCase()}${subject.slice(1)} written against an earlier version.`,
    );
  }
}

/** Counts the nodes that follow on the path, and how many of them are now stale. */
async function followingNodes(loom: ThreadClient, version: string | undefined) {
  const { path } = await loom.loom.path();
  const at = path.findIndex(({ node }) => node === version);
  const nodes = at < 0 ? [] : path.slice(at + 1);
  return { kept: nodes.length, stale: nodes.filter(({ stale }) => stale).length };
}

export async function goTo(cli: Cli, name: string, nodeRef: string): Promise<void> {
  const result = await withLoom(cli, name, async (loom) => {
    const node = nodeRef === 'root' ? nodeRef : await findNode(loom, nodeRef);
    await loom.command('switch', { node });
    const { tip } = await loom.loom.path({ limit: 1 });
    return { id: loom.id, node, tip };
  });
  const { node, tip } = result;
  cli.out.answer(result, `The path now goes through ${oneLine(node)}${tip === node ? '' : ` to ${oneLine(tip)}`}.`);
}

export interface LoomMarkOptions {
  readonly bookmark?: string;
  readonly tag?: readonly string[];
  readonly untag?: readonly string[];
  readonly note?: string;
  readonly rating?: string;
  readonly prune?: boolean;
  readonly restore?: boolean;
}

export async function mark(cli: Cli, name: string, nodeRef: string, options: LoomMarkOptions): Promise<void> {
  const { bookmark, tag, untag, note, rating, prune, restore } = options;
  if (prune && restore) throw usageError('Prune a branch or restore it, not both.');
  const marks = {
    ...(bookmark !== undefined && { bookmark: bookmark === '' ? null : bookmark }),
    ...(tag && { tags: [...tag] }),
    ...(untag && { untag: [...untag] }),
    ...(note !== undefined && { note: note === '' ? null : note }),
    ...(rating !== undefined && { rating: parseRating(rating) }),
    ...((prune || restore) && { pruned: prune === true }),
  };
  if (Object.keys(marks).length === 0)
    throw usageError(
      'Give at least one mark: --bookmark L, --tag T, --prune or --restore; see "heddle loom mark --help".',
    );
  const result = await withLoom(cli, name, async (loom) => {
    const node = await findNode(loom, nodeRef);
    const { events } = await loom.command('mark', { node, ...marks });
    return { id: loom.id, node, changed: events.length > 0 };
  });
  cli.out.answer(result, result.changed ? `Marked ${oneLine(result.node)}.` : 'It already has these marks.');
}

export async function undoOrRedo(cli: Cli, name: string, command: 'undo' | 'redo'): Promise<void> {
  const { id, what, tip } = await withLoom(cli, name, async (loom) => {
    const { events } = await loom.command(command, {});
    const { what } = readEvent<EventOf<typeof LoomReverted | typeof LoomRepeated>>(events[0] as WireEvent).content;
    return { id: loom.id, what, tip: (await loom.loom.path({ limit: 1 })).tip };
  });
  const verb = command === 'undo' ? 'Undone' : 'Redone';
  cli.out.answer(
    { id, [command === 'undo' ? 'undone' : 'redone']: what, tip },
    `${verb}: ${oneLine(what)}. No node is lost; the path ends with ${oneLine(tip)}.`,
  );
}

/** The nodes that a commit made. */
function committedNodes(events: readonly WireEvent[]): string[] {
  return events.map(readEvent<LoomEvent>).flatMap((event) => {
    if (event.type !== 'loom.committed') return [];
    const { edits, append: appended } = event.content;
    return [...edits, ...(appended ? [appended] : [])].map(({ node }) => node);
  });
}

function splitText(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > MAX_EVENT_CHARS) {
    const cut = from + MAX_EVENT_CHARS;
    const to = /[\ud800-\udbff]/.test(text[cut - 1] as string) ? cut - 1 : cut;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return [...pieces, text.slice(from)];
}

function parseRating(text: string): number | null {
  if (text === '') return null;
  const rating = Number(text);
  if (Number.isFinite(rating)) return rating;
  throw usageError(`"--rating ${text}" should be a number from -100 to 100.`);
}
