import { authorShown, type Event } from '../../core/events/event.ts';
import { LIMITS } from '../../core/threads/policy/policy.ts';
import { own } from '../../core/util/get-own.ts';
import { eventOf } from '../../log/event-log.ts';
import type { Author, ExplainedTerms, Part, Step } from '../../protocol/explain.ts';
import {
  type Account,
  type Asking,
  authorOf,
  changedParts,
  linkToEvent,
  partAt,
  type Rest,
  shareOf,
} from './account.ts';
import { callOf } from './call.ts';
import { lastBefore, type Past, pastOf } from './past.ts';

/** What somebody said in a thread, or an agent proposed beside it (T6, T18, T19). */
export async function explainSaid(asking: Asking, event: Event): Promise<Account> {
  const past = await pastOf(asking.engine.log, asking.thread, event.seq);
  const draft = await draftOf(asking, past, event);
  const answer = await answerOf(asking, past, draft ?? event);
  const wrote = answer?.usage ? { ...authorOf(event), ...modelOf(answer.usage) } : authorOf(event);
  const text = wordsOf(event);
  const posted = event.meta.accepted_by;
  const person: Author | undefined = posted === undefined ? undefined : { id: posted, kind: 'human' };
  const before = draft && wordsOf(draft);
  const parts = person && before !== undefined ? changedParts(before, text, wrote, person) : undefined;
  const isChanged = before !== undefined && before !== text;
  const here = isChanged ? partAt(parts ?? [], asking.offset) : undefined;
  const author = here?.author ?? wrote;
  const isPersons = here !== undefined && author === person;
  const told = answer?.usage && !isPersons ? await toldBy(asking, event, answer.usage) : undefined;
  const steps: readonly Step[] = [
    wroteStep(asking, event, wrote, draft),
    ...(await causes(asking, event)),
    ...(person ? [postedStep(asking, event, person, draft && (isChanged ? parts : 'same'))] : []),
    ...(here ? [{ what: hereWords(isPersons, author) }] : []),
    ...(answer || isPersons || event.meta.by !== 'agent' ? [] : [unknownProgram(event)]),
    ...heldStep(event),
  ];
  return {
    link: linkToEvent(asking, event),
    what: own(NAMES, event.type) ?? `An event of type ${event.type}`,
    ...{ text, author, steps, past },
    ...(here && { at: here }),
    ...(isChanged && parts && { parts }),
    ...told,
    ...(answer?.usage && { terms: termsOf(past, event, asking, answer.usage.small !== true) }),
    rests: rests(draft, answer?.event, event),
  };
}

const NAMES: Readonly<Record<string, string>> = {
  message: 'A message',
  task: 'A task',
  result: 'A result',
  'draft.proposed': 'A draft beside the thread',
  'draft.settled': 'What became of a draft',
  'notice.posted': 'A notice',
  'side.opened': 'The question of a side channel',
  'side.closed': 'The summary of a side channel',
  'side.returned': 'What came back from a side channel',
  'turn.opened': 'A message to the mind',
  'turn.steered': 'A steering note',
  'injection.made': 'An injection',
  'observer.spoke': "The observer's word",
  'auditor.role': "The auditor's role",
  'observer.role': "The observer's role",
  'restart.answered': "The observer's decision",
  'exchange.halted': 'Why it ended',
  control: 'A control',
};

/** The words of an event; of one without any, what it holds. */
function wordsOf({ content }: Event): string {
  if (typeof content === 'string') return content;
  const { text, summary, question, reason, title } = content as Readonly<Record<string, unknown>>;
  const words = [text, summary, question, reason, title].find((each) => typeof each === 'string');
  return (words as string | undefined) ?? JSON.stringify(content);
}

function wroteStep(asking: Asking, event: Event, { id, kind, model }: Author, draft: Event | undefined): Step {
  const who =
    kind === 'agent' && model !== undefined ? `${id}, an agent that "${model}" speaks for,` : nameOf(id, kind);
  const wrote = draft ?? event;
  const what = wrote.type === 'draft.proposed' ? `${who} wrote it as a draft.` : `${who} wrote it.`;
  return { what, ts: wrote.ts, link: linkToEvent(asking, wrote), hash: wrote.hash };
}

function nameOf(id: string, kind: Author['kind']): string {
  if (id === 'system') return 'The workspace itself';
  if (kind === 'agent') return `${id}, an agent,`;
  return kind === 'automation' ? `${id}, a part of the workspace,` : id;
}

/** What it answers, and the word of a person it goes back to (T16). */
async function causes(asking: Asking, { meta, content }: Event): Promise<readonly Step[]> {
  const proposed = content as { reply_to?: string; cause?: { root: string; depth: number } };
  const replyTo = meta.reply_to ?? proposed.reply_to;
  const cause = meta.cause ?? proposed.cause;
  const answered = await visible(asking, replyTo);
  const root = cause && cause.root !== replyTo ? await visible(asking, cause.root) : undefined;
  const wakes = cause && cause.depth > 1 ? `, ${cause.depth} wakes before` : '';
  return [
    ...(answered ? [{ what: `It answers what ${authorShown(answered)} wrote.`, ...placeOf(asking, answered) }] : []),
    ...(root ? [{ what: `It goes back to what ${authorShown(root)} wrote${wakes}.`, ...placeOf(asking, root) }] : []),
  ];
}

function placeOf(asking: Asking, event: Event): Omit<Step, 'what'> {
  const { ts, hash } = event;
  return { link: linkToEvent(asking, event), ts, hash };
}

export async function visible({ engine, thread }: Asking, id: string | undefined): Promise<Event | undefined> {
  const row = id === undefined ? undefined : await engine.log.byId(id);
  const seen = row && (row.thread === thread ? row : await engine.log.lastOf(thread, row.seq));
  return row && seen?.id === row.id ? eventOf(row) : undefined;
}

