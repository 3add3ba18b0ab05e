import type { Event, Json } from '../../core/events/event.ts';
import { readLink } from '../../core/link.ts';
import type { Origin } from '../../core/origin.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { modeState } from '../../core/workspace.ts';
import { sentenceOf } from '../../formats/verify/chain.ts';
import { eventOf } from '../../log/event-log.ts';
import type { Explained, Step } from '../../protocol/explain.ts';
import { type Account, type Asking, counted } from './account.ts';
import { explainDraft, explainIteration, explainThought } from './dialogue.ts';
import { explainAudit, explainRound, explainTerms, explainThoughtOfPool } from './exchange.ts';
import { explainNode } from './loom.ts';
import { explainSaid, visible } from './message.ts';
import { explainTitle } from './title.ts';

export interface ExplainWish {
  readonly link: string;
  readonly offset?: number | undefined;
  readonly whole: boolean;
}

/** From any text, or one character of it, to its cause: who, from which call, on what, under which terms; with the proof. */
export async function explain(
  engine: Asking['engine'],
  { link, offset, whole }: ExplainWish,
): Promise<Explained | Refusal> {
  const place = readLink(link);
  if (!place) return noLink(link);
  const { thread, at } = place;
  const loaded = await engine.state(thread);
  if (!loaded) return unknownThread(thread);
  const asking: Asking = { engine, thread, state: loaded.state, offset, whole };
  const account = at === undefined ? await explainTitle(asking, loaded.seq) : await explainAt(asking, at, loaded.seq);
  if (!account) return nothingAt(asking, at ?? '');
  if (offset !== undefined && offset >= account.text.length) return beyond(account.text.length, offset);
  return explained(asking, account);
}

const NUMBERED = /^(round|audit|thought|terms|iteration)\.(\d{1,9})$/;
const TURN = /^(\d{1,9})(?:\.(\d{1,9}))?$/;

async function explainAt(asking: Asking, at: string, head: number): Promise<Account | undefined> {
  const { state } = asking;
  const loom = modeState('loom', state);
  const dialogue = modeState('dialogue', state);
  const exchange = modeState('exchange', state);
  const [, kind, number] = NUMBERED.exec(at === 'terms' ? `terms.${exchange?.terms.length ?? 0}` : at) ?? [];
  const n = Number(number);
  if (exchange && kind === 'thought') return explainThoughtOfPool(asking, exchange, n);
  if (exchange && kind === 'audit') return explainAudit(asking, exchange, n);
  if (exchange && kind === 'round') return explainRound(asking, exchange, n);
  if (exchange && kind === 'terms') return explainTerms(asking, exchange, n);
  if (dialogue && kind === 'thought') return explainThought(asking, dialogue, n);
  if (dialogue && kind === 'iteration') return explainIteration(asking, dialogue, n);
  const [, turn, index] = (dialogue && TURN.exec(at)) ?? [];
  if (dialogue && turn !== undefined && index !== undefined) {
    return explainDraft(asking, dialogue, Number(turn), Number(index));
  }
  const node = loom && (await explainNode(asking, loom, at));
  if (node) return node;
  const event = turn === undefined ? await visible(asking, at) : await opening(asking, Number(turn));
  return event && explainEvent(asking, event, head);
}

/** An event by its id: as the place it stands for, where it stands for one. */
async function explainEvent(asking: Asking, event: Event, head: number): Promise<Account | undefined> {
  const at = placeOf(asking, event);
  if (at === '') return explainTitle(asking, head);
  const own = at === undefined ? undefined : await explainAt(asking, at, head);
  return own ?? explainSaid(asking, event);
}

function placeOf({ state }: Asking, { type, content }: Event): string | undefined {
  const { turn, draft, audit, version, round } = content as Readonly<Record<string, number>>;
  switch (type) {
    case 'thread.created':
    case 'thread.renamed':
      return '';
    case 'turn.accepted':
      return `${turn}.${draft}`;
    case 'iteration.ended': {
      const index = (content as { draft?: { index: number } }).draft?.index;
      if (index !== undefined) return `${turn}.${index}`;
      const { iter } = content as { iter: number };
      return firstThought(modeState('dialogue', state)?.iterations, content) ?? `iteration.${iter}`;
    }
    case 'audit.written':
      return `audit.${audit}`;
    case 'terms.set':
      return `terms.${version}`;
    case 'round.ended':
      return `round.${round}`;
    case 'mind.spoke':
      return firstThought(modeState('exchange', state)?.calls, content);
    default:
      return undefined;
  }
}

