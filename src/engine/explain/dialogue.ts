import { IterationEnded, TurnAccepted } from '../../core/dialogue/events.ts';
import { type Dialogue, type Iteration, type Turn, turnOf } from '../../core/dialogue/state.ts';
import { provenanceOf } from '../../core/dialogue/view/provenance.ts';
import { authorLabelOf, type Event } from '../../core/events/event.ts';
import { thoughtOf } from '../../core/pool/state.ts';
import { formatCount } from '../../core/text/pluralize.ts';
import { eventOf } from '../../log/event-log.ts';
import type { AccountAuthor, AccountPart, AccountStep, AccountTerms } from '../../protocol/explain.ts';
import { promptVersion } from '../dialogue/prompts/prompts.ts';
import type { ModeExplanations } from '../engine-mode.ts';
import {
  type Account,
  describeShare,
  type ExplainContext,
  firstWords,
  formatList,
  linkIn,
  loadEvent,
  partAt,
  partsAfterEdit,
} from './account.ts';
import { explainCall } from './call.ts';
import { explainMessage } from './message.ts';
import { lastBefore, pastOf, type ThreadPast } from './past.ts';

const TURN = /^(\d{1,9})(?:\.(\d{1,9}))?$/;
const NUMBERED = /^(thought|iteration)\.(\d{1,9})$/;

export const dialogueExplanations: ModeExplanations<Dialogue> = {
  async explainAt(context, state, at) {
    const [, what, number] = NUMBERED.exec(at) ?? [];
    if (what === 'thought') return explainThought(context, state, Number(number));
    if (what === 'iteration') return explainIteration(context, state, Number(number));
    const [, turn, draft] = TURN.exec(at) ?? [];
    if (draft !== undefined) return explainDraft(context, state, Number(turn), Number(draft));
    return turn === undefined ? undefined : explainTurn(context, turnOf(state, Number(turn)));
  },
  placeOf,
  places: 'a turn (#2), a draft (#2.3), a thought (#thought.7)',
  eventNames: { 'turn.opened': 'A message to the mind', 'turn.steered': 'A steering note' },
};

function placeOf({ iterations }: Dialogue, event: Event): string | undefined {
  const accepted = TurnAccepted.read(event)?.content;
  if (accepted) return `${accepted.turn}.${accepted.draft}`;
  const iteration = IterationEnded.read(event)?.content;
  if (!iteration) return undefined;
  const { turn, draft, iter, thoughts } = iteration;
  if (draft) return `${turn}.${draft.index}`;
  const before = iterations.at(iter - 1)?.thoughtsAfter;
  return before === undefined || thoughts.length === 0 ? `iteration.${iter}` : `thought.${before + 1}`;
}

async function explainTurn(context: ExplainContext, turn: Turn | undefined): Promise<Account | undefined> {
  const row = turn && (await context.engine.log.lastOf(context.thread, turn.openedSeq));
  return row && explainMessage(context, eventOf(row));
}

/**
 * Explains a draft, as the mind wrote it or a person accepted it: traces each sentence to the first draft that had it
 * (D27).
 */
async function explainDraft(
  context: ExplainContext,
  state: Dialogue,
  number: number,
  index: number,
): Promise<Account | undefined> {
  const turn = turnOf(state, number);
  const draft = turn?.drafts.get(index);
  const iteration = draft && state.iterations.at(draft.iter - 1);
  if (!turn || !draft || !iteration) return undefined;
  const { end } = turn;
  const acceptance = end?.kind === 'accepted' && end.draft === index ? end : undefined;
  const draftEvent = await loadEvent(context, iteration.event);
  const mind = mindOf(draftEvent, iteration);
  const person: AccountAuthor | undefined = acceptance && { id: acceptance.by, kind: 'human' };
  const text = acceptance?.text ?? draft.text;
  const parts =
    acceptance?.difference && person ? partsAfterEdit(draft.text, text, mind, person) : ([] as readonly AccountPart[]);
  const part = partAt(parts, context.offset);
  const isByPerson = part !== undefined && part.author === person;
  const sentence = isByPerson ? undefined : sentenceAt(text, context.offset);
  const origin = sentence && findOrigin(context, state, turn, index, sentence.text);
  const source = origin?.iteration ?? iteration;
  const event = source === iteration ? draftEvent : await loadEvent(context, source.event);
  const callAccount = isByPerson ? undefined : await explainIterationCall(context, state, source, event);
  const past = await pastOf(context.engine.log, context.thread, acceptance?.seq ?? draftEvent.seq);
  const steps: readonly AccountStep[] = [
    { what: `${turn.by} asked: “${firstWords(turn.text)}”`, ts: turn.ts, link: linkIn(context, String(number)) },
    {
      what: `${mind.id} wrote draft #${index} in iteration ${draft.iter}, with the model "${mind.model}".`,
      ...{ ts: draftEvent.ts, link: linkIn(context, `${number}.${index}`), hash: draftEvent.hash },
    },
    ...acceptanceSteps(context, turn, parts, person),
    ...(isByPerson ? [{ what: `${person?.id} wrote this part when accepting: it is in no draft.` }] : []),
    ...(origin ? [origin.step] : []),
  ];
  return {
    link: linkIn(context, `${number}.${index}`),
    what: acceptance ? `Draft #${index} of turn ${number}, accepted` : `Draft #${index} of turn ${number}`,
    ...{ text, author: part?.author ?? mind, steps, past },
    ...(part ? { at: part } : sentence && { at: sentence }),
    ...(parts.length > 0 && { parts }),
    ...callAccount,
    ...(!isByPerson && { terms: termsOf(context, await pastFor(context, past, event), source) }),
    rests: [
      ...(acceptance ? [{ what: 'the iteration that wrote the draft', event: draftEvent }] : []),
      ...(event.id === draftEvent.id ? [] : [{ what: 'the iteration that first wrote it', event }]),
    ],
  };
}

