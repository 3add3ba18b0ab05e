import { defaultBringWay } from '../../core/bring.ts';
import type { Actor } from '../../core/events/event.ts';
import { type PlaceLink, parseLink } from '../../core/link.ts';
import type { Origin } from '../../core/origin.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { attributeText, LINE_BREAK, quoteLine, sanitizeLine } from '../../core/text/sanitize.ts';
import { refuseUnknownThread } from '../../core/threads/decide.ts';
import type { Command, State } from '../../core/workspace.ts';
import { eventOf } from '../../log/event-log.ts';
import type { RouteBody } from '../../protocol/routes.ts';
import { isUtterance, textOf } from '../agents/utterances.ts';
import type { Engine } from '../engine.ts';
import { type TextAt, type TextVersion, textAt } from './text-at.ts';

type OpenTextRequest = RouteBody<'POST /api/open'>;
type BringTextRequest = RouteBody<'POST /api/bring'>;
type BringCommand = Extract<Command, { readonly name: 'bring' }>;
type BringEngine = Pick<Engine, 'log' | 'state'>;

const MAX_QUOTES = 20;
const MAX_QUOTE_CHARS = 6000;
const MAX_MESSAGE_CHARS = 200_000;

/** Builds the command that opens a text as a new thread. The server reads the text itself: the client only names it. */
export async function openCommandFor(
  engine: BringEngine,
  request: OpenTextRequest,
  actor: Actor,
): Promise<Command | Refusal> {
  const passage = await readAddress(engine, request.link, actor);
  if (isRefusal(passage)) return passage;
  const part = partOf(passage, request);
  if (isRefusal(part)) return part;
  const versions = part.start === undefined ? passage.versions : [lastVersionWith(passage, part.text)];
  const message = request.as === 'dialogue' ? await formatMessage(engine, passage, part.text, request.ask) : part.text;
  if (message.length > MAX_MESSAGE_CHARS) {
    return refuse('too_large', `This text has ${message.length} characters; open a part of it ("start", "end").`);
  }
  const range = part.start === undefined ? {} : { start: part.start, end: part.end };
  const input = {
    ...{ title: request.title ?? titleFor(part.text, passage.title), kind: request.as, invite: [] },
    origin: { ...originOf(passage), ...range },
    seed: { versions: versions.map(({ text, author, kind, ts }) => ({ text, author, kind, ts })), message },
  };
  return { name: 'create', input };
}

/** Builds the command that brings a text into another thread; for a loom, the path up to the linked node. */
export async function bringCommandFor(
  engine: BringEngine,
  request: BringTextRequest,
  actor: Actor,
): Promise<BringCommand | Refusal> {
  const passage = await readAddress(engine, request.from, actor);
  if (isRefusal(passage)) return passage;
  const sourceState = (await engine.state(passage.thread))?.state as State;
  const target = targetOf(request, sourceState);
  if (isRefusal(target)) return target;
  const targetState = (await engine.state(target.thread))?.state;
  if (!targetState) return refuseUnknownThread(target.thread);
  const place = target.at === undefined ? undefined : await textAt(engine, target, actor.id);
  // A draft that was already decided cannot be answered; every other place must exist.
  if (place && isRefusal(place)) return place;
  const text = `${passage.before ?? ''}${passage.text}`;
  if (text.trim() === '') return refuse('malformed', `There is no text at ${passage.link} to send.`);
  const about = targetState.thread.kind === 'conversation' && place?.what !== 'message' ? undefined : place?.at;
  const as = request.as ?? defaultBringWay(targetState, about);
  const input = {
    thread: target.thread,
    as,
    text,
    origin: originOf(passage),
    ...(about !== undefined && { at: about }),
  };
  return { name: 'bring', input };
}

async function readAddress(engine: BringEngine, address: string, actor: Actor): Promise<TextAt | Refusal> {
  const link = parseLink(address);
  return link ? textAt(engine, link, actor.id) : badAddress(address);
}

function targetOf({ to }: BringTextRequest, { thread: { title, origin } }: State): PlaceLink | Refusal {
  const address = to ?? origin?.link;
  if (address === undefined) {
    return refuse('malformed', `"${title}" was not opened from another thread. Name the thread to send its text to.`);
  }
  return parseLink(address) ?? badAddress(address);
}

function badAddress(address: string): Refusal {
  return refuse(
    'malformed',
    `"${address.slice(0, 80)}" is not an address of a place in a workspace, such as /threads/ID#EVENT.`,
  );
}

function originOf(passage: TextAt): Origin {
  const { event, hash } = passage.versions.at(-1) as TextVersion;
  return { thread: passage.thread, link: passage.link, what: passage.what, event, hash };
}

function partOf({ text, link }: TextAt, { start = 0, end = text.length }: OpenTextRequest) {
  if (start === 0 && end >= text.length) return { text };
  const part = text.slice(start, end);
  if (start < end && part.trim() !== '' && part.isWellFormed())
    return { text: part, start, end: Math.min(end, text.length) };
  return refuse(
    'malformed',
    `From ${start} to ${end} there is no text at ${link}, which has ${text.length} characters.`,
  );
}

function lastVersionWith({ versions }: TextAt, text: string): TextVersion {
  return { ...(versions.at(-1) as TextVersion), text };
}

function titleFor(text: string, fallback: string): string {
  const line = text.trim().split(LINE_BREAK, 1)[0]?.trim() ?? '';
  const shortLine = [...line].slice(0, 60).join('');
  return shortLine === ''
    ? `From ${[...fallback].slice(0, 190).join('')}`
    : shortLine === line
      ? line
      : `${shortLine}…`;
}

/** Formats a text as a person would quote it: the preceding text, the author, and the person's question. */
async function formatMessage(
  engine: BringEngine,
  passage: TextAt,
  text: string,
  ask: string | undefined,
): Promise<string> {
  const quotes = await quotesBefore(engine, passage);
  const author = sanitizeLine((passage.versions.at(-1) as TextVersion).author, 64);
  return [
    `From ${quoteLine(passage.title)}${quotes.length > 0 ? ', what was said before' : ''}:`,
    ...(quotes.length > 0 ? [quotes.join('\n')] : []),
    ...(ask === undefined ? [`${author} wrote:`, text] : [`${author} wrote:\n${quoteLines(text)}`, ask]),
  ].join('\n\n');
}

async function quotesBefore(
  { log }: BringEngine,
  { thread, versions, what, before }: TextAt,
): Promise<readonly string[]> {
  if (before !== undefined) return before.trim() === '' ? [] : [quoteLines(before.slice(-MAX_QUOTE_CHARS))];
  if (what !== 'message' && what !== 'draft') return [];
  const { seq } = versions.at(-1) as TextVersion;
  const rows = await log.readThread(thread, Math.max(0, seq - 1 - 10 * MAX_QUOTES), Math.min(seq - 1, 10 * MAX_QUOTES));
  const utterances = rows.map(eventOf).filter(isUtterance).slice(-MAX_QUOTES);
  const quotes: string[] = [];
  let chars = 0;
  for (const event of utterances.reverse()) {
    const line = quoteLines(attributeText(event.from, textOf(event)));
    chars += line.length;
    if (chars > MAX_QUOTE_CHARS) break;
    quotes.unshift(line);
  }
  return quotes;
}

function quoteLines(text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => `> ${line}`)
    .join('\n');
}