/** Of what a mind brought without a draft, its first thought. */
function firstThought(spoken: Spoken | undefined, content: Json): string | undefined {
  const { iter, thoughts } = content as { iter: number; thoughts: readonly string[] };
  const before = spoken?.at(iter - 1)?.thoughtsAfter;
  return before === undefined || thoughts.length === 0 ? undefined : `thought.${before + 1}`;
}

interface Spoken {
  at(place: number): { readonly thoughtsAfter: number } | undefined;
}

async function opening({ engine, thread, state }: Asking, turn: number): Promise<Event | undefined> {
  const dialogue = modeState('dialogue', state);
  const found = dialogue?.open?.turn === turn ? dialogue.open : turn >= 1 ? dialogue?.turns.at(turn - 1) : undefined;
  const row = found && (await engine.log.lastOf(thread, found.opened));
  return row && eventOf(row);
}

function explained(asking: Asking, account: Account): Explained {
  const { past, rests = [], checks = [], at, ...told } = account;
  const { id, title, kind } = asking.state.thread;
  const event = past.events.at(-1) as Event;
  const { broken, whole, events, previous } = past;
  const holds = !broken && checks.every((check) => check.holds);
  return {
    link: told.link,
    thread: { id, title, kind },
    what: told.what,
    text: told.text,
    author: told.author,
    ...(at && asking.offset !== undefined && { at: { offset: asking.offset, from: at.from, to: at.to } }),
    ...(told.parts && { parts: [...told.parts] }),
    steps: [...broughtSteps(asking, [...rests.map((rest) => rest.event), event]), ...told.steps],
    ...(told.call && { call: told.call }),
    ...(told.shown && { shown: told.shown }),
    ...(told.terms && { terms: told.terms }),
    proof: {
      what: broken ? sentenceOf(broken) : proofWords(events.length, whole, holds, id),
      ...{ holds, thread: id, event: event.id, seq: event.seq, hash: event.hash, previous },
      ...{ links: events.length, whole },
      rests: rests.map(({ what, event: { id: other, seq, hash } }) => ({ what, event: other, seq, hash })),
      checks: [...checks],
    },
  };
}

const WHATS: Readonly<Record<Origin['what'], string>> = {
  message: 'a message',
  draft: 'a draft',
  thought: 'a thought',
  audit: 'an audit',
  terms: 'terms',
  node: 'a loom',
};

/** Where the words came from, if they were brought or the thread was opened with them. */
function broughtSteps({ state: { thread } }: Asking, events: readonly Event[]): readonly Step[] {
  const opened = thread.origin && events.some(({ ts }) => ts === thread.created) ? thread.origin : undefined;
  const brought = events.map(({ meta }) => meta.origin).find((origin) => origin !== undefined);
  const told = (how: string, { what, link, hash }: Origin) => ({ what: `${how} ${WHATS[what]}.`, link, hash });
  return [
    ...(opened ? [told(`The ${thread.kind} was opened from`, opened)] : []),
    ...(brought ? [told('Its words were brought here from', brought)] : []),
  ];
}

function proofWords(links: number, whole: boolean, holds: boolean, thread: string): string {
  if (!holds) return 'The chain holds, but not all of what hangs on it: see below.';
  return whole
    ? `Every link from the thread’s beginning up to here holds: ${counted(links, 'event')}.`
    : `The last ${counted(links, 'link')} up to here hold; "heddle verify ${thread}" proves all of them.`;
}

function noLink(link: string): Refusal {
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

const PLACES: Readonly<Record<Asking['state']['thread']['kind'], string>> = {
  conversation: 'a message, draft or other event by its id',
  dialogue: 'a turn (#2), a draft (#2.3), a thought (#thought.7) or an event by its id',
  exchange:
    'a round (#round.3), an audit (#audit.1), a thought (#thought.7), the terms (#terms.2) or an event by its id',
  loom: 'a node or an event by its id',
};

function nothingAt({ thread, state }: Asking, at: string): Refusal {
  const { kind, title } = state.thread;
  const code = kind === 'loom' ? 'unknown_node' : 'unknown_event';
  return refuse(code, `There is nothing at #${at.slice(0, 64)} in "${title}". Name ${PLACES[kind]}.`, { thread });
}

function beyond(length: number, offset: number): Refusal {
  return refuse(
    'malformed',
    `The text has ${counted(length, 'character')}, counted from 0; there is none at ${offset}.`,
  );
}
