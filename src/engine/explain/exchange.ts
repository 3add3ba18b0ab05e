import { authorLabelOf, type Event } from '../../core/events/event.ts';
import { readEvent } from '../../core/events/read.ts';
import type { ExchangeEvent } from '../../core/exchange/events.ts';
import type { Exchange, MindSpokeContent, TermsVersion } from '../../core/exchange/state.ts';
import { TEXT_TERMS, termsText } from '../../core/exchange/terms/terms-text.ts';
import { type Thought, thoughtOf } from '../../core/pool/state.ts';
import { formatCount } from '../../core/text/pluralize.ts';
import { eventOf, type StoredEvent } from '../../log/event-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { AccountAuthor, AccountPart, AccountStep, AccountTerms } from '../../protocol/explain.ts';
import type { ModeExplanations } from '../engine-mode.ts';
import {
  type Account,
  type ExplainContext,
  firstWords,
  formatList,
  linkIn,
  loadEvent,
  type ProofCheck,
  partAt,
} from './account.ts';
import { explainCall } from './call.ts';
import { pastOf } from './past.ts';

type ExchangeCallContent = Omit<MindSpokeContent, 'mind' | 'iter' | 'outcome' | 'thoughts' | 'restart' | 'problem'>;

const NUMBERED = /^(round|audit|thought|terms)\.(\d{1,9})$/;

export const exchangeExplanations: ModeExplanations<Exchange> = {
  async explainAt(context, state, at) {
    const [, what, digits] = NUMBERED.exec(at === 'terms' ? `terms.${state.terms.length}` : at) ?? [];
    const number = Number(digits);
    switch (what) {
      case 'thought':
        return explainPoolThought(context, state, number);
      case 'audit':
        return explainAudit(context, state, number);
      case 'round':
        return explainRound(context, state, number);
      case 'terms':
        return explainTerms(context, state, number);
      default:
        return undefined;
    }
  },
  placeOf,
  places: 'a round (#round.3), an audit (#audit.1), a thought (#thought.7), the terms (#terms.2)',
  eventNames: {
    'injection.made': 'An injection',
    'observer.spoke': "The observer's message",
    'auditor.role': "The auditor's role",
    'observer.role': "The observer's role",
    'restart.answered': "The observer's decision",
    'exchange.halted': 'Why it ended',
  },
};

function placeOf({ calls }: Exchange, stored: Event): string | undefined {
  const event = readEvent<ExchangeEvent>(stored);
  switch (event.type) {
    case 'audit.written':
      return `audit.${event.content.audit}`;
    case 'terms.set':
      return `terms.${event.content.version}`;
    case 'round.ended':
      return `round.${event.content.round}`;
    case 'mind.spoke': {
      const before = calls.at(event.content.iter - 1)?.thoughtsAfter;
      return before === undefined || event.content.thoughts.length === 0 ? undefined : `thought.${before + 1}`;
    }
    default:
      return undefined;
  }
}

/** Explains a thought, with its mind's call, input and terms (X1, X3). */
async function explainPoolThought(context: ExplainContext, state: Exchange, id: number): Promise<Account | undefined> {
  const thought = thoughtOf(state.pool, id);
  const call = thought && callAt(state, thought);
  if (!thought || !call) return undefined;
  const event = await loadEvent(context, call.event);
  const { round } = call.content;
  return {
    link: linkIn(context, `thought.${id}`),
    what: `Thought ${id}`,
    text: thought.text,
    author: authorOfCall(event, call.content),
    past: await pastOf(context.engine.log, context.thread, event.seq),
    steps: [
      {
        what: `${authorLabelOf(event)} wrote it in round ${round}, with the model "${call.content.model}".`,
        ...{ ts: event.ts, link: linkIn(context, `round.${round}`), hash: event.hash },
      },
      ...vetoSteps(state, id),
    ],
    ...(await explainMindCall(context, state, event, call.content)),
    terms: termsOf(context, state, call.content),
  };
}

