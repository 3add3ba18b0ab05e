import { attachmentMeta, type NamedAttachment } from '../../attachments/attachment.ts';
import type { Context, Decision } from '../../decider.ts';
import type { ContentOf, NewEnvelope } from '../../events/define.ts';
import { type Json, type NewEvent, SYSTEM } from '../../events/event.ts';
import { refuse } from '../../refusal.ts';
import { getOwn } from '../../util/get-own.ts';
import { checkCanSpeak } from '../access/authority.ts';
import { type AuditBasis, auditFactsOf } from '../audit/audit.ts';
import type { ConversationInput } from '../commands.ts';
import { DraftProposed, DraftSettled, MessagePosted, ResultPosted, WakeClosed, WakeWaiting } from '../events.ts';
import { causeForParticipant } from '../policy/policy.ts';
import type { ThreadState, Wake } from '../state.ts';
import { canAnswerTask, parseResult } from './tasks.ts';

/**
 * Records the outcome of a wake (T18). The agent's text is never lost: if the agent may not speak any more, or drafts
 * before it posts, the text becomes a draft until a human decides.
 */
export function recordAnswer(state: ThreadState, input: ConversationInput<'answer'>, context: Context): Decision {
  const { event, outcome, text, reason, up_to, audit, partial } = input;
  const { id } = context.actor;
  const pending = getOwn(state.routing.wakes, id)?.find((wake) => wake.event === event);
  const usage: Readonly<Record<string, Json>> | undefined = input.usage ?? pending?.usage;
  // This is a report about the agent, not its message. Listing the raw response as a blob includes it in exports (L21).
  const envelope = { from: SYSTEM, ...(typeof usage?.raw === 'string' && { meta: { blobs: [usage.raw] } }) };
  const closeEvent = WakeClosed.of(
    state.id,
    { participant: id, event, up_to, outcome, reason, usage, partial },
    envelope,
  );
  if (outcome !== 'answered' || text === undefined) return pending ? [closeEvent] : [];
  const holdReason = checkCanSpeak(state, context)
    ? silenceReason(state, id)
    : pending
      ? undefined
      : `${id} no longer needs to answer`;
  const answered = pending?.about ?? event;
  const proposal = { text, reply_to: answered, audit };
  if (holdReason !== undefined)
    return [draftProposedEvent(state, id, { ...proposal, held: holdReason }), ...(pending ? [closeEvent] : [])];
  if (shouldDraft(state, id)) return [draftProposedEvent(state, id, proposal), closeEvent];
  const cause = { ...(pending ?? { cause: causeForParticipant(state, id) }).cause };
  const meta = { reply_to: answered, cause, ...(audit && { audit: auditFactsOf(text, audit) }) };
  return [closeEvent, replyEvent(state, id, answered, text, { meta })];
}

/** A model that cannot answer now is retried for as long as its answer is wanted (T31). */
export function recordWakeWait(
  state: ThreadState,
  input: ConversationInput<'wake_waits'>,
  { actor }: Context,
): Decision {
  const { event, why, until, usage, partial, blobs = [] } = input;
  if (!getOwn(state.routing.wakes, actor.id)?.some((wake) => wake.event === event)) return [];
  const envelope = { from: SYSTEM, ...(blobs.length > 0 && { meta: { blobs } }) };
  return [WakeWaiting.of(state.id, { participant: actor.id, event, why, until, usage, partial }, envelope)];
}

/** An answer to a task is its result (T26); any other answer is a message. */
function replyEvent(
  state: ThreadState,
  id: string,
  replyTo: string | undefined,
  text: string,
  envelope: NewEnvelope,
): NewEvent {
  const task = replyTo === undefined ? undefined : getOwn(state.openTasks, replyTo);
  return task && canAnswerTask(state, task, id)
    ? ResultPosted.of(state.id, parseResult(text), envelope)
    : MessagePosted.of(state.id, text, envelope);
}

/** Explains to people why a text was not posted; the agent itself gets a refusal. */
function silenceReason(state: ThreadState, id: string): string {
  return getOwn(state.muted, id) === 'hard'
    ? `${id} was muted when it had finished`
    : `the thread was paused when ${id} had finished`;
}

/** A human stops an agent: its pending wakes are closed and not retried. */
export function stopAnswer(
  state: ThreadState,
  { participant }: ConversationInput<'stop_answer'>,
  { actor }: Context,
): Decision {
  const wakes = getOwn(state.routing.wakes, participant) ?? [];
  const newest = wakes.at(-1);
  if (!newest) {
    return refuse('not_answering', `${participant} is not answering anything in "${state.title}".`, { participant });
  }
  return [WakeClosed.of(state.id, stoppedWakeContent(participant, wakes, `stopped by ${actor.id}`))];
}