/** Explains a thought, with what the mind was shown at the time. */
async function explainThought(context: ExplainContext, state: Dialogue, id: number): Promise<Account | undefined> {
  const thought = thoughtOf(state.pool, id);
  const iteration = thought && state.iterations.at(thought.iter - 1);
  if (!thought || !iteration) return undefined;
  const event = await loadEvent(context, iteration.event);
  const past = await pastOf(context.engine.log, context.thread, event.seq);
  const mind = mindOf(event, iteration);
  const { turn } = iteration.content;
  return {
    link: linkIn(context, `thought.${id}`),
    what: `Thought ${id}`,
    ...{ text: thought.text, author: mind, past },
    steps: [
      {
        what: `${mind.id} wrote it in iteration ${thought.iter}, with the model "${mind.model}", while turn ${turn} was open.`,
        ...{ ts: event.ts, link: linkIn(context, String(turn)), hash: event.hash },
      },
      ...draftStep(context, iteration),
    ],
    ...(await explainIterationCall(context, state, iteration, event)),
    terms: termsOf(context, past, iteration),
  };
}

/** Explains an iteration that may have produced nothing: why, and what the model sent. */
async function explainIteration(context: ExplainContext, state: Dialogue, iter: number): Promise<Account | undefined> {
  const iteration = iter >= 1 ? state.iterations.at(iter - 1) : undefined;
  if (!iteration) return undefined;
  const { turn, outcome, problem, draft, thoughts, empty } = iteration.content;
  const event = await loadEvent(context, iteration.event);
  const past = await pastOf(context.engine.log, context.thread, event.seq);
  const mind = mindOf(event, iteration);
  return {
    link: linkIn(context, `iteration.${iter}`),
    what: `Iteration ${iter}`,
    ...{ text: problem ?? draft?.text ?? thoughts.join('\n'), author: mind, past },
    steps: [
      {
        what: `${mind.id} worked on turn ${turn}, with the model "${mind.model}". Outcome: ${outcome}.${empty ? ' The model’s answer was empty.' : ''}`,
        ...{ ts: event.ts, link: linkIn(context, String(turn)), hash: event.hash },
      },
      ...draftStep(context, iteration),
    ],
    ...(await explainIterationCall(context, state, iteration, event)),
    terms: termsOf(context, past, iteration),
  };
}

function draftStep(context: ExplainContext, { content: { turn, draft } }: Iteration): readonly AccountStep[] {
  if (!draft) return [];
  return [{ what: `It also wrote draft #${draft.index}.`, link: linkIn(context, `${turn}.${draft.index}`) }];
}

function acceptanceSteps(
  context: ExplainContext,
  { turn, end }: Turn,
  parts: readonly AccountPart[],
  person: AccountAuthor | undefined,
): readonly AccountStep[] {
  if (end?.kind !== 'accepted' || !person) return [];
  const how = parts.length > 0 ? `with changes: ${describeShare(parts, person)} are ${person.id}’s` : 'unchanged';
  const what = end.auto
    ? `It was accepted automatically after ${formatCount(end.auto.after, 'quiet iteration')}, as set by ${end.auto.set_by}.`
    : `${end.by} accepted it ${how}.`;
  return [{ what, ts: end.ts, link: linkIn(context, String(turn)) }];
}

