import { authorShown, type Event } from '../../core/events/event.ts';
import type { Exchange, Spoken, TermsVersion } from '../../core/exchange/state.ts';
import { TEXTS, termsText } from '../../core/exchange/terms/terms.ts';
import { type Thought, thoughtOf } from '../../core/pool/state.ts';
import { eventOf, type Stored } from '../../log/event-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { Author, ExplainedTerms, Part, Step } from '../../protocol/explain.ts';
import {
  type Account,
  type Asking,
  type Check,
  counted,
  eventAt,
  firstWords,
  linkIn,
  listed,
  partAt,
} from './account.ts';
import { callOf } from './call.ts';
import { pastOf } from './past.ts';

type CallContent = Omit<Spoken, 'mind' | 'iter' | 'outcome' | 'thoughts' | 'restart' | 'problem'>;

/** A thought, with the call of its mind, what that was shown and under which terms (X1, X3). */
export async function explainThoughtOfPool(asking: Asking, state: Exchange, id: number): Promise<Account | undefined> {
  const thought = thoughtOf(state.pool, id);
  const call = thought && callAt(state, thought);
  if (!thought || !call) return undefined;
  const event = await eventAt(asking, call.event);
  const { round } = call.content;
  return {
    link: linkIn(asking, `thought.${id}`),
    what: `Thought ${id}`,
    text: thought.text,
    author: writerOf(event, call.content),
    past: await pastOf(asking.engine.log, asking.thread, event.seq),
    steps: [
      {
        what: `${authorShown(event)} thought it in round ${round}, by the model "${call.content.model}".`,
        ...{ ts: event.ts, link: linkIn(asking, `round.${round}`), hash: event.hash },
      },
      ...fateOf(state, id),
    ],
    ...(await toldOf(asking, state, event, call.content)),
    terms: termsOf(asking, state, call.content),
  };
}

