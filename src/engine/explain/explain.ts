import type { Event } from '../../core/events/event.ts';
import { parseLink } from '../../core/link.ts';
import { modeOf } from '../../core/modes.ts';
import type { Origin } from '../../core/origin.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { withArticle } from '../../core/text/article.ts';
import { originNoun } from '../../core/text/origin-noun.ts';
import { formatCount } from '../../core/text/pluralize.ts';
import { refuseUnknownThread } from '../../core/threads/decide.ts';
import { titleGivenBy } from '../../core/threads/title.ts';
import { describeFailure } from '../../formats/verify/chain.ts';
import { eventOf, findVisibleEvent } from '../../log/event-log.ts';
import type { AccountStep, WireAccount } from '../../protocol/explain.ts';
import type { ModeExplanations } from '../engine-mode.ts';
import { engineModeOf } from '../modes.ts';
import type { Account, ExplainContext } from './account.ts';
import { explainMessage } from './message.ts';
import { explainSource } from './source.ts';
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
  if (!loaded) return refuseUnknownThread(thread);
  const { state, seq } = loaded;
  const explanations = engineModeOf(state.thread.kind)?.explanations;
  const context = { engine, thread, state, offset, whole, explanations, names: explanations };
  const account = at === undefined ? await explainTitle(context, seq) : await explainAt(context, at, seq);
  if (!account) return noPlaceAt(context, at ?? '');
  if (offset !== undefined && offset >= account.text.length) return offsetTooLarge(account.text.length, offset);
  return buildExplanation(context, account);
}

interface PlaceContext extends ExplainContext {
  readonly explanations: ModeExplanations<unknown> | undefined;
}

async function explainAt(context: PlaceContext, at: string, head: number): Promise<Account | undefined> {
  const account = await explainPlace(context, at);
  if (account) return account;
  const row = await findVisibleEvent(context.engine.log, context.thread, at);
  return row && explainEvent(context, eventOf(row), head);
}

/** Explains the text at a place of a dialogue, an exchange, a loom or whatever the thread is. */
async function explainPlace(context: PlaceContext, at: string): Promise<Account | undefined> {
  const { explanations, state } = context;
  if (explanations) return explanations.explainAt(context, state.mode, at);
  const source = modeOf(state.thread.kind)?.sourceOf(state.mode, at, '');
  return source && explainSource(context, source);
}

/** Explains an event by its id: as the text at its own place, if it has one. */
async function explainEvent(context: PlaceContext, event: Event, head: number): Promise<Account | undefined> {
  if (titleGivenBy(event) !== undefined) return explainTitle(context, head);
  const at = context.explanations?.placeOf(context.state.mode, event);
  const account = at === undefined ? undefined : await explainPlace(context, at);
  return account ?? explainMessage(context, event);
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

/** The source of the text, if it was brought here or the thread was opened with it. */
function originSteps({ state: { thread } }: ExplainContext, events: readonly Event[]): readonly AccountStep[] {
  const threadOrigin = thread.origin && events.some(({ ts }) => ts === thread.created) ? thread.origin : undefined;
  const textOrigin = events.map(({ meta }) => meta.origin).find((origin) => origin !== undefined);
  const stepFrom = (how: string, origin: Origin) => ({
    what: `${how} ${describeOrigin(origin)}.`,
    link: origin.link,
    hash: origin.hash,
  });
  return [
    ...(threadOrigin ? [stepFrom(`The ${thread.kind} was opened from`, threadOrigin)] : []),
    ...(textOrigin ? [stepFrom('Its text was sent here from', textOrigin)] : []),
  ];
}

/** "a message", "a node in a loom". */
function describeOrigin({ what, link }: Origin): string {
  const { room = 'threads' } = parseLink(link) ?? {};
  return room === 'threads' ? originNoun(what) : `${originNoun(what)} in ${withArticle(room)}`;
}

function proofSentence(links: number, whole: boolean, holds: boolean, thread: string): string {
  if (!holds) return 'The chain holds, but other checks failed: see below.';
  return whole
    ? `Every link from the thread’s beginning up to here holds: ${formatCount(links, 'event')}.`
    : `The last ${formatCount(links, 'link')} up to here hold; "heddle verify ${thread}" checks all of them.`;
}

function badLink(link: string): Refusal {
  return refuse(
    'malformed',
    `"${link.slice(0, 80)}" is not a link. A link is an address on the page or its path: /threads/ID#EVENT, /dialogue/ID#2.3 for a draft, /exchange/ID#audit.1, /loom/ID#NODE; without #, the title.`,
  );
}

function noPlaceAt({ thread, state, explanations }: PlaceContext, at: string): Refusal {
  const { kind, title } = state.thread;
  const mode = modeOf(kind);
  const places = explanations?.places ?? mode?.places ?? 'a message, draft';
  const refusal = `There is nothing at #${at.slice(0, 64)} in "${title}". Name ${places} or an event by its id.`;
  return refuse(mode?.unknownPlace ?? 'unknown_event', refusal, { thread });
}

function offsetTooLarge(length: number, offset: number): Refusal {
  return refuse(
    'malformed',
    `The text has ${formatCount(length, 'character')}, counted from 0; there is none at ${offset}.`,
  );
}
