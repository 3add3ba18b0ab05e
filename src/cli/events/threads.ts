import { SYSTEM } from '../../core/events/event.ts';
import { resultText } from '../../core/threads/posts/tasks.ts';
import { oneLine, shorten } from '../output/text.ts';
import {
  because,
  type Described,
  type Loose,
  list,
  note,
  pairs,
  quoted,
  said,
  type Tellers,
  untilWords,
} from './description.ts';

/** What happens in a thread of any kind. */
export const threadTellers: Tellers = {
  message: (content) => said('', content),
  task: (content) => said(content.role ? `task for a ${oneLine(content.role)}` : 'task', content.text ?? content),
  result: (content) =>
    said(`task ${content.status ?? 'done'}`, typeof content === 'string' ? content : resultText(content)),
  control: (content) => note(controlled(content)),
  presence: (content) => note(content.transition === 'thinking.start' ? 'began to think' : 'stopped thinking'),
  'thread.created': (content) => note(created(content)),
  'thread.renamed': (content) => note(`the title is now ${quoted(content.title)}`),
  'thread.forked': (content) =>
    note(`forked the thread after #${content.seq} as ${quoted(content.title)} (${content.thread})`),
  'thread.opened': (content) => note(`made the thread ${quoted(content.title)} from here (${content.thread})`),
  'side.opened': (content) =>
    note(`opened a side channel with ${list(content.members)}: ${quoted(content.question)} (${content.thread})`),
  'side.closed': (content) => note(`closed this side channel: ${content.summary}`),
  'side.returned': (content) => note(`closed the side channel ${content.thread}: ${content.summary}`),
  'notice.posted': (content) => note(`notes: ${content.text}`),
  'draft.proposed': (content) => said(`draft ${content.index}, not posted${because(content.held)}`, content.text),
  'draft.settled': (content) =>
    note(`${content.outcome === 'accepted' ? 'posted' : 'dismissed'} draft ${content.index}`),
  'wake.waiting': ({ participant, until, why }) =>
    note(`reports: ${participant} waits for its model${untilWords(until)}${because(why)}`),
  'wake.closed': closed,
};

/** What came of asking an agent (T18); earlier versions had the agent itself say it. */
function closed(content: Loose, from: string): Described {
  const { participant, outcome, reason, usage } = content;
  const who = from === SYSTEM.id ? `reports: ${participant} ` : '';
  if (outcome === 'stopped' && from === SYSTEM.id) return note(`${who}will not reply: ${reason}`);
  if (outcome === 'stopped')
    return note(participant === from ? `was ${reason ?? 'stopped'}` : `stopped the answer of ${participant}`);
  if (outcome === 'declined') return note(`${who}had nothing to add${because(reason)}`);
  return note(
    outcome === 'failed'
      ? `${who}could not answer${because(reason)}`
      : `${who}answered${usage?.small ? ', a small model' : ''}${because(reason)}`,
  );
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
    case 'resume':
      return 'resumed this imported thread';
    case 'ttl_seconds':
      return value === 0 ? 'lifted the time limit for agents' : `lets agents go on for ${value} s after a human's word`;
    case 'discussion':
      return `turned discussion ${onOff(value)}`;
    case 'invited_auto':
      return `turned waking all invited agents ${onOff(value)}`;
    case 'presence_log':
      return `turned the log of presence ${onOff(value)}`;
    case 'invite':
      return `invited ${value?.participant_id}${pairs(briefly(value?.profile))}`;
    case 'uninvite':
      return `uninvited ${value?.participant_id}`;
    case 'profile':
      return `changed their profile${pairs(briefly(value))}`;
    case 'policy':
    case 'budget':
      return `set the ${name}${pairs(value)}`;
    case 'rename':
      return `renamed the thread to ${quoted(value?.title)}`;
    default:
      return `sent a control: ${JSON.stringify(content)}`;
  }
}

/** Instructions may have pages: the first words say which they are. */
function briefly(profile: Loose): Loose {
  const long = ['instructions', 'spec'].filter((field) => typeof profile?.[field] === 'string');
  const short = long.map((field) => [field, `“${shorten(oneLine(profile?.[field]), 40)}”`]);
  return { ...profile, ...Object.fromEntries(short) };
}

function created({ title, kind, forked_from, side_of, origin }: Loose): string {
  if (forked_from) return `began ${quoted(title)} as a fork of ${forked_from.thread} after #${forked_from.seq}`;
  if (side_of) return `began ${quoted(title)} beside ${side_of.thread}, for the question ${quoted(side_of.question)}`;
  const from = origin ? ` from ${origin.link}` : '';
  return `${kind === 'conversation' ? `began ${quoted(title)}` : `began the ${kind} ${quoted(title)}`}${from}`;
}

function onOff(value: Loose): string {
  return value?.on ? 'on' : 'off';
}
