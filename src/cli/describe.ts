import type { Event } from '../core/event.ts';
import { oneLine } from './text.ts';

/** How an event is told: as something said, or as a note of what happened. */
export type Described =
  | { readonly kind: 'said'; readonly label: string; readonly text: string }
  | { readonly kind: 'note'; readonly text: string };

// biome-ignore lint/suspicious/noExplicitAny: an event of a newer version may hold anything, so nothing is relied on
type Loose = any;

export function describe(event: Event): Described {
  const content: Loose = event.content;
  switch (event.type) {
    case 'message':
      return said('', content);
    case 'task':
      return said(content?.role ? `task for a ${oneLine(content.role)}` : 'task', content?.text ?? content);
    case 'result':
      return said(
        content?.status ? `task ${content.status}` : 'task done',
        content?.text ?? (content?.status ? '' : content),
      );
    case 'control':
      return note(controlled(content ?? {}));
    case 'presence':
      return note(content?.transition === 'thinking.start' ? 'began to think' : 'stopped thinking');
    case 'thread.created':
      return note(created(content ?? {}));
    case 'thread.renamed':
      return note(`the title is now ${quoted(content?.title)}`);
    case 'thread.forked':
      return note(`forked the thread after #${content?.seq} as ${quoted(content?.title)} (${content?.thread})`);
    case 'side.opened':
      return note(
        `opened a side channel with ${list(content?.members)}: ${quoted(content?.question)} (${content?.thread})`,
      );
    case 'side.closed':
      return note(`closed this side channel: ${content?.summary}`);
    case 'side.returned':
      return note(`closed the side channel ${content?.thread}: ${content?.summary}`);
    case 'notice.posted':
      return note(`notes: ${content?.text}`);
    default:
      return note(`${event.type} ${JSON.stringify(content)}`);
  }
}

function controlled(content: Loose): string {
  const [[name, value] = ['', undefined]] = Object.entries<Loose>(content);
  switch (name) {
    case 'mute':
      return `muted ${list(value?.targets)}${value?.mode === 'soft' ? ' softly' : ''}`;
    case 'unmute':
      return `unmuted ${list(value?.targets)}`;
    case 'pause':
      return value?.on ? 'paused the thread' : 'resumed the thread';
    case 'prod':
      return `prodded ${list(value)}`;
    case 'done':
      return 'marked the thread done';
    case 'continue':
      return 'let the agents go on';
    case 'ttl_seconds':
      return value === 0 ? 'lifted the time limit for agents' : `lets agents go on for ${value} s after a human's word`;
    case 'discussion':
      return `turned discussion ${onOff(value)}`;
    case 'invited_auto':
      return `turned waking all invited agents ${onOff(value)}`;
    case 'presence_log':
      return `turned the log of presence ${onOff(value)}`;
    case 'invite':
      return `invited ${value?.participant_id}${pairs(value?.profile)}`;
    case 'uninvite':
      return `uninvited ${value?.participant_id}`;
    case 'profile':
      return `changed their profile${pairs(value)}`;
    case 'policy':
    case 'budget':
      return `set the ${name}${pairs(value)}`;
    case 'rename':
      return `renamed the thread to ${quoted(value?.title)}`;
    default:
      return `sent a control: ${JSON.stringify(content)}`;
  }
}

function created({ title, kind, forked_from, side_of }: Loose): string {
  if (forked_from) return `began ${quoted(title)} as a fork of ${forked_from.thread} after #${forked_from.seq}`;
  if (side_of) return `began ${quoted(title)} beside ${side_of.thread}, for the question ${quoted(side_of.question)}`;
  return kind === 'conversation' ? `began ${quoted(title)}` : `began the ${kind} ${quoted(title)}`;
}

function said(label: string, content: Loose): Described {
  return { kind: 'said', label, text: typeof content === 'string' ? content : JSON.stringify(content) };
}

function note(text: string): Described {
  return { kind: 'note', text: oneLine(text) };
}

function quoted(text: Loose): string {
  return `“${oneLine(String(text))}”`;
}

function list(ids: Loose): string {
  return Array.isArray(ids) ? ids.join(', ') : String(ids);
}

function onOff(value: Loose): string {
  return value?.on ? 'on' : 'off';
}

function pairs(value: Loose): string {
  const given = Object.entries(value ?? {}).map(([name, part]) => `${name} ${list(part)}`);
  return given.length > 0 ? ` (${given.join(', ')})` : '';
}
