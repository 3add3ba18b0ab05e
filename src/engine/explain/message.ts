import { authorLabelOf, type Event, type Json } from '../../core/events/event.ts';
import { ControlPosted, DraftProposed, DraftSettled, WakeClosed } from '../../core/threads/events.ts';
import { WAKE_LIMITS } from '../../core/threads/policy/policy.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { eventOf, findVisibleEvent } from '../../log/event-log.ts';
import type { AccountAuthor, AccountPart, AccountStep, AccountTerms } from '../../protocol/explain.ts';
import { newestVersionsOf } from '../versions.ts';
import {
  type Account,
  authorOf,
  describeShare,
  type ExplainContext,
  linkToEvent,
  type ProofEvent,
  partAt,
  partsAfterEdit,
} from './account.ts';
import { explainCall } from './call.ts';
import { lastBefore, pastOf, type ThreadPast } from './past.ts';

/** Explains a message in a thread, or an agent's proposed draft of one (T6, T18, T19). */
export async function explainMessage(context: ExplainContext, event: Event): Promise<Account> {
  const past = await pastOf(context.engine.log, context.thread, event.seq);
  const draft = await draftOf(context, past, event);
  const report = await findReport(context, past, draft ?? event);
  const writer = report?.usage ? { ...authorOf(event), ...modelOf(report.usage) } : authorOf(event);
  const edited = (await newestVersionsOf(context.engine.log, context.state.thread, [event])).get(event.id);
  const text = eventWords(event);
  const acceptedBy = event.meta.accepted_by;
  const person: AccountAuthor | undefined = acceptedBy === undefined ? undefined : { id: acceptedBy, kind: 'human' };
  const before = draft && eventWords(draft);
  const parts = person && before !== undefined ? partsAfterEdit(before, text, writer, person) : undefined;
  const isChanged = before !== undefined && before !== text && !edited;
  const part = isChanged ? partAt(parts ?? [], context.offset) : undefined;
  const author = part?.author ?? writer;
  const isByPerson = part !== undefined && author === person;
  const callAccount = report?.usage && !isByPerson ? await explainAnswerCall(context, event, report.usage) : undefined;
  const steps: readonly AccountStep[] = [
    authorStep(context, event, writer, draft),
    ...(await causeSteps(context, event)),
    ...(person ? [postStep(context, event, person, draft && (isChanged ? parts : 'same'))] : []),
    ...(part ? [{ what: partSentence(isByPerson, author) }] : []),
    ...(report || isByPerson || event.meta.by !== 'agent' ? [] : [unknownProgramStep(event)]),
    ...holdStep(event),
    ...(edited
      ? [{ what: `${authorLabelOf(event)} edited it; this is version ${edited.count + 1}.`, ts: edited.ts }]
      : []),
  ];
  return {
    link: linkToEvent(context, event),
    what: eventName(context, event),
    ...{ text: edited?.text ?? text, author, steps, past },
    ...(part && { at: part }),
    ...(isChanged && parts && { parts }),
    ...callAccount,
    ...(report?.usage && { terms: termsOf(past, event, context, report.usage.small !== true) }),
    rests: proofEventsOf(draft, report?.event, event),
  };
}

const EVENT_NAMES: Readonly<Record<string, string>> = {
  message: 'A message',
  'message.versioned': 'A newer version of a message',
  task: 'A task',
  result: 'A result',
  'draft.proposed': 'A draft in the thread',
  'draft.settled': 'The outcome of a draft',
  'notice.posted': 'A notice',
  'side.opened': 'The question of a side channel',
  'side.closed': 'The summary of a side channel',
  'side.returned': 'What came back from a side channel',
  control: 'A control',
};

function eventName({ names }: ExplainContext, { type }: Event): string {
  return getOwn(EVENT_NAMES, type) ?? getOwn(names?.eventNames ?? {}, type) ?? `An event of type ${type}`;
}

const WORD_FIELDS = ['text', 'summary', 'question', 'reason', 'title'];

/** The text of an event of any type, or its content if it has no text. */
function eventWords({ content }: Event): string {
  if (typeof content === 'string') return content;
  const fields = new Map<string, Json>(Object.entries(content ?? {}));
  const words = WORD_FIELDS.map((name) => fields.get(name)).find((each) => typeof each === 'string');
  return words ?? JSON.stringify(content);
}