/** Closes wakes that will get no answer, so that nobody waits in vain (T18). */
export function cancelWakes(state: ThreadState, participants: readonly string[], reason: string): readonly NewEvent[] {
  return participants.flatMap((participant) => {
    const wakes = getOwn(state.routing.wakes, participant) ?? [];
    if (wakes.length === 0) return [];
    const content = stoppedWakeContent(participant, wakes, `cancelled because ${reason}`);
    return [WakeClosed.of(state.id, content, { from: SYSTEM })];
  });
}

/** Includes the usage of calls that brought no answer. */
function stoppedWakeContent(participant: string, wakes: readonly Wake[], reason: string): ContentOf<typeof WakeClosed> {
  const newest = wakes.at(-1) as Wake;
  const usage = wakes.find((wake) => wake.usage)?.usage;
  const content = { participant, event: newest.event, up_to: newest.seq, outcome: 'stopped', reason } as const;
  return { ...content, ...(usage && { usage: { ...usage } }) };
}

/** Proposes a text for a human to post. */
export function proposeDraft(
  state: ThreadState,
  { text, reply_to }: ConversationInput<'draft'>,
  context: Context,
  attachments?: readonly NamedAttachment[],
): Decision {
  const refusal = checkCanSpeak(state, context);
  if (refusal) return refusal;
  const latest = getOwn(state.routing.wakes, context.actor.id)?.at(-1);
  return [
    draftProposedEvent(state, context.actor.id, {
      text,
      reply_to: reply_to ?? latest?.about ?? latest?.event,
      attachments,
    }),
    ...(latest ? [answeredWakeEvent(state, context.actor.id, latest.event, latest.seq)] : []),
  ];
}

function answeredWakeEvent(state: ThreadState, participant: string, event: string, up_to: number): NewEvent {
  const content = { participant, event, up_to, outcome: 'answered', reason: 'written as a draft' } as const;
  return WakeClosed.of(state.id, content, { from: SYSTEM });
}

/** A human posts a draft in its author's name. Edits belong to the human, and both texts are kept (T19). */
export function acceptDraft(
  state: ThreadState,
  { index, text }: ConversationInput<'draft_accept'>,
  context: Context,
): Decision {
  const draft = state.drafts.open[index];
  if (!draft) return refuseUnknownDraft(state, index);
  const isEdited = text !== undefined && text !== draft.text;
  const content = text ?? draft.text;
  return [
    DraftSettled.of(state.id, { index, outcome: 'accepted', of: draft.event, text: isEdited ? text : undefined }),
    replyEvent(state, draft.participant, draft.replyTo, content, {
      from: { id: draft.participant, kind: draft.by },
      meta: {
        ...(draft.replyTo !== undefined && { reply_to: draft.replyTo }),
        // A human's text starts a new cause, no matter who posts it (T16).
        ...(draft.by !== 'human' && { cause: draft.cause }),
        accepted_by: context.actor.id,
        draft: index,
        ...(draft.origin && { origin: draft.origin }),
        ...attachmentMeta(draft.attachments),
        ...(draft.audit && { audit: auditFactsOf(content, draft.audit) }),
      },
    }),
  ];
}

export function discardDraft(state: ThreadState, { index }: ConversationInput<'draft_discard'>): Decision {
  if (!state.drafts.open[index]) return refuseUnknownDraft(state, index);
  return [DraftSettled.of(state.id, { index, outcome: 'discarded' })];
}

/** Whether this participant drafts before it posts. */
export function shouldDraft(state: ThreadState, participant: string): boolean {
  return getOwn(state.participants, participant)?.profile.posting === 'draft';
}

interface DraftProposal {
  readonly text: string;
  readonly reply_to?: string | undefined;
  /** The reason why the text is held back, if it would otherwise have been posted. */
  readonly held?: string;
  readonly audit?: AuditBasis | undefined;
  readonly attachments?: readonly NamedAttachment[] | undefined;
}

function draftProposedEvent(
  state: ThreadState,
  participant: string,
  { text, reply_to, held, audit, attachments }: DraftProposal,
): NewEvent {
  const cause = causeForParticipant(state, participant);
  return DraftProposed.of(
    state.id,
    { index: state.drafts.count + 1, text, cause, reply_to, held },
    (audit || attachments) && {
      meta: {
        ...(audit && { audit: { ...auditFactsOf(text, audit), seen: audit.seen } }),
        ...attachmentMeta(attachments),
      },
    },
  );
}

function refuseUnknownDraft(state: ThreadState, index: number): Decision {
  const open = Object.keys(state.drafts.open);
  const hint = open.length > 0 ? `Open drafts: ${open.join(', ')}.` : 'There are no open drafts.';
  return refuse('unknown_draft', `There is no open draft ${index} in "${state.title}". ${hint}`);
}