interface SentenceOrigin {
  readonly iteration: Iteration;
  readonly step: AccountStep;
}

function findOrigin(
  context: ExplainContext,
  state: Dialogue,
  turn: Turn,
  index: number,
  passage: string,
): SentenceOrigin | undefined {
  const draft = turn.drafts.get(index);
  const provenance = draft && provenanceOf(turn, draft, passage);
  const iteration = provenance?.first && state.iterations.at(provenance.first.iter - 1);
  if (!provenance?.first || !iteration) return undefined;
  const { index: first, iter } = provenance.first;
  const laterCount = provenance.drafts.length - 1;
  const where = first === index ? `in this draft` : `in draft #${first}, iteration ${iter}`;
  return {
    iteration,
    step: {
      what: `The sentence first appeared ${where}${laterCount > 0 ? `, and in ${laterCount} later` : ''}.`,
      link: linkIn(context, `${turn.turn}.${first}`),
      ts: iteration.ts,
    },
  };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

function sentenceAt(text: string, offset: number | undefined) {
  const found = offset === undefined ? undefined : segmenter.segment(text).containing(offset);
  if (!found) return undefined;
  const { segment, index } = found;
  const trimmed = segment.trim();
  const from = index + segment.indexOf(trimmed);
  return { text: trimmed, from, to: from + trimmed.length };
}

async function explainIterationCall(
  context: ExplainContext,
  state: Dialogue,
  { content }: Iteration,
  { meta }: Event,
): Promise<Pick<Account, 'call' | 'shown' | 'checks'>> {
  const { model, small, seed, usage, latency_ms, shown, dropped, turn } = content;
  const { cost, ...tokens } = usage;
  const thoughts = [...new Set([...shown.thoughts, ...shown.recent, ...shown.recalled])];
  const shownCounts = [
    'the message',
    ...(thoughts.length > 0 ? [formatCount(thoughts.length, 'thought')] : []),
    ...(shown.drafts.length > 0 ? [formatCount(shown.drafts.length, 'draft')] : []),
    ...(shown.history.length > 0 ? [formatCount(shown.history.length, 'earlier turn')] : []),
    ...(shown.steer > 0 ? [formatCount(shown.steer, 'steering note')] : []),
  ];
  const droppedNote = dropped
    ? ` There was no room for ${formatCount(countDropped(dropped), 'more of them', 'more of them')}.`
    : '';
  const pieces = [
    ...shown.history.map((each) => ({ what: `turn ${each}`, link: linkIn(context, String(each)) })),
    ...thoughts.map((id) => ({
      what: `thought ${id}: ${firstWords(thoughtOf(state.pool, id)?.text ?? '')}`,
      link: linkIn(context, `thought.${id}`),
    })),
    ...shown.drafts.map((index) => ({ what: `draft #${index}`, link: linkIn(context, `${turn}.${index}`) })),
  ];
  const raw = meta.blobs?.at(-1);
  const facts = { model, small, seed, usage: tokens, cost, latency_ms, raw };
  return explainCall(context, facts, { what: `Its input was ${formatList(shownCounts)}.${droppedNote}`, pieces });
}

function countDropped({ thoughts, history, drafts }: NonNullable<Iteration['content']['dropped']>): number {
  return thoughts.length + history.length + drafts.length;
}

/** The settings in force at the iteration, and the prompt by its hash (D22). */
function termsOf(context: ExplainContext, past: ThreadPast, { content, event }: Iteration): AccountTerms {
  const seq = past.events.find(({ id }) => id === event)?.seq ?? past.events.at(-1)?.seq ?? 0;
  const configEvent = lastBefore(past, seq, ({ type }) => type === 'dialogue.configured');
  const version = promptVersion(content.prompt);
  const prompt = version ? `the prompt that comes with Heddle, version ${version}` : 'a custom prompt';
  const by = configEvent ? `; the settings were last changed by ${authorLabelOf(configEvent)}` : '';
  // A small model fills a frame and gets no instructions.
  const what = content.small ? `The setting was ${prompt}, but small models do not see it` : `It followed ${prompt}`;
  return {
    what: `${what}${by}.`,
    hash: content.prompt,
    ...(configEvent && { link: linkIn(context, configEvent.id) }),
  };
}

async function pastFor({ engine, thread }: ExplainContext, past: ThreadPast, { id, seq }: Event): Promise<ThreadPast> {
  return past.events.some((event) => event.id === id) ? past : pastOf(engine.log, thread, seq);
}

function mindOf({ from }: Event, { content: { model, small } }: Iteration): AccountAuthor {
  return { id: from, kind: 'agent', model, ...(small && { small }) };
}