function authorStep(
  context: ExplainContext,
  event: Event,
  { id, kind, model }: AccountAuthor,
  draft: Event | undefined,
): AccountStep {
  const who =
    kind === 'agent' && model !== undefined ? `${id}, an agent run by the model "${model}",` : nameOf(id, kind);
  const source = draft ?? event;
  const what = source.type === 'draft.proposed' ? `${who} wrote it as a draft.` : `${who} wrote it.`;
  return { what, ts: source.ts, link: linkToEvent(context, source), hash: source.hash };
}

function nameOf(id: string, kind: AccountAuthor['kind']): string {
  if (id === 'system') return 'The workspace itself';
  if (kind === 'agent') return `${id}, an agent,`;
  return kind === 'automation' ? `${id}, a part of the workspace,` : id;
}

/** The message that it answers, and the person's message that started the chain (T16). */
async function causeSteps(context: ExplainContext, event: Event): Promise<readonly AccountStep[]> {
  const { meta } = event;
  const draft = DraftProposed.read(event)?.content;
  const replyTo = meta.reply_to ?? draft?.reply_to;
  const cause = meta.cause ?? draft?.cause;
  const answeredEvent = await findVisible(context, replyTo);
  const root = cause && cause.root !== replyTo ? await findVisible(context, cause.root) : undefined;
  const wakes = cause && cause.depth > 1 ? `, ${cause.depth} wakes before` : '';
  return [
    ...(answeredEvent
      ? [{ what: `It answers what ${authorLabelOf(answeredEvent)} wrote.`, ...placeOf(context, answeredEvent) }]
      : []),
    ...(root
      ? [{ what: `It started from what ${authorLabelOf(root)} wrote${wakes}.`, ...placeOf(context, root) }]
      : []),
  ];
}

function placeOf(context: ExplainContext, event: Event): Omit<AccountStep, 'what'> {
  const { ts, hash } = event;
  return { link: linkToEvent(context, event), ts, hash };
}

async function findVisible({ engine, thread }: ExplainContext, id: string | undefined): Promise<Event | undefined> {
  const row = id === undefined ? undefined : await findVisibleEvent(engine.log, thread, id);
  return row && eventOf(row);
}

function postStep(
  context: ExplainContext,
  event: Event,
  person: AccountAuthor,
  parts: readonly AccountPart[] | 'same' | undefined,
): AccountStep {
  const draft = event.meta.draft === undefined ? 'the draft' : `draft ${event.meta.draft}`;
  const changed = typeof parts === 'object' ? `and changed it: ${describeShare(parts, person)} are ${person.id}’s` : '';
  const how = parts === undefined ? 'whose text is too far back to show here' : changed || 'unchanged';
  return { what: `${person.id} posted ${draft}${parts === undefined ? ', ' : ' '}${how}.`, ...placeOf(context, event) };
}

function partSentence(isByPerson: boolean, { id }: AccountAuthor): string {
  return isByPerson ? `${id} added this part: it was not in the draft.` : `This part was in the draft of ${id}.`;
}

function unknownProgramStep({ from }: Event): AccountStep {
  return {
    what: `A program posted it with the credential of ${from}. Heddle does not know which model wrote it, or from what input.`,
  };
}

function holdStep(event: Event): readonly AccountStep[] {
  const held = DraftProposed.read(event)?.content.held;
  return held !== undefined ? [{ what: `It was not posted, because ${held}.` }] : [];
}

interface WakeReport {
  readonly event: Event;
  readonly usage?: WakeReportUsage | undefined;
}
type WakeReportUsage = Readonly<Record<string, unknown>>;

/** The draft that was posted: named by the settlement before it, or else searched for. */
async function draftOf(
  context: ExplainContext,
  past: ThreadPast,
  { meta, seq, from }: Event,
): Promise<Event | undefined> {
  if (meta.accepted_by === undefined) return undefined;
  const previous = past.events.find((event) => event.seq === seq - 1);
  const of = previous && DraftSettled.read(previous)?.content.of;
  if (of !== undefined) return findVisible(context, of);
  return lastBefore(past, seq, (event) => {
    const draft = DraftProposed.read(event);
    return draft?.from === from && draft.content.index === meta.draft;
  });
}

