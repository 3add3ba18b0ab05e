import { authorLabelOf, type Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import { linkTo, linkToConversation, type PlaceLink } from '../../core/link.ts';
import type { TextSource } from '../../core/mode.ts';
import { modeOf } from '../../core/modes.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { refuseUnknownThread } from '../../core/threads/decide.ts';
import { DraftSettled, type ThreadEvent } from '../../core/threads/events.ts';
import type { State } from '../../core/workspace.ts';
import { eventOf, findVisibleEvent, type StoredEvent } from '../../log/event-log.ts';
import type { Engine } from '../engine.ts';
import { newestVersionsOf } from '../versions.ts';

/** A text in the workspace, named by a link. It is read from the log and never taken from the client. */
export interface TextAt {
  readonly link: string;
  readonly thread: string;
  readonly title: string;
  readonly at: string;
  /** A noun, such as "message" or "draft". */
  readonly what: string;
  readonly text: string;
  /** Its versions, oldest first; the last is the current text. */
  readonly versions: readonly [TextVersion, ...TextVersion[]];
  /** The text before a loom node; together they are the path. */
  readonly before?: string;
}

export interface TextVersion {
  readonly text: string;
  readonly author: string;
  readonly kind: 'human' | 'model';
  readonly ts: string;
  readonly event: string;
  readonly seq: number;
  readonly hash: string;
}

type FoundText = Pick<TextAt, 'at' | 'what' | 'versions' | 'before'>;
type TextAtEngine = Pick<Engine, 'log' | 'state'>;

/**
 * Reads the text that a link names, as this participant sees it. A link to a loom without a node means the end of their
 * path.
 */
export async function textAt(engine: TextAtEngine, link: PlaceLink, reader: string): Promise<TextAt | Refusal> {
  const { thread, at } = link;
  const loaded = await engine.state(thread);
  if (!loaded) return refuseUnknownThread(thread);
  const { state } = loaded;
  const found = await findText({ engine, thread, state, reader }, at);
  if (isRefusal(found)) return refuse(found.refusal.code, found.refusal.message, { thread, ...found.refusal });
  const { title, kind } = state.thread;
  return {
    // A text addressed by its event id is part of the conversation; any other text has its own place.
    link: found.versions.some(({ event }) => event === found.at)
      ? linkToConversation(thread, found.at)
      : linkTo({ id: thread, kind }, found.at),
    ...{ thread, title, text: (found.versions.at(-1) as TextVersion).text },
    ...found,
  };
}

interface TextAtContext {
  readonly engine: TextAtEngine;
  readonly thread: string;
  readonly state: State;
  readonly reader: string;
}

async function findText(context: TextAtContext, at: string | undefined): Promise<FoundText | Refusal> {
  const { state, reader } = context;
  const source = modeOf(state.thread.kind)?.sourceOf(state.mode, at, reader);
  if (source) return readSource(context, source);
  return at === undefined ? missingText(state) : findMessage(context, at);
}

/** Adds what the log knows of the events that wrote a text. */
async function readSource({ engine: { log }, thread }: TextAtContext, source: TextSource): Promise<FoundText> {
  const versions = source.versions.map(async ({ text, event, author }): Promise<TextVersion> => {
    const row = (await (typeof event === 'string' ? log.byId(event) : log.lastOf(thread, event))) as StoredEvent;
    return { ...versionOf(row, text), ...(author && { author: author.id, kind: author.kind, ts: author.ts }) };
  });
  return { ...source, versions: (await Promise.all(versions)) as [TextVersion, ...TextVersion[]] };
}

/** Finds a message in a thread of any kind, or a proposed draft of one (T19). */
async function findMessage(context: TextAtContext, at: string): Promise<FoundText | Refusal> {
  const row = await findVisibleEvent(context.engine.log, context.thread, at);
  if (!row) return noTextAt(context.state, at);
  const event = eventOf(row);
  const text = eventText(event);
  if (text === undefined) return noTextAt(context.state, at);
  const what = event.type === 'draft.proposed' ? 'draft' : 'message';
  const draft = await draftOf(context, event);
  const last = {
    ...versionOf(row, text),
    ...(draft && { author: event.meta.accepted_by as string, kind: 'human' as const }),
  };
  const edited = (await newestVersionsOf(context.engine.log, context.state.thread, [event])).get(event.id);
  const newest = edited && (await context.engine.log.byId(edited.event));
  return {
    at,
    what,
    versions: [draft ?? last, ...(draft ? [last] : []), ...(newest ? [versionOf(newest, edited.text)] : [])],
  };
}

function eventText(stored: Event): string | undefined {
  const event = readEvent<ThreadEvent>(stored);
  if (typeof event.content === 'string') return event.content;
  switch (event.type) {
    case 'task':
    case 'result':
    case 'draft.proposed':
    case 'notice.posted':
      return event.content.text;
    case 'side.opened':
      return event.content.question;
    case 'side.returned':
    case 'side.closed':
      return event.content.summary;
    default:
      return undefined;
  }
}

/** The agent's original draft, if a human edited it before posting. */
async function draftOf({ engine, thread }: TextAtContext, { meta, seq }: Event): Promise<TextVersion | undefined> {
  if (meta.accepted_by === undefined) return undefined;
  const settlement = await engine.log.lastOf(thread, seq - 1);
  const { of, text } = (settlement && DraftSettled.read(eventOf(settlement))?.content) ?? {};
  const row = of === undefined || text === undefined ? undefined : await engine.log.byId(of);
  return row && versionOf(row, eventText(eventOf(row)) ?? '');
}

function versionOf(row: StoredEvent, text: string): TextVersion {
  const event = eventOf(row);
  const { id, ts, seq, meta, hash } = event;
  return {
    text,
    author: authorLabelOf(event),
    kind: meta.by === 'human' ? 'human' : 'model',
    ts,
    event: id,
    seq,
    hash,
  };
}

function placesIn(kind: string): string {
  return modeOf(kind)?.places ?? 'a message, draft or task by its event';
}

function missingText({ thread: { kind, title } }: State): Refusal {
  if (modeOf(kind)?.isOneText) return refuse('unknown_node', `"${title}" is empty: there is no text to take.`);
  return refuse('malformed', `"${title}" is a whole ${kind}. Name one of its texts: ${placesIn(kind)}.`);
}

function noTextAt({ thread: { kind, title } }: State, at: string): Refusal {
  const code = modeOf(kind)?.unknownPlace ?? 'unknown_event';
  return refuse(code, `There is no text at #${at.slice(0, 64)} in "${title}". Name ${placesIn(kind)}.`);
}
