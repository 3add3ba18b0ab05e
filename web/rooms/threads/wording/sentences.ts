import type { ContentOf } from '../../../../src/core/events/define.ts';
import { formatFields } from '../../../../src/core/events/description.ts';
import { authorLabelOf, SYSTEM } from '../../../../src/core/events/event.ts';
import { readEvent } from '../../../../src/core/events/read.ts';
import { displayTitle } from '../../../../src/core/text/display-title.ts';
import type { ThreadCreated, ThreadEvent } from '../../../../src/core/threads/events.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import { formatDuration } from '../../../ui/time.tsx';
import type { WakeClosure } from './wake.ts';

/** A sentence about an event: words, participants and links to threads. */
export type Sentence = readonly SentencePart[];
export type SentencePart = string | { readonly person: string } | { readonly thread: string; readonly title: string };

/** The sentence for a control or a workspace notice; undefined when another event says the same. */
export function eventSentence(event: WireEvent): Sentence | undefined {
  try {
    return knownEventSentence(event);
  } catch {
    return [`Something this page cannot read (${event.type}), from `, personPart(authorLabelOf(event))];
  }
}

function knownEventSentence(stored: WireEvent): Sentence | undefined {
  const event = readEvent<ThreadEvent>(stored);
  const actor = personPart(authorLabelOf(event));
  switch (event.type) {
    case 'control':
      return controlSentence(event, actor);
    case 'thread.created':
      return createdSentence(actor, event.content);
    case 'thread.renamed':
      return [actor, ` renamed the thread “${displayTitle(event.content.title)}”`];
    case 'message.versioned':
      return [actor, ' edited a message'];
    case 'thread.archived':
      return [actor, event.content.on ? ' archived the thread' : ' unarchived the thread'];
    case 'thread.tagged': {
      const { tags } = event.content;
      return [actor, tags.length > 0 ? ` tagged the thread ${tags.join(', ')}` : ' removed all tags from the thread'];
    }
    case 'thread.forked': {
      const { thread, title } = event.content;
      return [actor, ' forked the thread here: ', { thread, title: displayTitle(title) }];
    }
    case 'thread.opened': {
      const { thread, title } = event.content;
      return [actor, ' created a thread from here: ', { thread, title }];
    }
    case 'wake.closed':
      return wakeClosedSentence(event.content, event.from);
    case 'draft.settled':
      return [actor, ` dismissed draft ${event.content.index}`];
    case 'notice.posted':
      return [event.content.text];
    case 'presence':
      return [actor, event.content.transition === 'thinking.start' ? ' started thinking' : ' stopped thinking'];
    default:
      return [actor, ` · ${describeUnknown(stored)}`];
  }
}

const MAX_UNKNOWN_CHARS = 500;

/** An event of a kind of thread that this page does not know, as far as anybody can read it (L3). */
function describeUnknown({ type, content }: WireEvent): string {
  const name = type.replace(/[._-]+/g, ' ');
  const text = typeof content === 'string' ? `${name}: ${content}` : name + formatFields(content);
  return text.length <= MAX_UNKNOWN_CHARS ? text : `${text.slice(0, MAX_UNKNOWN_CHARS).toWellFormed()} …`;
}

function wakeClosedSentence({ participant, outcome, reason }: WakeClosure, from: string): Sentence {
  const actor = personPart(participant);
  if (outcome === 'declined') return [actor, ' had nothing to add'];
  if (outcome === 'failed') return [actor, ` could not answer: ${reason ?? 'unknown reason'}`];
  if (outcome === 'stopped' && from === SYSTEM.id) return [actor, ` will not reply: ${reason}`];
  return outcome === 'stopped' ? [actor, ` was ${reason ?? 'stopped'}`] : [actor, ' answered'];
}

function createdSentence(actor: SentencePart, content: ContentOf<typeof ThreadCreated>): Sentence {
  if (content.forked_from) {
    const origin = { thread: content.forked_from.thread, title: 'another thread' };
    return [actor, ' forked this from ', origin, '; from here on it is separate'];
  }
  if (content.side_of) return [actor, ' opened this side channel'];
  return [actor, ' created the thread'];
}

function controlSentence(
  { from, meta, content: control }: Extract<ThreadEvent, { type: 'control' }>,
  actor: SentencePart,
): Sentence | undefined {
  if ('mute' in control) {
    const { targets, mode } = control.mute;
    return mode === 'soft'
      ? [actor, ' muted ', ...personList(targets), ` and folded ${targets.length > 1 ? 'their' : 'its'} messages`]
      : [actor, ' muted ', ...personList(targets)];
  }
  if ('unmute' in control) return [actor, ' unmuted ', ...personList(control.unmute.targets)];
  if ('pause' in control)
    return [actor, control.pause.on ? ' paused the thread: agents may not write' : ' resumed the thread'];
  if ('prod' in control)
    return [actor, ' asked ', ...personList(control.prod), meta.reply_to ? ' to answer again' : ' to reply'];
  if ('done' in control) return [actor, ' marked the thread done'];
  if ('ttl_seconds' in control) return [actor, timeLimitPhrase(control.ttl_seconds)];
  if ('discussion' in control)
    return [actor, control.discussion.on ? ' let agents discuss' : ' ended discussion between agents'];
  if ('invited_auto' in control) {
    return [
      actor,
      control.invited_auto.on ? ' turned on waking all invited agents' : ' turned off waking all invited agents',
    ];
  }
  if ('invite' in control) {
    const { participant_id, profile } = control.invite;
    if (Object.keys(profile).join() === 'instructions')
      return [actor, ' set the instructions of ', personPart(participant_id)];
    return [
      actor,
      ' invited ',
      personPart(participant_id),
      ...(profile.posting ? [POSTING_PHRASES[profile.posting]] : []),
    ];
  }
  if ('uninvite' in control) {
    const { participant_id } = control.uninvite;
    return participant_id === from ? [actor, ' left'] : [actor, ' removed ', personPart(participant_id)];
  }
  if ('profile' in control) return [actor, ` changed its profile${listFields(control.profile)}`];
  if ('policy' in control) return [actor, ` set who answers to “${control.policy.mode}”`];
  if ('continue' in control) return [actor, ' let the agents continue'];
  if ('resume' in control) return [actor, ' resumed this imported thread'];
  if ('presence_log' in control) {
    return [actor, control.presence_log.on ? ' turned the presence log on' : ' turned the presence log off'];
  }
  if ('budget' in control) return [actor, ` set the budget${listFields(control.budget)}`];
  return undefined; // The thread.renamed event that it causes reports the rename.
}

const POSTING_PHRASES = { draft: ': it drafts, a human posts', direct: ': it posts directly' };

function timeLimitPhrase(seconds: number): string {
  return seconds === 0
    ? ' lets agents continue without a time limit'
    : ` lets agents continue for ${formatDuration(seconds)} after a human’s last message`;
}

function listFields(fields: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(fields).map(([name, value]) => `${name} ${[value].flat().join(', ')}`);
  return words.length > 0 ? `: ${words.join('; ')}` : '';
}

function personList(ids: readonly string[]): Sentence {
  return ids.flatMap((id, index) => {
    const separator = index === 0 ? [] : [index === ids.length - 1 ? ' and ' : ', '];
    return [...separator, personPart(id)];
  });
}

function personPart(id: string): SentencePart {
  return id === 'system' ? 'The workspace' : { person: id };
}

/** The sentence as plain text, for a title or a screen reader. */
export function sentenceText(sentence: Sentence): string {
  return sentence
    .map((part) => (typeof part === 'string' ? part : 'person' in part ? part.person : part.title))
    .join('');
}