/** An agent's wake report is the event just before or after its message, from the same command. */
async function findReport(
  { engine, thread }: ExplainContext,
  { events }: ThreadPast,
  event: Event,
): Promise<WakeReport | undefined> {
  const { seq, meta } = event;
  const before = closingReport(
    events.find((each) => each.seq === seq - 1),
    meta.command,
  );
  if (before) return before;
  const [row] = await engine.log.readThread(thread, seq, 1);
  return row && closingReport(eventOf(row), meta.command);
}

function closingReport(event: Event | undefined, command: string | undefined): WakeReport | undefined {
  const closing = event && WakeClosed.read(event);
  if (!closing || command === undefined || event.meta.command !== command) return undefined;
  return { event, usage: closing.content.usage };
}

function modelOf({ model, small }: WakeReportUsage): Pick<AccountAuthor, 'model' | 'small'> {
  return typeof model === 'string' ? { model, ...(small === true && { small }) } : {};
}

async function explainAnswerCall(
  context: ExplainContext,
  event: Event,
  usage: WakeReportUsage,
): Promise<Pick<Account, 'call' | 'shown' | 'checks'>> {
  const { model, client, prompt_tokens: prompt, generated_tokens: generated, cost, raw } = usage;
  const tokenUsage =
    typeof prompt === 'number' && typeof generated === 'number'
      ? { usage: { prompt, generated, ...(usage.estimated === true && { estimated: true as const }) } }
      : undefined;
  const facts = { ...tokenUsage, ...(typeof cost === 'number' && { cost }) };
  if (typeof model === 'string') {
    const what = usage.small
      ? 'It is a small model, and its input was only the message that woke it.'
      : 'Its input was its instructions and the thread up to the message that woke it, as quoted text.';
    const shown = { what, pieces: [] };
    return explainCall(context, { ...modelOf(usage), model, ...facts, ...(typeof raw === 'string' && { raw }) }, shown);
  }
  const name = typeof client === 'string' ? client : 'a program';
  const resumedNote = usage.resumed === true ? 'It continued its earlier session. ' : '';
  return {
    call: {
      what: `It came from the command-line agent "${name}". ${resumedNote}Heddle does not know which model it used, and kept no output other than the text.`,
      model: `client:${name}`,
      settings: {},
      ...facts,
    },
    shown: {
      what: 'Its input was the thread up to the message that woke it, as quoted text. The prompt was not kept; its parts are in the thread.',
      pieces: [...(await causeSteps(context, event))],
    },
  };
}

/** The policy in force at the message (T12, T16). */
function termsOf(past: ThreadPast, { seq }: Event, context: ExplainContext, isInstructed: boolean): AccountTerms {
  const policyEvent = lastBefore(past, seq, (event) => policySetBy(event) !== undefined);
  const policy = policyEvent && policySetBy(policyEvent);
  const {
    mode = 'auto',
    hops = WAKE_LIMITS.hops,
    wakes = WAKE_LIMITS.wakes,
  } = policy ?? (past.whole ? {} : context.state.thread.policy);
  const by = policyEvent ? `, set by ${authorLabelOf(policyEvent)}` : past.whole ? ', the default' : '';
  return {
    what: `The thread’s policy was "${mode}", with at most ${hops} wakes in a row and ${wakes} in total for each message of a person${by}.${isInstructed ? ' Its instructions come first in the prompt.' : ''}`,
    ...(policyEvent && { link: linkToEvent(context, policyEvent), hash: policyEvent.hash }),
  };
}

function policySetBy(event: Event) {
  const control = ControlPosted.read(event)?.content;
  return control && 'policy' in control ? control.policy : undefined;
}

function proofEventsOf(
  draft: Event | undefined,
  closingEvent: Event | undefined,
  { seq }: Event,
): readonly ProofEvent[] {
  return [
    ...(draft ? [{ what: 'the draft', event: draft }] : []),
    ...(closingEvent && closingEvent.seq !== seq ? [{ what: 'the report of its usage', event: closingEvent }] : []),
  ];
}
