import { SYSTEM } from '../../core/events/event.ts';
import { resultTextOf } from '../../core/threads/posts/tasks.ts';
import { oneLine, shorten } from '../output/text.ts';
import {
  asMessage,
  asNote,
  type EventDescribers,
  type EventDescription,
  formatFields,
  joinIds,
  quote,
  reasonSuffix,
  type UncheckedContent,
  untilSuffix,
} from './description.ts';

/** What happens in a thread of any kind. */
export const threadDescribers: EventDescribers = {
  message: (content) => asMessage('', content),
  task: (content) => asMessage(content.role ? `task for a ${oneLine(content.role)}` : 'task', content.text ?? content),
  result: (content) =>
    asMessage(`task ${content.status ?? 'done'}`, typeof content === 'string' ? content : resultTextOf(content)),
  control: (content) => asNote(describeControl(content)),
  presence: (content) => asNote(content.transition === 'thinking.start' ? 'began to think' : 'stopped thinking'),
  'thread.created': (content) => asNote(describeCreated(content)),
  'thread.renamed': (content) => asNote(`the title is now ${quote(content.title)}`),
  'thread.forked': (content) =>
    asNote(`forked the thread after #${content.seq} as ${quote(content.title)} (${content.thread})`),
  'thread.opened': (content) => asNote(`made the thread ${quote(content.title)} from here (${content.thread})`),
  'side.opened': (content) =>
    asNote(`opened a side channel with ${joinIds(content.members)}: ${quote(content.question)} (${content.thread})`),
  'side.closed': (content) => asNote(`closed this side channel: ${content.summary}`),
  'side.returned': (content) => asNote(`closed the side channel ${content.thread}: ${content.summary}`),
  'notice.posted': (content) => asNote(`notes: ${content.text}`),
  'draft.proposed': (content) =>
    asMessage(`draft ${content.index}, not posted${reasonSuffix(content.held)}`, content.text),
  'draft.settled': (content) =>
    asNote(`${content.outcome === 'accepted' ? 'posted' : 'dismissed'} draft ${content.index}`),
  'wake.waiting': ({ participant, until, why }) =>
    asNote(`reports: ${participant} waits for its model${untilSuffix(until)}${reasonSuffix(why)}`),
  'wake.closed': describeWakeClosed,
};

/** What came of asking an agent (T18); earlier versions had the agent itself say it. */
function describeWakeClosed(content: UncheckedContent, from: string): EventDescription {
  const { participant, outcome, reason, usage } = content;
  const subject = from === SYSTEM.id ? `reports: ${participant} ` : '';
  if (outcome === 'stopped' && from === SYSTEM.id) return asNote(`${subject}will not reply: ${reason}`);
  if (outcome === 'stopped')
    return asNote(participant === from ? `was ${reason ?? 'stopped'}` : `stopped the answer of ${participant}`);
  if (outcome === 'declined') return asNote(`${subject}had nothing to add${reasonSuffix(reason)}`);
  return asNote(
    outcome === 'failed'
      ? `${subject}could not answer${reasonSuffix(reason)}`
      : `${subject}answered${usage?.small ? ', a small model' : ''}${reasonSuffix(reason)}`,
  );
}

function describeControl(content: UncheckedContent): string {
  const [[name, value] = ['', undefined]] = Object.entries<UncheckedContent>(content);
  switch (name) {
    case 'mute':
      return `muted ${joinIds(value?.targets)}${value?.mode === 'soft' ? ' softly' : ''}`;
    case 'unmute':
      return `unmuted ${joinIds(value?.targets)}`;
    case 'pause':
      return value?.on ? 'paused the thread' : 'resumed the thread';
    case 'prod':
      return `prodded ${joinIds(value)}`;
    case 'done':
      return 'marked the thread done';
    case 'continue':
      return 'let the agents go on';
    case 'resume':
      return 'resumed this imported thread';
    case 'ttl_seconds':
      return value === 0 ? 'lifted the time limit for agents' : `lets agents go on for ${value} s after a human's word`;
    case 'discussion':
      return `turned discussion ${formatSwitch(value)}`;
    case 'invited_auto':
      return `turned waking all invited agents ${formatSwitch(value)}`;
    case 'presence_log':
      return `turned the log of presence ${formatSwitch(value)}`;
    case 'invite':
      return `invited ${value?.participant_id}${formatFields(shortenProfile(value?.profile))}`;
    case 'uninvite':
      return `uninvited ${value?.participant_id}`;
    case 'profile':
      return `changed their profile${formatFields(shortenProfile(value))}`;
    case 'policy':
    case 'budget':
      return `set the ${name}${formatFields(value)}`;
    case 'rename':
      return `renamed the thread to ${quote(value?.title)}`;
    default:
      return `sent a control: ${JSON.stringify(content)}`;
  }
}

/** Instructions may have pages: the first words say which they are. */
function shortenProfile(profile: UncheckedContent): UncheckedContent {
  const longFields = ['instructions', 'spec'].filter((field) => typeof profile?.[field] === 'string');
  const shortFields = longFields.map((field) => [field, `“${shorten(oneLine(profile?.[field]), 40)}”`]);
  return { ...profile, ...Object.fromEntries(shortFields) };
}

function describeCreated({ title, kind, forked_from, side_of, origin }: UncheckedContent): string {
  if (forked_from) return `began ${quote(title)} as a fork of ${forked_from.thread} after #${forked_from.seq}`;
  if (side_of) return `began ${quote(title)} beside ${side_of.thread}, for the question ${quote(side_of.question)}`;
  const from = origin ? ` from ${origin.link}` : '';
  return `${kind === 'conversation' ? `began ${quote(title)}` : `began the ${kind} ${quote(title)}`}${from}`;
}

function formatSwitch(value: UncheckedContent): string {
  return value?.on ? 'on' : 'off';
}
