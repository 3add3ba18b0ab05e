import { waysInto } from '../../core/bring.ts';
import type { Actor } from '../../core/events/event.ts';
import { type Link, readLink } from '../../core/link.ts';
import type { Origin } from '../../core/origin.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { dataLine, inQuotes, LINE_BREAK, underOneName } from '../../core/text/sanitize.ts';
import type { Way } from '../../core/threads/commands.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import { eventOf } from '../../log/event-log.ts';
import { isSaid, textOf } from '../agents/utterances.ts';
import type { Engine } from '../engine.ts';
import { type TextAt, textAt, type Written } from './text-at.ts';

export interface OpenWish {
  readonly link: string;
  readonly as: 'loom' | 'dialogue';
  readonly title?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly ask?: string | undefined;
}

export interface BringWish {
  readonly from: string;
  readonly to?: string | undefined;
  readonly as?: Way | undefined;
}

type Reading = Pick<Engine, 'log' | 'state'>;

const QUOTED = 20;
const QUOTED_CHARS = 6000;
const LONGEST_MESSAGE = 200_000;

/** The command that opens a text as a thread of its own. The text is read here: a client only says which. */
export async function openingOf(engine: Reading, wish: OpenWish, actor: Actor): Promise<Command | Refusal> {
  const found = await at(engine, wish.link, actor);
  if (isRefusal(found)) return found;
  const part = partOf(found, wish);
  if (isRefusal(part)) return part;
  const versions = part.start === undefined ? found.versions : [lastOf(found, part.text)];
  const message = wish.as === 'dialogue' ? await asMessage(engine, found, part.text, wish.ask) : part.text;
  if (message.length > LONGEST_MESSAGE) {
    return refuse('too_large', `This text has ${message.length} characters; open a part of it ("start", "end").`);
  }
  const range = part.start === undefined ? {} : { start: part.start, end: part.end };
  const input = {
    ...{ title: wish.title ?? titled(part.text, found.title), kind: wish.as, invite: [] },
    origin: { ...originOf(found), ...range },
    seed: { versions: versions.map(({ text, author, kind, ts }) => ({ text, author, kind, ts })), message },
  };
  return { name: 'create', input } as unknown as Command;
}

/** The command that brings a text into another thread: of a loom, the path up to where it is taken. */
export async function bringingOf(engine: Reading, wish: BringWish, actor: Actor): Promise<Command | Refusal> {
  const found = await at(engine, wish.from, actor);
  if (isRefusal(found)) return found;
  const source = (await engine.state(found.thread))?.state as State;
  const to = targetOf(wish, source);
  if (isRefusal(to)) return to;
  const into = (await engine.state(to.thread))?.state;
  if (!into) return refuse('unknown_thread', `There is no thread ${to.thread} in this workspace.`);
  const place = to.at === undefined ? undefined : await textAt(engine, to, actor.id);
  // A draft that was decided on is no place to answer to; everything else has to be there.
  if (place && isRefusal(place)) return place;
  const text = `${found.before ?? ''}${found.text}`;
  if (text.trim() === '') return refuse('malformed', `There is no text at ${found.link} to bring.`);
  const about = into.thread.kind === 'conversation' && place?.what !== 'message' ? undefined : place?.at;
  const as = wish.as ?? usual(into, about);
  const input = { thread: to.thread, as, text, origin: originOf(found), ...(about !== undefined && { at: about }) };
  return { name: 'bring', input };
}

async function at(engine: Reading, address: string, actor: Actor): Promise<TextAt | Refusal> {
  const link = readLink(address);
  return link ? textAt(engine, link, actor.id) : noAddress(address);
}

function targetOf({ to }: BringWish, { thread: { title, origin } }: State): Link | Refusal {
  const address = to ?? origin?.link;
  if (address === undefined) {
    return refuse('malformed', `"${title}" was not opened from anywhere. Say where its text is to go.`);
  }
  return readLink(address) ?? noAddress(address);
}

/** What a dialogue waits for decides what a text is to it. */
function usual(state: State, place: string | undefined): Way {
  const open = modeState('dialogue', state)?.open;
  if (!open) return waysInto(state.thread.kind)[0] as Way;
  return place?.startsWith(`${open.turn}.`) ? 'accept' : 'steer';
}

function noAddress(address: string): Refusal {
  return refuse(
    'malformed',
    `"${address.slice(0, 80)}" is no address of a place in a workspace, like /threads/ID#EVENT.`,
  );
}

function originOf(found: TextAt): Origin {
  const { event, hash } = found.versions.at(-1) as Written;
  return { thread: found.thread, link: found.link, what: found.what, event, hash };
}

function partOf({ text, link }: TextAt, { start = 0, end = text.length }: OpenWish) {
  if (start === 0 && end >= text.length) return { text };
  const part = text.slice(start, end);
  if (start < end && part.trim() !== '' && part.isWellFormed())
    return { text: part, start, end: Math.min(end, text.length) };
  return refuse(
    'malformed',
    `From ${start} to ${end} there is no text at ${link}, which has ${text.length} characters.`,
  );
}

function lastOf({ versions }: TextAt, text: string): Written {
  return { ...(versions.at(-1) as Written), text };
}

function titled(text: string, otherwise: string): string {
  const line = text.trim().split(LINE_BREAK, 1)[0]?.trim() ?? '';
  const short = [...line].slice(0, 60).join('');
  return short === '' ? `From ${[...otherwise].slice(0, 190).join('')}` : short === line ? line : `${short}…`;
}

/** A text as a person would bring it up: what was said before it, quoted; whose it is; and what they ask. */
async function asMessage(engine: Reading, found: TextAt, text: string, ask: string | undefined): Promise<string> {
  const quoted = await saidBefore(engine, found);
  const author = dataLine((found.versions.at(-1) as Written).author, 64);
  return [
    `From ${inQuotes(found.title)}${quoted.length > 0 ? ', what was said before' : ''}:`,
    ...(quoted.length > 0 ? [quoted.join('\n')] : []),
    ...(ask === undefined ? [`${author} wrote:`, text] : [`${author} wrote:\n${barred(text)}`, ask]),
  ].join('\n\n');
}

async function saidBefore({ log }: Reading, { thread, versions, what, before }: TextAt): Promise<readonly string[]> {
  if (before !== undefined) return before.trim() === '' ? [] : [barred(before.slice(-QUOTED_CHARS))];
  if (what !== 'message' && what !== 'draft') return [];
  const { seq } = versions.at(-1) as Written;
  const rows = await log.readThread(thread, Math.max(0, seq - 1 - 10 * QUOTED), Math.min(seq - 1, 10 * QUOTED));
  const said = rows.map(eventOf).filter(isSaid).slice(-QUOTED);
  const quoted: string[] = [];
  let chars = 0;
  for (const event of said.reverse()) {
    const line = barred(underOneName(event.from, textOf(event)));
    chars += line.length;
    if (chars > QUOTED_CHARS) break;
    quoted.unshift(line);
  }
  return quoted;
}

function barred(text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => `> ${line}`)
    .join('\n');
}
