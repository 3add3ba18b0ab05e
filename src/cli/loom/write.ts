import type { Client, WireEvent } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { usage } from '../failure.ts';
import { readInput, readText } from '../input/text.ts';
import { oneLine, shorten } from '../output/text.ts';
import { loomOf, nodeOf } from './find.ts';

/** An event holds 1 MiB, and a character may take six bytes of it. */
const LONGEST = 150_000;
const TITLE = 60;

export interface TextOptions {
  readonly text?: string;
  readonly file?: string;
}

/** Exactly what was given: in a loom every blank counts. */
async function textGiven(words: readonly string[], { text, file }: TextOptions): Promise<string | undefined> {
  const given = [words.length > 0, text !== undefined, file !== undefined].filter(Boolean);
  if (given.length > 1) throw usage('Give the text once: as a word, with --text, or with -f.');
  if (file !== undefined && file !== '-') return readText(file);
  if (file === '-' || (words.length === 1 && words[0] === '-')) return readInput();
  return text ?? (words.length > 0 ? words.join(' ') : undefined);
}

export async function begin(
  cli: Cli,
  given: string | undefined,
  { model, ...options }: TextOptions & { readonly model?: string },
): Promise<void> {
  const text = (await textGiven([], options)) ?? '';
  const [first = '', ...rest] = piecesOf(text);
  const title = given ?? (shorten(oneLine(text.slice(0, 500)), TITLE) || 'Untitled loom');
  const thread = await withClient(cli, async (client) => {
    const setup = { ...(first !== '' && { text: first }), ...(model !== undefined && { model }) };
    const made = await client.threads.create({ title, kind: 'loom', setup });
    for (const piece of rest) await client.thread(made.thread.id).command('commit', { text: piece });
    return made.thread;
  });
  const { out } = cli;
  if (out.json) return out.value({ id: thread.id, title: thread.title });
  out.line(`Began the loom “${oneLine(thread.title)}” ${out.colors.dim(thread.id)}`);
  out.note(`Go on with: heddle loom generate ${thread.id.slice(-6)}`);
}

export async function append(cli: Cli, name: string, words: readonly string[], options: TextOptions): Promise<void> {
  const text = await textGiven(words, options);
  if (text === undefined || text === '') throw usage('There is nothing to append: give a text, or a file with -f.');
  const nodes = await withClient(cli, async (client) => {
    const loom = await loomOf(client, name);
    const made: string[] = [];
    for (const piece of piecesOf(text)) made.push(...nodesIn((await loom.command('commit', { text: piece })).events));
    return { id: loom.id, node: made.at(-1) as string };
  });
  if (cli.out.json) return cli.out.value(nodes);
  cli.out.line(`Appended ${text.length} characters ${cli.out.colors.dim(nodes.node)}`);
}

export async function edit(
  cli: Cli,
  name: string,
  part: string,
  words: readonly string[],
  options: TextOptions,
): Promise<void> {
  const text = await textGiven(words, options);
  if (text === undefined) throw usage('Say what the node should read: a text ("" for none), or a file with -f.');
  const { out } = cli;
  const edited = await withClient(cli, async (client) => {
    const loom = await loomOf(client, name);
    const node = await nodeOf(loom, part);
    const { events } = await loom.command('commit', { edits: [{ node, text }] });
    const [version] = nodesIn(events);
    return {
      id: loom.id,
      node: version ?? node,
      edited_from: node,
      changed: version !== undefined,
      ...(await after(loom, version)),
    };
  });
  if (out.json) return out.value(edited);
  if (!edited.changed) return out.line('It reads like that already: nothing was changed.');
  out.line(`Made a version of ${oneLine(edited.edited_from)} ${out.colors.dim(edited.node)}`);
  const { kept, stale } = edited;
  if (kept > 0) {
    const was =
      stale === kept ? (kept === 1 ? 'it was' : 'they were') : `${stale} of them ${stale === 1 ? 'was' : 'were'}`;
    out.line(
      `What follows stayed: ${kept} node${kept === 1 ? '' : 's'}. ${was[0]?.toUpperCase()}${was.slice(1)} written against an earlier version.`,
    );
  }
}

