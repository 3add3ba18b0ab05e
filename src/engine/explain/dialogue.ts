import { type Dialogue, type Iteration, type Turn, turnOf } from '../../core/dialogue/state.ts';
import { provenanceOf } from '../../core/dialogue/view/provenance.ts';
import { authorShown, type Event } from '../../core/events/event.ts';
import { thoughtOf } from '../../core/pool/state.ts';
import type { Author, ExplainedTerms, Part, Step } from '../../protocol/explain.ts';
import { promptVersion } from '../dialogue/prompts/prompts.ts';
import {
  type Account,
  type Asking,
  changedParts,
  counted,
  eventAt,
  firstWords,
  linkIn,
  listed,
  partAt,
  shareOf,
} from './account.ts';
import { callOf } from './call.ts';
import { lastBefore, type Past, pastOf } from './past.ts';

/** A draft, as the mind wrote it or as a person accepted it, sentence by sentence back to the first that had it (D27). */
export async function explainDraft(
  asking: Asking,
  state: Dialogue,
  number: number,
  index: number,
): Promise<Account | undefined> {
  const turn = turnOf(state, number);
  const draft = turn?.drafts.get(index);
  const iteration = draft && state.iterations.at(draft.iter - 1);
  if (!turn || !draft || !iteration) return undefined;
  const { end } = turn;
  const accepted = end?.kind === 'accepted' && end.draft === index ? end : undefined;
  const wrote = await eventAt(asking, iteration.event);
  const mind = mindOf(wrote, iteration);
  const person: Author | undefined = accepted && { id: accepted.by, kind: 'human' };
  const text = accepted?.text ?? draft.text;
  const parts = accepted?.difference && person ? changedParts(draft.text, text, mind, person) : ([] as readonly Part[]);
  const here = partAt(parts, asking.offset);
  const isPersons = here !== undefined && here.author === person;
  const sentence = isPersons ? undefined : sentenceAt(text, asking.offset);
  const origin = sentence && firstOf(asking, state, turn, index, sentence.text);
  const source = origin?.iteration ?? iteration;
  const event = source === iteration ? wrote : await eventAt(asking, source.event);
  const told = isPersons ? undefined : await toldOf(asking, state, source, event);
  const past = await pastOf(asking.engine.log, asking.thread, accepted?.seq ?? wrote.seq);
  const steps: readonly Step[] = [
    { what: `${turn.by} asked: “${firstWords(turn.text)}”`, ts: turn.ts, link: linkIn(asking, String(number)) },
    {
      what: `${mind.id} wrote draft #${index} in iteration ${draft.iter}, by the model "${mind.model}".`,
      ...{ ts: wrote.ts, link: linkIn(asking, `${number}.${index}`), hash: wrote.hash },
    },
    ...acceptedSteps(asking, turn, parts, person),
    ...(isPersons ? [{ what: `This part is ${person?.id}’s: no draft says it, it was written when accepting.` }] : []),
    ...(origin ? [origin.step] : []),
  ];
  return {
    link: linkIn(asking, `${number}.${index}`),
    what: accepted ? `Draft #${index} of turn ${number}, accepted` : `Draft #${index} of turn ${number}`,
    ...{ text, author: here?.author ?? mind, steps, past },
    ...(here ? { at: here } : sentence && { at: sentence }),
    ...(parts.length > 0 && { parts }),
    ...told,
    ...(!isPersons && { terms: termsOf(asking, await pastFor(asking, past, event), source) }),
    rests: [
      ...(accepted ? [{ what: 'the iteration that wrote the draft', event: wrote }] : []),
      ...(event.id === wrote.id ? [] : [{ what: 'the iteration that first had it', event }]),
    ],
  };
}

/** A thought of the mind, with what it was shown when it thought it. */
export async function explainThought(asking: Asking, state: Dialogue, id: number): Promise<Account | undefined> {
  const thought = thoughtOf(state.pool, id);
  const iteration = thought && state.iterations.at(thought.iter - 1);
  if (!thought || !iteration) return undefined;
  const event = await eventAt(asking, iteration.event);
  const past = await pastOf(asking.engine.log, asking.thread, event.seq);
  const mind = mindOf(event, iteration);
  const { turn } = iteration.content;
  return {
    link: linkIn(asking, `thought.${id}`),
    what: `Thought ${id}`,
    ...{ text: thought.text, author: mind, past },
    steps: [
      {
        what: `${mind.id} thought it in iteration ${thought.iter}, by the model "${mind.model}", while turn ${turn} waited for an answer.`,
        ...{ ts: event.ts, link: linkIn(asking, String(turn)), hash: event.hash },
      },
      ...draftStep(asking, iteration),
    ],
    ...(await toldOf(asking, state, iteration, event)),
    terms: termsOf(asking, past, iteration),
  };
}

/** An iteration of which nothing else may have come: why, and what the model sent. */
export async function explainIteration(asking: Asking, state: Dialogue, iter: number): Promise<Account | undefined> {
  const iteration = iter >= 1 ? state.iterations.at(iter - 1) : undefined;
  if (!iteration) return undefined;
  const { turn, outcome, problem, draft, thoughts, empty } = iteration.content;
  const event = await eventAt(asking, iteration.event);
  const past = await pastOf(asking.engine.log, asking.thread, event.seq);
  const mind = mindOf(event, iteration);
  return {
    link: linkIn(asking, `iteration.${iter}`),
    what: `Iteration ${iter}`,
    ...{ text: problem ?? draft?.text ?? thoughts.join('\n'), author: mind, past },
    steps: [
      {
        what: `${mind.id} worked on turn ${turn}, by the model "${mind.model}". Outcome: ${outcome}.${empty ? ' The model answered with nothing.' : ''}`,
        ...{ ts: event.ts, link: linkIn(asking, String(turn)), hash: event.hash },
      },
      ...draftStep(asking, iteration),
    ],
    ...(await toldOf(asking, state, iteration, event)),
    terms: termsOf(asking, past, iteration),
  };
}