/** Explains an audit, with the thoughts it cites and those it was shown (X4). */
async function explainAudit(context: ExplainContext, state: Exchange, number: number): Promise<Account | undefined> {
  const audit = number >= 1 ? state.audits.at(number - 1) : undefined;
  if (!audit) return undefined;
  const { content } = audit;
  const event = await loadEvent(context, audit.event);
  const callAccount = await explainMindCall(context, state, event, content);
  const missedCount = content.coverage.missed.length;
  return {
    link: linkIn(context, `audit.${number}`),
    what: `Audit ${number}`,
    text: content.text,
    author: authorOfCall(event, content),
    past: await pastOf(context.engine.log, context.thread, event.seq),
    steps: [
      {
        what: `${authorLabelOf(event)} wrote it after round ${content.round}, with the model "${content.model}".`,
        ...{ ts: event.ts, link: linkIn(context, `audit.${number}`), hash: event.hash },
      },
      ...citationSteps(context, state, content.text, content.cites, context.offset),
      ...(content.unknown.length > 0
        ? [{ what: `It cites thoughts that do not exist: ${content.unknown.map((id) => `#${id}`).join(', ')}.` }]
        : []),
      ...(missedCount > 0 ? [{ what: `It does not cover ${formatCount(missedCount, 'active cluster')}.` }] : []),
    ],
    ...callAccount,
    terms: termsOf(context, state, content),
    checks: [
      ...(callAccount.checks ?? []),
      { what: 'The text matches its recorded hash.', holds: sha256(content.text) === content.hash },
    ],
  };
}

/** Explains a round: it consists of its minds' thoughts, and each character belongs to one of them. */
async function explainRound(context: ExplainContext, state: Exchange, number: number): Promise<Account | undefined> {
  const round = number >= 1 ? state.rounds.at(number - 1) : undefined;
  if (!round) return undefined;
  const [first, last] = round.thoughts;
  const thoughts = state.pool.thoughts.slice(first, last);
  const calls = state.calls.slice(round.calls[0], round.calls[1]);
  const event = await loadEvent(context, round.event);
  const parts: AccountPart[] = [];
  let text = '';
  for (const thought of thoughts) {
    const call = callAt(state, thought);
    const author: AccountAuthor = { id: thought.author, kind: 'agent', ...(call && { model: call.content.model }) };
    parts.push({ from: text.length, to: text.length + thought.text.length + 1, author });
    text += `${thought.text}\n`;
  }
  const part = partAt(parts, context.offset);
  const thought = part && thoughts[parts.indexOf(part)];
  const thoughtAccount = thought && (await explainPoolThought({ ...context, offset: undefined }, state, thought.id));
  const [firstPart] = parts;
  const soleAuthor =
    firstPart && parts.every(({ author }) => author.id === firstPart.author.id) ? firstPart.author : undefined;
  return {
    link: linkIn(context, `round.${number}`),
    what: `Round ${number}`,
    text,
    author: thoughtAccount?.author ??
      soleAuthor ?? { id: formatList([...new Set(calls.map(({ author }) => author))]), kind: 'agent' },
    ...(part && { at: part }),
    ...(parts.length > 0 && { parts }),
    past: await pastOf(context.engine.log, context.thread, event.seq),
    steps: [
      {
        what: `In round ${number} ${formatCount(calls.length, 'mind')} thought ${formatCount(thoughts.length, 'thought')}.`,
        ...{ ts: event.ts, link: linkIn(context, `round.${number}`), hash: event.hash },
      },
      ...(thought ? [] : thoughts.map((each) => thoughtStep(context, each))),
      ...(thoughtAccount?.steps ?? []),
    ],
    ...(thoughtAccount?.call && { call: thoughtAccount.call }),
    ...(thoughtAccount?.shown && { shown: thoughtAccount.shown }),
    terms: thoughtAccount?.terms ?? termsOf(context, state, { terms: calls[0]?.content.terms ?? 1, round: number }),
    ...(thoughtAccount?.checks && { checks: thoughtAccount.checks }),
    rests: thoughtAccount ? [{ what: 'the call of the mind', event: thoughtAccount.past.events.at(-1) as Event }] : [],
  };
}

/** Explains a version of the terms: who set it, why, and since when (X3). */
async function explainTerms(context: ExplainContext, state: Exchange, number: number): Promise<Account | undefined> {
  const version = number >= 1 ? state.terms.at(number - 1) : undefined;
  if (!version) return undefined;
  const { log } = context.engine;
  const event = eventOf((await log.lastOf(context.thread, version.seq)) as StoredEvent);
  const { by, changed, announced, effective, reason, terms, hashes } = version;
  const what = number === 1 ? `${by} set the terms at the beginning.` : `${by} changed ${formatList(changed)}.`;
  const since =
    number === 1
      ? []
      : [{ what: `It was announced to the minds in round ${announced} and applies from round ${effective}.` }];
  return {
    link: linkIn(context, `terms.${number}`),
    what: `Version ${number} of the terms`,
    text: termsText(terms),
    author: { id: by, kind: event.meta.by ?? 'human' },
    past: await pastOf(log, context.thread, event.seq),
    steps: [
      { what, ts: event.ts, link: linkIn(context, `terms.${number}`), hash: event.hash },
      ...(reason === undefined ? [] : [{ what: `The reason was: ${reason}` }]),
      ...since,
      ...(number > 1
        ? [{ what: 'It came after an earlier version.', link: linkIn(context, `terms.${number - 1}`) }]
        : []),
    ],
    terms: {
      what: 'Its texts are proved by their hashes, and were part of every input while it was in force.',
      ...{ version: number, hash: hashes.terms, link: linkIn(context, `terms.${number}`) },
    },
    checks: hashChecks(version),
  };
}

function hashChecks({ terms, hashes }: TermsVersion): readonly ProofCheck[] {
  const texts = { ...Object.fromEntries(TEXT_TERMS.map((name) => [name, terms[name]])), terms: termsText(terms) };
  const mismatches = Object.entries(texts).filter(
    ([name, text]) => sha256(text) !== hashes[name as keyof typeof hashes],
  );
  return [{ what: 'All its texts match their recorded hashes.', holds: mismatches.length === 0 }];
}

function callAt({ calls }: Exchange, { iter }: Thought) {
  const call = iter >= 1 ? calls.at(iter - 1) : undefined;
  return call?.content.iter === iter ? call : undefined;
}

function authorOfCall(
  { from, meta }: Event,
  { model, small }: Pick<ExchangeCallContent, 'model' | 'small'>,
): AccountAuthor {
  return { id: from, kind: meta.by ?? 'agent', model, ...(small && { small }) };
}

function vetoSteps({ vetoed }: Exchange, id: number): readonly AccountStep[] {
  const veto = vetoed.get(id);
  return veto ? [{ what: `${veto.by} hid it from sampling: ${veto.reason}`, ts: veto.ts }] : [];
}

/** The thoughts cited by the statement at this character, or by the whole audit if none is given. */
function citationSteps(
  context: ExplainContext,
  state: Exchange,
  text: string,
  cites: readonly number[],
  offset: number | undefined,
): readonly AccountStep[] {
  const citedIds = offset === undefined ? cites : citationsNear(text, offset).filter((id) => cites.includes(id));
  if (offset !== undefined && citedIds.length === 0) return [{ what: 'The statement names no thought.' }];
  return citedIds.flatMap((id) => {
    const thought = thoughtOf(state.pool, id);
    return thought ? [thoughtStep(context, thought, 'It rests on')] : [];
  });
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

function citationsNear(text: string, offset: number): readonly number[] {
  const { segment = '' } = segmenter.segment(text).containing(offset) ?? {};
  return [...new Set(Array.from(segment.matchAll(/#(\d{1,12})(?!\d)/g), ([, id]) => Number(id)))];
}

function thoughtStep(context: ExplainContext, { id, text, author }: Thought, prefix = 'In it:'): AccountStep {
  return { what: `${prefix} thought ${id} of ${author}: ${firstWords(text)}`, link: linkIn(context, `thought.${id}`) };
}

async function explainMindCall(
  context: ExplainContext,
  state: Exchange,
  { meta }: Event,
  content: ExchangeCallContent,
): Promise<Pick<Account, 'call' | 'shown' | 'checks'>> {
  const { model, small, seed, usage, latency_ms, shown, dropped, legibility } = content;
  const { cost, ...tokens } = usage;
  const partialNote = legibility ? ' Some of the shared terms were only shown by hash and first lines.' : '';
  const droppedNote = dropped ? ` There was no room for ${formatCount(dropped.length, 'thought')}.` : '';
  const pieces = shown.map((id) => ({
    what: `thought ${id}: ${firstWords(thoughtOf(state.pool, id)?.text ?? '')}`,
    link: linkIn(context, `thought.${id}`),
  }));
  const what = `Its input was the terms, the latest entries, and ${shown.length === 0 ? 'no thought' : formatCount(shown.length, 'thought')}.${partialNote}${droppedNote}`;
  return explainCall(
    context,
    { model, small, seed, usage: tokens, cost, latency_ms, raw: meta.blobs?.at(-1) },
    { what, pieces },
  );
}

function termsOf(
  context: ExplainContext,
  { terms }: Exchange,
  { terms: version, round }: Pick<ExchangeCallContent, 'terms' | 'round'>,
): AccountTerms {
  const termsVersion = terms.at(version - 1);
  const by = termsVersion ? `, set by ${termsVersion.by}` : '';
  return {
    what: `In round ${round}, version ${version} of the terms was in force${by}.`,
    ...{ version, link: linkIn(context, `terms.${version}`) },
    ...(termsVersion && { hash: termsVersion.hashes.terms }),
  };
}