/** How much follows on the path, and how much of it is stale now. */
async function after(loom: ReturnType<Client['thread']>, version: string | undefined) {
  const { path } = await loom.loom.path();
  const at = path.findIndex(({ node }) => node === version);
  const following = at < 0 ? [] : path.slice(at + 1);
  return { kept: following.length, stale: following.filter(({ stale }) => stale).length };
}

export async function goTo(cli: Cli, name: string, part: string): Promise<void> {
  const { id, node, tip } = await withClient(cli, async (client) => {
    const loom = await loomOf(client, name);
    const wanted = part === 'root' ? part : await nodeOf(loom, part);
    await loom.command('switch', { node: wanted });
    const { tip: end } = await loom.loom.path({ limit: 1 });
    return { id: loom.id, node: wanted, tip: end };
  });
  if (cli.out.json) return cli.out.value({ id, node, tip });
  cli.out.line(`The path now goes through ${oneLine(node)}${tip === node ? '' : ` to ${oneLine(tip)}`}.`);
}

export interface MarkOptions {
  readonly bookmark?: string;
  readonly tag?: readonly string[];
  readonly untag?: readonly string[];
  readonly note?: string;
  readonly rating?: string;
  readonly prune?: boolean;
  readonly restore?: boolean;
}

export async function mark(cli: Cli, name: string, part: string, options: MarkOptions): Promise<void> {
  const { bookmark, tag, untag, note, rating, prune, restore } = options;
  if (prune && restore) throw usage('Prune a branch or restore it, not both.');
  const marks = {
    ...(bookmark !== undefined && { bookmark: bookmark === '' ? null : bookmark }),
    ...(tag && { tags: [...tag] }),
    ...(untag && { untag: [...untag] }),
    ...(note !== undefined && { note: note === '' ? null : note }),
    ...(rating !== undefined && { rating: ratingOf(rating) }),
    ...((prune || restore) && { pruned: prune === true }),
  };
  if (Object.keys(marks).length === 0)
    throw usage('Say how to mark it: --bookmark L, --tag T, --prune or --restore; see "heddle loom mark --help".');
  const marked = await withClient(cli, async (client) => {
    const loom = await loomOf(client, name);
    const node = await nodeOf(loom, part);
    const { events } = await loom.command('mark', { node, ...marks });
    return { id: loom.id, node, changed: events.length > 0 };
  });
  if (cli.out.json) return cli.out.value(marked);
  cli.out.line(marked.changed ? `Marked ${oneLine(marked.node)}.` : 'It is marked like that already.');
}

export async function takeBack(cli: Cli, name: string, command: 'undo' | 'redo'): Promise<void> {
  const done = await withClient(cli, async (client) => {
    const loom = await loomOf(client, name);
    const { events } = await loom.command(command, {});
    const { what } = (events[0] as WireEvent).content as { what: string };
    const { tip } = await loom.loom.path({ limit: 1 });
    return { id: loom.id, [command === 'undo' ? 'undone' : 'redone']: what, what, tip };
  });
  const { what, ...told } = done;
  if (cli.out.json) return cli.out.value(told);
  const verb = command === 'undo' ? 'Took back' : 'Did again';
  cli.out.line(`${verb}: ${oneLine(what)}. No node is lost; the path ends with ${oneLine(told.tip as string)}.`);
}

/** The nodes that a commit made. */
function nodesIn(events: readonly WireEvent[]): string[] {
  return events
    .filter(({ type }) => type === 'loom.committed')
    .flatMap(({ content }) => {
      const { edits = [], append: added } = content as { edits?: { node: string }[]; append?: { node: string } };
      return [...edits, ...(added ? [added] : [])].map(({ node }) => node);
    });
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > LONGEST) {
    const cut = from + LONGEST;
    const to = /[\ud800-\udbff]/.test(text[cut - 1] as string) ? cut - 1 : cut;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return [...pieces, text.slice(from)];
}

function ratingOf(text: string): number | null {
  if (text === '') return null;
  const rating = Number(text);
  if (Number.isFinite(rating)) return rating;
  throw usage(`"--rating ${text}" should be a number from -100 to 100.`);
}
