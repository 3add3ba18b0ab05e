import { authorShown, SYSTEM } from '../../../../src/core/events/event.ts';
import type { Control } from '../../../../src/core/threads/schema.ts';
import { titleText } from '../../../../src/core/threads/title.ts';
import type { WireEvent } from '../../../../src/protocol/wire.ts';
import { lasting } from '../../../ui/time.tsx';
import type { Closed } from './wake.ts';

/** A sentence about what happened: words, people and the threads they lead to. */
export type Sentence = readonly Part[];
export type Part = string | { readonly person: string } | { readonly thread: string; readonly title: string };

/** What a control or a note of the workspace says, or nothing when another event says the same. */
export function sentenceOf(event: WireEvent): Sentence | undefined {
  try {
    return sentenceOfKnown(event);
  } catch {
    return [`Something this page cannot read (${event.type}), from `, person(authorShown(event))];
  }
}

function sentenceOfKnown(event: WireEvent): Sentence | undefined {
  const who = person(authorShown(event));
  const content = event.content as never;
  switch (event.type) {
    case 'control':
      return controlSentence(event.from, content, who);
    case 'thread.created':
      return created(who, content);
    case 'thread.renamed':
      return [who, ` renamed the thread “${titleText((content as { title: unknown }).title)}”`];
    case 'thread.forked': {
      const { thread, title } = content as { thread: string; title: unknown };
      return [who, ' forked the thread here: ', { thread, title: titleText(title) }];
    }
    case 'thread.opened': {
      const { thread, title } = content as { thread: string; title: string };
      return [who, ' made a thread from here: ', { thread, title }];
    }
    case 'wake.closed':
      return closedSentence(content, event.from);
    case 'draft.settled':
      return [who, ` put draft ${(content as { index: number }).index} away`];
    case 'notice.posted':
      return [(content as { text: string }).text];
    case 'presence': {
      const { transition } = content as { transition: string };
      return [who, transition === 'thinking.start' ? ' began to think' : ' stopped thinking'];
    }
    default:
      return [`Something this page does not know yet (${event.type}), from `, who];
  }
}

function closedSentence({ participant, outcome, reason }: Closed, from: string): Sentence {
  const who = person(participant);
  if (outcome === 'declined') return [who, ' had nothing to add'];
  if (outcome === 'failed') return [who, ` could not answer: ${reason ?? 'nobody knows why'}`];
  if (outcome === 'stopped' && from === SYSTEM.id) return [who, ` will not reply: ${reason}`];
  return outcome === 'stopped' ? [who, ` was ${reason ?? 'stopped'}`] : [who, ' answered'];
}

function created(
  who: Part,
  content: { title: string; forked_from?: { thread: string }; side_of?: { thread: string } },
): Sentence {
  if (content.forked_from) {
    const origin = { thread: content.forked_from.thread, title: 'another thread' };
    return [who, ' forked this from ', origin, '; what follows is its own'];
  }
  if (content.side_of) return [who, ' opened this side channel'];
  return [who, ' began the thread'];
}

function controlSentence(from: string, control: Control, who: Part): Sentence | undefined {
  if ('mute' in control) {
    const { targets, mode } = control.mute;
    return mode === 'soft'
      ? [
          who,
          ' muted ',
          ...people(targets),
          ` softly: what ${targets.length > 1 ? 'they write' : 'it writes'} is folded`,
        ]
      : [who, ' muted ', ...people(targets)];
  }
  if ('unmute' in control) return [who, ' unmuted ', ...people(control.unmute.targets)];
  if ('pause' in control)
    return [who, control.pause.on ? ' paused the thread: agents may not write' : ' resumed the thread'];
  if ('prod' in control) return [who, ' prodded ', ...people(control.prod)];
  if ('done' in control) return [who, ' marked the thread done'];
  if ('ttl_seconds' in control) return [who, timeLimit(control.ttl_seconds)];
  if ('discussion' in control)
    return [who, control.discussion.on ? ' let agents discuss' : ' ended discussion between agents'];
  if ('invited_auto' in control) {
    return [
      who,
      control.invited_auto.on
        ? ' lets every message of a human reach the invited agents'
        : ' lets messages reach only those they name',
    ];
  }
  if ('invite' in control) {
    const { participant_id, profile } = control.invite;
    if (Object.keys(profile).join() === 'instructions')
      return [who, ' set the instructions of ', person(participant_id)];
    return [who, ' invited ', person(participant_id), ...(profile.posting ? [POSTING[profile.posting]] : [])];
  }
  if ('uninvite' in control) {
    const { participant_id } = control.uninvite;
    return participant_id === from ? [who, ' left'] : [who, ' uninvited ', person(participant_id)];
  }
  if ('profile' in control) return [who, ` changed its profile${listed(control.profile)}`];
  if ('policy' in control) return [who, ` set who is woken to “${control.policy.mode}”`];
  if ('continue' in control) return [who, ' let the agents continue'];
  if ('resume' in control) return [who, ' resumed this imported thread'];
  if ('presence_log' in control) {
    return [
      who,
      control.presence_log.on
        ? ' asked that thinking be written down'
        : ' asked that thinking no longer be written down',
    ];
  }
  if ('budget' in control) return [who, ` set the budget${listed(control.budget)}`];
  return undefined; // A rename is told by thread.renamed, which it causes.
}

const POSTING = { draft: ': it drafts, and a human posts', direct: ': it posts by itself' };

function timeLimit(seconds: number): string {
  return seconds === 0
    ? ' lets agents go on without a time limit'
    : ` lets agents go on for ${lasting(seconds)} after a human’s last message`;
}

function listed(fields: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(fields).map(([name, value]) => `${name} ${[value].flat().join(', ')}`);
  return words.length > 0 ? `: ${words.join('; ')}` : '';
}

function people(ids: readonly string[]): Sentence {
  return ids.flatMap((id, index) => {
    const between = index === 0 ? [] : [index === ids.length - 1 ? ' and ' : ', '];
    return [...between, person(id)];
  });
}

function person(id: string): Part {
  return id === 'system' ? 'The workspace' : { person: id };
}

/** The sentence as plain text, for a title or a reader of the screen. */
export function spoken(sentence: Sentence): string {
  return sentence
    .map((part) => (typeof part === 'string' ? part : 'person' in part ? part.person : part.title))
    .join('');
}