/** An audit, with the thoughts it names and those it was shown (X4). */
export async function explainAudit(asking: Asking, state: Exchange, number: number): Promise<Account | undefined> {
  const audit = number >= 1 ? state.audits.at(number - 1) : undefined;
  if (!audit) return undefined;
  const { content } = audit;
  const event = await eventAt(asking, audit.event);
  const told = await toldOf(asking, state, event, content);
  const missed = content.coverage.missed.length;
  return {
    link: linkIn(asking, `audit.${number}`),
    what: `Audit ${number}`,
    text: content.text,
    author: writerOf(event, content),
    past: await pastOf(asking.engine.log, asking.thread, event.seq),
    steps: [
      {
        what: `${authorShown(event)} wrote it after round ${content.round}, by the model "${content.model}".`,
        ...{ ts: event.ts, link: linkIn(asking, `audit.${number}`), hash: event.hash },
      },
      ...citationSteps(asking, state, content.text, content.cites, asking.offset),
      ...(content.unknown.length > 0
        ? [{ what: `It names what is not there: ${content.unknown.map((id) => `#${id}`).join(', ')}.` }]
        : []),
      ...(missed > 0 ? [{ what: `It says nothing of ${counted(missed, 'active cluster')}.` }] : []),
    ],
    ...told,
    terms: termsOf(asking, state, content),
    checks: [
      ...(told.checks ?? []),
      { what: 'The text hashes to what was noted with it.', holds: sha256(content.text) === content.hash },
    ],
  };
}

/** A round is the thoughts of its minds; a character of it belongs to one of them. */
export async function explainRound(asking: Asking, state: Exchange, number: number): Promise<Account | undefined> {
  const round = number >= 1 ? state.rounds.at(number - 1) : undefined;
  if (!round) return undefined;
  const [first, last] = round.thoughts;
  const thoughts = state.pool.thoughts.slice(first, last);
  const calls = state.calls.slice(round.calls[0], round.calls[1]);
  const event = await eventAt(asking, round.event);
  const parts: Part[] = [];
  let text = '';
  for (const thought of thoughts) {
    const call = callAt(state, thought);
    const author: Author = { id: thought.author, kind: 'agent', ...(call && { model: call.content.model }) };
    parts.push({ from: text.length, to: text.length + thought.text.length + 1, author });
    text += `${thought.text}\n`;
  }
  const here = partAt(parts, asking.offset);
  const thought = here && thoughts[parts.indexOf(here)];
  const own = thought && (await explainThoughtOfPool({ ...asking, offset: undefined }, state, thought.id));
  const [one] = parts;
  const alone = one && parts.every(({ author }) => author.id === one.author.id) ? one.author : undefined;
  return {
    link: linkIn(asking, `round.${number}`),
    what: `Round ${number}`,
    text,
    author: own?.author ?? alone ?? { id: listed([...new Set(calls.map(({ author }) => author))]), kind: 'agent' },
    ...(here && { at: here }),
    ...(parts.length > 0 && { parts }),
    past: await pastOf(asking.engine.log, asking.thread, event.seq),
    steps: [
      {
        what: `In round ${number} ${counted(calls.length, 'mind')} thought ${counted(thoughts.length, 'thought')}.`,
        ...{ ts: event.ts, link: linkIn(asking, `round.${number}`), hash: event.hash },
      },
      ...(thought ? [] : thoughts.map((each) => thoughtStep(asking, each))),
      ...(own?.steps ?? []),
    ],
    ...(own?.call && { call: own.call }),
    ...(own?.shown && { shown: own.shown }),
    terms: own?.terms ?? termsOf(asking, state, { terms: calls[0]?.content.terms ?? 1, round: number }),
    ...(own?.checks && { checks: own.checks }),
    rests: own ? [{ what: 'the call of the mind', event: own.past.events.at(-1) as Event }] : [],
  };
}

/** A version of the terms: who set it, why, and since when it held (X3). */
export async function explainTerms(asking: Asking, state: Exchange, number: number): Promise<Account | undefined> {
  const version = number >= 1 ? state.terms.at(number - 1) : undefined;
  if (!version) return undefined;
  const { log } = asking.engine;
  const event = eventOf((await log.lastOf(asking.thread, version.seq)) as Stored);
  const { by, changed, announced, effective, reason, terms, hashes } = version;
  const what = number === 1 ? `${by} set the terms when it began.` : `${by} changed ${listed(changed)}.`;
  const since =
    number === 1 ? [] : [{ what: `Minds were told in round ${announced}, and it holds from round ${effective} on.` }];
  return {
    link: linkIn(asking, `terms.${number}`),
    what: `Version ${number} of the terms`,
    text: termsText(terms),
    author: { id: by, kind: event.meta.by ?? 'human' },
    past: await pastOf(log, asking.thread, event.seq),
    steps: [
      { what, ts: event.ts, link: linkIn(asking, `terms.${number}`), hash: event.hash },
      ...(reason === undefined ? [] : [{ what: `The reason was: ${reason}` }]),
      ...since,
      ...(number > 1
        ? [{ what: 'It came after an earlier version.', link: linkIn(asking, `terms.${number - 1}`) }]
        : []),
    ],
    terms: {
      what: 'Its texts are proved by their hashes, and stood in every input while it held.',
      ...{ version: number, hash: hashes.terms, link: linkIn(asking, `terms.${number}`) },
    },
    checks: hashChecks(version),
  };
}

function hashChecks({ terms, hashes }: TermsVersion): readonly Check[] {
  const texts = { ...Object.fromEntries(TEXTS.map((name) => [name, terms[name]])), terms: termsText(terms) };
  const wrong = Object.entries(texts).filter(([name, text]) => sha256(text) !== hashes[name as keyof typeof hashes]);
  return [{ what: 'Every text of it hashes to what was noted with it.', holds: wrong.length === 0 }];
}

function callAt({ calls }: Exchange, { iter }: Thought) {
  const call = iter >= 1 ? calls.at(iter - 1) : undefined;
  return call?.content.iter === iter ? call : undefined;
}

function writerOf({ from, meta }: Event, { model, small }: Pick<CallContent, 'model' | 'small'>): Author {
  return { id: from, kind: meta.by ?? 'agent', model, ...(small && { small }) };
}

function fateOf({ vetoed }: Exchange, id: number): readonly Step[] {
  const veto = vetoed.get(id);
  return veto ? [{ what: `${veto.by} hid it from sampling: ${veto.reason}`, ts: veto.ts }] : [];
}

/** At a character of an audit, the thoughts that its statement names; otherwise all of them. */
function citationSteps(
  asking: Asking,
  state: Exchange,
  text: string,
  cites: readonly number[],
  offset: number | undefined,
): readonly Step[] {
  const named = offset === undefined ? cites : citedNear(text, offset).filter((id) => cites.includes(id));
  if (offset !== undefined && named.length === 0) return [{ what: 'The statement names no thought.' }];
  return named.flatMap((id) => {
    const thought = thoughtOf(state.pool, id);
    return thought ? [thoughtStep(asking, thought, 'It rests on')] : [];
  });
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

function citedNear(text: string, offset: number): readonly number[] {
  const { segment = '' } = segmenter.segment(text).containing(offset) ?? {};
  return [...new Set(Array.from(segment.matchAll(/#(\d{1,12})(?!\d)/g), ([, id]) => Number(id)))];
}

function thoughtStep(asking: Asking, { id, text, author }: Thought, begin = 'In it:'): Step {
  return { what: `${begin} thought ${id} of ${author}: ${firstWords(text)}`, link: linkIn(asking, `thought.${id}`) };
}

async function toldOf(
  asking: Asking,
  state: Exchange,
  { meta }: Event,
  content: CallContent,
): Promise<Pick<Account, 'call' | 'shown' | 'checks'>> {
  const { model, small, seed, usage, latency_ms, shown, dropped, legibility } = content;
  const { cost, ...tokens } = usage;
  const partial = legibility ? ' Some of what everyone must know was there by hash and first lines only.' : '';
  const lost = dropped ? ` There was no room for ${counted(dropped.length, 'thought')}.` : '';
  const pieces = shown.map((id) => ({
    what: `thought ${id}: ${firstWords(thoughtOf(state.pool, id)?.text ?? '')}`,
    link: linkIn(asking, `thought.${id}`),
  }));
  const what = `It was shown the terms, what is latest, and ${shown.length === 0 ? 'no thought' : counted(shown.length, 'thought')}.${partial}${lost}`;
  return callOf(
    asking,
    { model, small, seed, usage: tokens, cost, latency_ms, raw: meta.blobs?.at(-1) },
    { what, pieces },
  );
}

function termsOf(
  asking: Asking,
  { terms }: Exchange,
  { terms: version, round }: Pick<CallContent, 'terms' | 'round'>,
): ExplainedTerms {
  const found = terms.at(version - 1);
  const by = found ? `, as ${found.by} had set them` : '';
  return {
    what: `In round ${round} version ${version} of the terms held${by}.`,
    ...{ version, link: linkIn(asking, `terms.${version}`) },
    ...(found && { hash: found.hashes.terms }),
  };
}
