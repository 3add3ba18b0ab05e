import type { Dialogue } from '../../core/dialogue/state.ts';
import { turnOf } from '../../core/dialogue/state.ts';
import { authorLabelOf, type Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import type { Exchange } from '../../core/exchange/state.ts';
import { termsText } from '../../core/exchange/terms/terms-text.ts';
import { linkTo, linkToConversation, type PlaceLink } from '../../core/link.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { textBefore } from '../../core/loom/text-before.ts';
import { viewNode, viewPath } from '../../core/loom/view.ts';
import { thoughtOf } from '../../core/pool/state.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { DraftSettled, type ThreadEvent } from '../../core/threads/events.ts';
import { modeState, type State } from '../../core/workspace.ts';
import { eventOf, type StoredEvent } from '../../log/event-log.ts';
import type { Engine } from '../engine.ts';

/** A text in the workspace, named by a link. It is read from the log and never taken from the client. */
export interface TextAt {
  readonly link: string;
  readonly thread: string;
  readonly title: string;
  readonly at: string;
  readonly what: 'message' | 'draft' | 'thought' | 'audit' | 'terms' | 'node';
  readonly text: string;
  /** Its versions, oldest first; the last is the current text. */
  readonly versions: readonly [TextVersion, ...TextVersion[]];
  /** The text before a loom node; together they are the path. */
  readonly before?: string;
}

/** A version of a text, with its author and event. */
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
  if (!loaded) return unknownThread(thread);
  const { state } = loaded;
  const found = await findText({ engine, thread, state, reader }, at);
  if (isRefusal(found)) return refuse(found.refusal.code, found.refusal.message, { thread, ...found.refusal });
  const { title, kind } = state.thread;
  return {
    // A text addressed by its event id is part of the conversation; any other text has its own place.
    link:
      found.versions.at(-1)?.event === found.at
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
  const { state } = context;
  const found =
    (await findInLoom(context, modeState('loom', state), at)) ??
    (await findInDialogue(context, modeState('dialogue', state), at)) ??
    (await findInExchange(context, modeState('exchange', state), at));
  if (found) return found;
  return at === undefined ? missingText(state) : findMessage(context, at);
}

/** Finds a message in a thread of any kind, or a proposed draft of one (T19). */
async function findMessage(context: TextAtContext, at: string): Promise<FoundText | Refusal> {
  const row = await context.engine.log.byId(at);
  const visibleRow = row && (await context.engine.log.lastOf(context.thread, row.seq));
  if (!row || visibleRow?.id !== row.id) return noTextAt(context.state, at);
  const event = eventOf(row);
  const text = eventText(event);
  if (text === undefined) return noTextAt(context.state, at);
  const what = event.type === 'draft.proposed' ? 'draft' : 'message';
  const draft = await draftOf(context, event);
  const last = {
    ...versionOf(row, text),
    ...(draft && { author: event.meta.accepted_by as string, kind: 'human' as const }),
  };
  return { at, what, versions: draft ? [draft, last] : [last] };
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

async function findInLoom(
  context: TextAtContext,
  loom: LoomState | undefined,
  at: string | undefined,
): Promise<FoundText | undefined> {
  if (!loom) return undefined;
  const id = at ?? viewPath(loom, context.thread, context.reader, { limit: 0 }).tip;
  const node = viewNode(loom, id, context.reader, String);
  if (!node || node.parent === null) return undefined;
  const { content: text, author, created } = node;
  const kind = node.kind === 'model' ? 'model' : 'human';
  const before = textBefore(loom, id, context.reader);
  const row = (await context.engine.log.lastOf(context.thread, node.seq)) as StoredEvent;
  return { at: id, what: 'node', versions: [{ ...versionOf(row, text), author, kind, ts: created }], before };
}

const TURN = /^(\d{1,9})(?:\.(\d{1,9}))?$/;
const NUMBERED = /^(thought|audit|terms)\.(\d{1,9})$/;

/** A turn is its message. An accepted draft is its accepted text, with the person's edits. */
async function findInDialogue(
  context: TextAtContext,
  state: Dialogue | undefined,
  at = '',
): Promise<FoundText | undefined> {
  if (!state) return undefined;
  const { log } = context.engine;
  const [, number, index] = TURN.exec(at) ?? [];
  const turn = turnOf(state, Number(number));
  if (turn && index === undefined) {
    const row = (await log.lastOf(context.thread, turn.openedSeq)) as StoredEvent;
    return { at, what: 'message', versions: [versionOf(row, turn.text)] };
  }
  const draft = turn?.drafts.get(Number(index));
  if (turn && draft) {
    const row = (await log.byId(state.iterations.at(draft.iter - 1)?.event ?? '')) as StoredEvent;
    const { end } = turn;
    const draftVersion = versionOf(row, draft.text);
    if (end?.kind !== 'accepted' || end.draft !== draft.index || !end.difference) {
      return { at, what: 'draft', versions: [draftVersion] };
    }
    const acceptedRow = (await log.lastOf(context.thread, end.seq)) as StoredEvent;
    return { at, what: 'draft', versions: [draftVersion, versionOf(acceptedRow, end.text)] };
  }
  const [, kind, id] = NUMBERED.exec(at) ?? [];
  const thought = kind === 'thought' ? thoughtOf(state.pool, Number(id)) : undefined;
  if (!thought) return undefined;
  const row = (await log.byId(state.iterations.at(thought.iter - 1)?.event ?? '')) as StoredEvent;
  return { at, what: 'thought', versions: [versionOf(row, thought.text)] };
}

async function findInExchange(
  context: TextAtContext,
  state: Exchange | undefined,
  at = '',
): Promise<FoundText | undefined> {
  const { log } = context.engine;
  const [, kind, id] = NUMBERED.exec(at === 'terms' ? `terms.${state?.terms.length}` : at) ?? [];
  if (!state || id === undefined) return undefined;
  const thought = kind === 'thought' ? thoughtOf(state.pool, Number(id)) : undefined;
  if (thought) {
    const row = (await log.byId(state.calls.at(thought.iter - 1)?.event ?? '')) as StoredEvent;
    return { at, what: 'thought', versions: [versionOf(row, thought.text)] };
  }
  const audit = kind === 'audit' && Number(id) > 0 ? state.audits.at(Number(id) - 1) : undefined;
  if (audit) {
    return {
      at,
      what: 'audit',
      versions: [versionOf((await log.byId(audit.event)) as StoredEvent, audit.content.text)],
    };
  }
  const terms = kind === 'terms' && Number(id) > 0 ? state.terms.at(Number(id) - 1) : undefined;
  if (!terms) return undefined;
  const row = (await log.lastOf(context.thread, terms.seq)) as StoredEvent;
  return { at: `terms.${terms.version}`, what: 'terms', versions: [versionOf(row, termsText(terms.terms))] };
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

function unknownThread(thread: string): Refusal {
  return refuse('unknown_thread', `There is no thread ${thread} in this workspace. List them with "heddle threads".`, {
    thread,
  });
}

const PLACE_EXAMPLES: Readonly<Record<State['thread']['kind'], string>> = {
  conversation: 'a message, draft or task by its event',
  dialogue: 'a turn (#2), a draft (#2.3) or a thought (#thought.7)',
  exchange: 'an audit (#audit.2), a thought (#thought.7) or the terms (#terms)',
  loom: 'a node',
};

function missingText({ thread: { kind, title } }: State): Refusal {
  if (kind === 'loom') return refuse('unknown_node', `"${title}" is empty: there is no text to take.`);
  return refuse('malformed', `"${title}" is a whole ${kind}. Say which text of it is meant: ${PLACE_EXAMPLES[kind]}.`);
}

function noTextAt({ thread: { kind, title } }: State, at: string): Refusal {
  const code = kind === 'loom' ? 'unknown_node' : 'unknown_event';
  return refuse(code, `There is no text at #${at.slice(0, 64)} in "${title}". Name ${PLACE_EXAMPLES[kind]}.`);
}
