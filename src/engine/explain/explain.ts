import type { DialogueEvent } from '../../core/dialogue/events.ts';
import type { EventOf } from '../../core/events/define.ts';
import type { Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import type { ExchangeEvent } from '../../core/exchange/events.ts';
import { parseLink } from '../../core/link.ts';
import type { Origin } from '../../core/origin.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import type { ThreadRenamed } from '../../core/threads/events.ts';
import { modeState } from '../../core/workspace.ts';
import { describeFailure } from '../../formats/verify/chain.ts';
import { eventOf } from '../../log/event-log.ts';
import type { AccountStep, WireAccount } from '../../protocol/explain.ts';
import { type Account, type ExplainContext, formatCount } from './account.ts';
import { explainDraft, explainIteration, explainThought } from './dialogue.ts';
import { explainAudit, explainPoolThought, explainRound, explainTerms } from './exchange.ts';
import { explainNode } from './loom.ts';
import { explainMessage, findVisible } from './message.ts';
import { explainTitle } from './title.ts';

export interface ExplainRequest {
  readonly link: string;
  readonly offset?: number | undefined;
  readonly whole: boolean;
}

/** Explains any text, or one character of it: the author, the call, its input and terms, and the proof. */
export async function explain(
  engine: ExplainContext['engine'],
  { link, offset, whole }: ExplainRequest,
): Promise<WireAccount | Refusal> {
  const place = parseLink(link);
  if (!place) return badLink(link);
  const { thread, at } = place;
  const loaded = await engine.state(thread);
  if (!loaded) return unknownThread(thread);
  const context: ExplainContext = { engine, thread, state: loaded.state, offset, whole };
  const account = at === undefined ? await explainTitle(context, loaded.seq) : await explainAt(context, at, loaded.seq);
  if (!account) return noPlaceAt(context, at ?? '');
  if (offset !== undefined && offset >= account.text.length) return offsetTooLarge(account.text.length, offset);
  return buildExplanation(context, account);
}

const NUMBERED = /^(round|audit|thought|terms|iteration)\.(\d{1,9})$/;
const TURN = /^(\d{1,9})(?:\.(\d{1,9}))?$/;

async function explainAt(context: ExplainContext, at: string, head: number): Promise<Account | undefined> {
  const { state } = context;
  const loom = modeState('loom', state);
  const dialogue = modeState('dialogue', state);
  const exchange = modeState('exchange', state);
  const [, kind, number] = NUMBERED.exec(at === 'terms' ? `terms.${exchange?.terms.length ?? 0}` : at) ?? [];
  const n = Number(number);
  if (exchange && kind === 'thought') return explainPoolThought(context, exchange, n);
  if (exchange && kind === 'audit') return explainAudit(context, exchange, n);
  if (exchange && kind === 'round') return explainRound(context, exchange, n);
  if (exchange && kind === 'terms') return explainTerms(context, exchange, n);
  if (dialogue && kind === 'thought') return explainThought(context, dialogue, n);
  if (dialogue && kind === 'iteration') return explainIteration(context, dialogue, n);
  const [, turn, index] = (dialogue && TURN.exec(at)) ?? [];
  if (dialogue && turn !== undefined && index !== undefined) {
    return explainDraft(context, dialogue, Number(turn), Number(index));
  }
  const node = loom && (await explainNode(context, loom, at));
  if (node) return node;
  const event = turn === undefined ? await findVisible(context, at) : await openingEvent(context, Number(turn));
  return event && explainEvent(context, event, head);
}

/** Explains an event by its id: as the text at its own place, if it has one. */
async function explainEvent(context: ExplainContext, event: Event, head: number): Promise<Account | undefined> {
  const at = placeOf(context, event);
  if (at === '') return explainTitle(context, head);
  const account = at === undefined ? undefined : await explainAt(context, at, head);
  return account ?? explainMessage(context, event);
}

function placeOf({ state }: ExplainContext, stored: Event): string | undefined {
  const event = readEvent<DialogueEvent | ExchangeEvent | EventOf<typeof ThreadRenamed>>(stored);
  switch (event.type) {
    case 'thread.created':
    case 'thread.renamed':
      return '';
    case 'turn.accepted':
      return `${event.content.turn}.${event.content.draft}`;
    case 'iteration.ended': {
      const { turn, draft, iter } = event.content;
      if (draft) return `${turn}.${draft.index}`;
      return firstThought(modeState('dialogue', state)?.iterations, event.content) ?? `iteration.${iter}`;
    }
    case 'audit.written':
      return `audit.${event.content.audit}`;
    case 'terms.set':
      return `terms.${event.content.version}`;
    case 'round.ended':
      return `round.${event.content.round}`;
    case 'mind.spoke':
      return firstThought(modeState('exchange', state)?.calls, event.content);
    default:
      return undefined;
  }
}

/** The first thought of an iteration without a draft. */
function firstThought(
  calls: MindCalls | undefined,
  { iter, thoughts }: { readonly iter: number; readonly thoughts: readonly string[] },
): string | undefined {
  const before = calls?.at(iter - 1)?.thoughtsAfter;
  return before === undefined || thoughts.length === 0 ? undefined : `thought.${before + 1}`;
}

interface MindCalls {
  at(place: number): { readonly thoughtsAfter: number } | undefined;
}

async function openingEvent({ engine, thread, state }: ExplainContext, turn: number): Promise<Event | undefined> {
  const dialogue = modeState('dialogue', state);
  const turnState =
    dialogue?.open?.turn === turn ? dialogue.open : turn >= 1 ? dialogue?.turns.at(turn - 1) : undefined;
  const row = turnState && (await engine.log.lastOf(thread, turnState.openedSeq));
  return row && eventOf(row);
}

function buildExplanation(context: ExplainContext, account: Account): WireAccount {
  const { past, rests = [], checks = [], at, ...fields } = account;
  const { id, title, kind } = context.state.thread;
  const event = past.events.at(-1) as Event;
  const { broken, whole, events, previous } = past;
  const holds = !broken && checks.every((check) => check.holds);
  return {
    link: fields.link,
    thread: { id, title, kind },
    what: fields.what,
    text: fields.text,
    author: fields.author,
    ...(at && context.offset !== undefined && { at: { offset: context.offset, from: at.from, to: at.to } }),
    ...(fields.parts && { parts: [...fields.parts] }),
    steps: [...originSteps(context, [...rests.map((rest) => rest.event), event]), ...fields.steps],
    ...(fields.call && { call: fields.call }),
    ...(fields.shown && { shown: fields.shown }),
    ...(fields.terms && { terms: fields.terms }),
    proof: {
      what: broken ? describeFailure(broken) : proofSentence(events.length, whole, holds, id),
      ...{ holds, thread: id, event: event.id, seq: event.seq, hash: event.hash, previous },
      ...{ links: events.length, whole },
      rests: rests.map(({ what, event: { id: other, seq, hash } }) => ({ what, event: other, seq, hash })),
      checks: [...checks],
    },
  };
}

const ORIGIN_NOUNS: Readonly<Record<Origin['what'], string>> = {
  message: 'a message',
  draft: 'a draft',
  thought: 'a thought',
  audit: 'an audit',
  terms: 'terms',
  node: 'a loom',
};

/** The source of the text, if it was brought here or the thread was opened with it. */
function originSteps({ state: { thread } }: ExplainContext, events: readonly Event[]): readonly AccountStep[] {
  const threadOrigin = thread.origin && events.some(({ ts }) => ts === thread.created) ? thread.origin : undefined;
  const textOrigin = events.map(({ meta }) => meta.origin).find((origin) => origin !== undefined);
  const stepFrom = (how: string, { what, link, hash }: Origin) => ({
    what: `${how} ${ORIGIN_NOUNS[what]}.`,
    link,
    hash,
  });
  return [
    ...(threadOrigin ? [stepFrom(`The ${thread.kind} was opened from`, threadOrigin)] : []),
    ...(textOrigin ? [stepFrom('Its words were brought here from', textOrigin)] : []),
  ];
}

function proofSentence(links: number, whole: boolean, holds: boolean, thread: string): string {
  if (!holds) return 'The chain holds, but not all of what hangs on it: see below.';
  return whole
    ? `Every link from the thread’s beginning up to here holds: ${formatCount(links, 'event')}.`
    : `The last ${formatCount(links, 'link')} up to here hold; "heddle verify ${thread}" proves all of them.`;
}

function badLink(link: string): Refusal {
  return refuse(
    'malformed',
    `"${link.slice(0, 80)}" is no link. A link is an address of the page or its path: /threads/ID#EVENT, /dialogue/ID#2.3 for a draft, /exchange/ID#audit.1, /loom/ID#NODE; without #, the title.`,
  );
}

function unknownThread(thread: string): Refusal {
  return refuse('unknown_thread', `There is no thread ${thread} in this workspace. List them with "heddle threads".`, {
    thread,
  });
}

const PLACE_EXAMPLES: Readonly<Record<ExplainContext['state']['thread']['kind'], string>> = {
  conversation: 'a message, draft or other event by its id',
  dialogue: 'a turn (#2), a draft (#2.3), a thought (#thought.7) or an event by its id',
  exchange:
    'a round (#round.3), an audit (#audit.1), a thought (#thought.7), the terms (#terms.2) or an event by its id',
  loom: 'a node or an event by its id',
};

function noPlaceAt({ thread, state }: ExplainContext, at: string): Refusal {
  const { kind, title } = state.thread;
  const code = kind === 'loom' ? 'unknown_node' : 'unknown_event';
  return refuse(code, `There is nothing at #${at.slice(0, 64)} in "${title}". Name ${PLACE_EXAMPLES[kind]}.`, {
    thread,
  });
}

function offsetTooLarge(length: number, offset: number): Refusal {
  return refuse(
    'malformed',
    `The text has ${formatCount(length, 'character')}, counted from 0; there is none at ${offset}.`,
  );
}