function postedStep(asking: Asking, event: Event, person: Author, parts: readonly Part[] | 'same' | undefined): Step {
  const draft = event.meta.draft === undefined ? 'the draft' : `draft ${event.meta.draft}`;
  const changed = typeof parts === 'object' ? `and changed it: ${shareOf(parts, person)} are ${person.id}’s` : '';
  const how = parts === undefined ? 'whose text lies farther back than is looked at here' : changed || 'as it was';
  return { what: `${person.id} posted ${draft}${parts === undefined ? ', ' : ' '}${how}.`, ...placeOf(asking, event) };
}

function hereWords(isPersons: boolean, { id }: Author): string {
  return isPersons ? `This part is ${id}’s: the draft did not have it.` : `This part stood in the draft of ${id}.`;
}

function unknownProgram({ from }: Event): Step {
  return {
    what: `It came in with the credential of ${from}, by a program of its own: which model wrote it, and from what, is not known here.`,
  };
}

function heldStep({ content }: Event): readonly Step[] {
  const { held } = content as { held?: unknown };
  return typeof held === 'string' ? [{ what: `It was not posted, because ${held}.` }] : [];
}

interface Answer {
  readonly event: Event;
  readonly usage?: Usage | undefined;
}
type Usage = Readonly<Record<string, unknown>>;

/** The draft that was posted: the settlement before it names it, or it is looked for. */
async function draftOf(asking: Asking, past: Past, { meta, seq, from }: Event): Promise<Event | undefined> {
  if (meta.accepted_by === undefined) return undefined;
  const settled = past.events.find((event) => event.seq === seq - 1 && event.type === 'draft.settled');
  const { of } = (settled?.content ?? {}) as { of?: string };
  if (of !== undefined) return visible(asking, of);
  const isIt = ({ type, content, from: by }: Event) =>
    type === 'draft.proposed' && by === from && (content as { index?: number }).index === meta.draft;
  return lastBefore(past, seq, isIt);
}

/** The report of whoever was woken stands beside what it said, in one command. */
async function answerOf({ engine, thread }: Asking, { events }: Past, event: Event): Promise<Answer | undefined> {
  const { seq, meta } = event;
  const before = closing(
    events.find((each) => each.seq === seq - 1),
    meta.command,
  );
  if (before) return before;
  const [row] = await engine.log.readThread(thread, seq, 1);
  return row && closing(eventOf(row), meta.command);
}

function closing(event: Event | undefined, command: string | undefined): Answer | undefined {
  if (event?.type !== 'wake.closed' || command === undefined || event.meta.command !== command) return undefined;
  return { event, usage: (event.content as { usage?: Usage }).usage };
}

function modelOf({ model, small }: Usage): Pick<Author, 'model' | 'small'> {
  return typeof model === 'string' ? { model, ...(small === true && { small }) } : {};
}

async function toldBy(asking: Asking, event: Event, usage: Usage): Promise<Pick<Account, 'call' | 'shown' | 'checks'>> {
  const { model, client, prompt_tokens: prompt, generated_tokens: generated, cost, raw } = usage;
  const used =
    typeof prompt === 'number' && typeof generated === 'number'
      ? { usage: { prompt, generated, ...(usage.estimated === true && { estimated: true as const }) } }
      : undefined;
  const facts = { ...used, ...(typeof cost === 'number' && { cost }) };
  if (typeof model === 'string') {
    const what = usage.small
      ? 'It is a small model, and was shown nothing but the words that woke it.'
      : 'It was shown its instructions and the thread up to what woke it, as quoted text.';
    const shown = { what, pieces: [] };
    return callOf(asking, { ...modelOf(usage), model, ...facts, ...(typeof raw === 'string' && { raw }) }, shown);
  }
  const name = typeof client === 'string' ? client : 'a program';
  const again = usage.resumed === true ? 'It went on from what it had been told before. ' : '';
  return {
    call: {
      what: `It came from the command-line agent "${name}". ${again}Which model that asked is its own affair, and what it printed was not kept beside the text.`,
      model: `client:${name}`,
      settings: {},
      ...facts,
    },
    shown: {
      what: 'It was told the thread up to what woke it, as quoted text. That was not kept; what it was made of is in the thread.',
      pieces: [...(await causes(asking, event))],
    },
  };
}

/** The policy as the last control before it left it (T12, T16). */
function termsOf(past: Past, { seq }: Event, asking: Asking, isInstructed: boolean): ExplainedTerms {
  const set = lastBefore(past, seq, ({ type, content }) => type === 'control' && 'policy' in (content as object));
  const { policy } = (set?.content ?? {}) as { policy?: { mode: string; hops?: number; wakes?: number } };
  const {
    mode = 'auto',
    hops = LIMITS.hops,
    wakes = LIMITS.wakes,
  } = policy ?? (past.whole ? {} : asking.state.thread.policy);
  const by = set ? `, as ${authorShown(set)} had set` : past.whole ? ', as threads begin' : '';
  return {
    what: `The thread’s policy was "${mode}", with at most ${hops} wakes in a row and ${wakes} in all for one word of a person${by}.${isInstructed ? ' Its instructions stand first in what was shown.' : ''}`,
    ...(set && { link: linkToEvent(asking, set), hash: set.hash }),
  };
}

function rests(draft: Event | undefined, closed: Event | undefined, { seq }: Event): readonly Rest[] {
  return [
    ...(draft ? [{ what: 'the draft', event: draft }] : []),
    ...(closed && closed.seq !== seq ? [{ what: 'the report of what it used', event: closed }] : []),
  ];
}