function draftStep(asking: Asking, { content: { turn, draft } }: Iteration): readonly Step[] {
  if (!draft) return [];
  return [{ what: `With it came draft #${draft.index}.`, link: linkIn(asking, `${turn}.${draft.index}`) }];
}

function acceptedSteps(
  asking: Asking,
  { turn, end }: Turn,
  parts: readonly Part[],
  person: Author | undefined,
): readonly Step[] {
  if (end?.kind !== 'accepted' || !person) return [];
  const how = parts.length > 0 ? `with changes: ${shareOf(parts, person)} are ${person.id}’s` : 'as it was';
  const what = end.auto
    ? `It was accepted by itself after ${counted(end.auto.after, 'quiet iteration')}, as ${end.auto.set_by} had set.`
    : `${end.by} accepted it ${how}.`;
  return [{ what, ts: end.ts, link: linkIn(asking, String(turn)) }];
}

interface Origin {
  readonly iteration: Iteration;
  readonly step: Step;
}

function firstOf(asking: Asking, state: Dialogue, turn: Turn, index: number, passage: string): Origin | undefined {
  const draft = turn.drafts.get(index);
  const found = draft && provenanceOf(turn, draft, passage);
  const iteration = found?.first && state.iterations.at(found.first.iter - 1);
  if (!found?.first || !iteration) return undefined;
  const { index: first, iter } = found.first;
  const later = found.drafts.length - 1;
  const where = first === index ? `in this very draft` : `in draft #${first}, iteration ${iter}`;
  return {
    iteration,
    step: {
      what: `The sentence stood first ${where}${later > 0 ? `, and in ${later} later` : ''}.`,
      link: linkIn(asking, `${turn.turn}.${first}`),
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

async function toldOf(
  asking: Asking,
  state: Dialogue,
  { content }: Iteration,
  { meta }: Event,
): Promise<Pick<Account, 'call' | 'shown' | 'checks'>> {
  const { model, small, seed, usage, latency_ms, shown, dropped, turn } = content;
  const { cost, ...tokens } = usage;
  const thoughts = [...new Set([...shown.thoughts, ...shown.recent, ...shown.recalled])];
  const counts = [
    'the message',
    ...(thoughts.length > 0 ? [counted(thoughts.length, 'thought')] : []),
    ...(shown.drafts.length > 0 ? [counted(shown.drafts.length, 'draft')] : []),
    ...(shown.history.length > 0 ? [counted(shown.history.length, 'earlier turn')] : []),
    ...(shown.steer > 0 ? [counted(shown.steer, 'steering note')] : []),
  ];
  const lost = dropped ? ` There was no room for ${counted(lostIn(dropped), 'more of them', 'more of them')}.` : '';
  const pieces = [
    ...shown.history.map((each) => ({ what: `turn ${each}`, link: linkIn(asking, String(each)) })),
    ...thoughts.map((id) => ({
      what: `thought ${id}: ${firstWords(thoughtOf(state.pool, id)?.text ?? '')}`,
      link: linkIn(asking, `thought.${id}`),
    })),
    ...shown.drafts.map((index) => ({ what: `draft #${index}`, link: linkIn(asking, `${turn}.${index}`) })),
  ];
  const raw = meta.blobs?.at(-1);
  const facts = { model, small, seed, usage: tokens, cost, latency_ms, raw };
  return callOf(asking, facts, { what: `It was shown ${listed(counts)}.${lost}`, pieces });
}

function lostIn({ thoughts, history, drafts }: NonNullable<Iteration['content']['dropped']>): number {
  return thoughts.length + history.length + drafts.length;
}

/** The settings as the last change before it left them, and the prompt by its hash (D22). */
function termsOf(asking: Asking, past: Past, { content, event }: Iteration): ExplainedTerms {
  const seq = past.events.find(({ id }) => id === event)?.seq ?? past.events.at(-1)?.seq ?? 0;
  const set = lastBefore(past, seq, ({ type }) => type === 'dialogue.configured');
  const version = promptVersion(content.prompt);
  const prompt = version ? `the prompt that comes with Heddle, version ${version}` : 'a prompt of its own';
  const by = set ? `; the settings were last changed by ${authorShown(set)}` : '';
  // A small model fills a frame, and is told no instructions.
  const what = content.small ? `What held was ${prompt}, which a small model is not shown` : `It followed ${prompt}`;
  return {
    what: `${what}${by}.`,
    hash: content.prompt,
    ...(set && { link: linkIn(asking, set.id) }),
  };
}

async function pastFor({ engine, thread }: Asking, past: Past, { id, seq }: Event): Promise<Past> {
  return past.events.some((event) => event.id === id) ? past : pastOf(engine.log, thread, seq);
}

function mindOf({ from }: Event, { content: { model, small } }: Iteration): Author {
  return { id: from, kind: 'agent', model, ...(small && { small }) };
}
