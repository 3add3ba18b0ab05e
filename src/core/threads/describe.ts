import type { ContentOf } from '../events/define.ts';
import {
  asMessage,
  asNote,
  type DescribersOf,
  type EventDescription,
  formatFields,
  joinIds,
  quote,
  reasonSuffix,
  type UncheckedContent,
  untilSuffix,
} from '../events/description.ts';
import { SYSTEM } from '../events/event.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { getOwn } from '../util/get-own.ts';
import type { ThreadCreated, ThreadEvent, WakeClosed } from './events.ts';
import { resultStatusOf, resultTextOf, roleOfTask } from './posts/tasks.ts';
import type { Control, ControlName, Profile } from './schema.ts';

/** Describers for events that occur in every kind of thread. */
export const threadDescribers: DescribersOf<ThreadEvent> = {
  message: (content) => asMessage('', content),
  'message.versioned': (content) => asMessage('edited a message', content.text),
  task: (content) => {
    const role = roleOfTask(content);
    const text = typeof content === 'string' ? content : content.text;
    return asMessage(role ? `task for a ${role}` : 'task', text);
  },
  result: (content) => asMessage(`task ${resultStatusOf(content)}`, resultTextOf(content)),
  control: (content) => asNote(describeControl(content)),
  presence: (content) => asNote(content.transition === 'thinking.start' ? 'started thinking' : 'stopped thinking'),
  'thread.created': (content) => asNote(describeCreated(content)),
  'thread.renamed': (content) => asNote(`renamed the thread to ${quote(content.title)}`),
  'thread.archived': ({ on }) => asNote(on ? 'archived the thread' : 'unarchived the thread'),
  'thread.tagged': ({ tags }) =>
    asNote(tags.length > 0 ? `tagged the thread ${tags.join(', ')}` : 'removed all tags from the thread'),
  'thread.forked': (content) =>
    asNote(`forked the thread after #${content.seq} as ${quote(content.title)} (${content.thread})`),
  'thread.opened': (content) => asNote(`created the thread ${quote(content.title)} from here (${content.thread})`),
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

/** The outcome of waking an agent (T18). In earlier versions the event came from the agent itself. */
function describeWakeClosed(
  { participant, outcome, reason, usage }: ContentOf<typeof WakeClosed>,
  from: string,
): EventDescription {
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

/** A describer for each control. A missing one does not compile. */
const controlDescribers: {
  readonly [Name in ControlName]: (value: Extract<Control, Record<Name, unknown>>[Name]) => string;
} = {
  mute: ({ targets, mode }) => `muted ${joinIds(targets)}${mode === 'soft' ? ', messages folded' : ''}`,
  unmute: ({ targets }) => `unmuted ${joinIds(targets)}`,
  pause: ({ on }) => (on ? 'paused the thread' : 'resumed the thread'),
  prod: (targets) => `asked ${joinIds(targets)} to reply`,
  done: () => 'marked the thread done',
  continue: () => 'let the agents continue',
  resume: () => 'resumed this imported thread',
  ttl_seconds: (seconds) =>
    seconds === 0
      ? 'lifted the time limit for agents'
      : `lets agents continue for ${seconds} s after a human’s message`,
  discussion: (value) => `turned discussion ${formatSwitch(value)}`,
  invited_auto: (value) => `turned waking all invited agents ${formatSwitch(value)}`,
  presence_log: (value) => `turned the presence log ${formatSwitch(value)}`,
  invite: ({ participant_id, profile }) => `invited ${participant_id}${formatFields(shortenProfile(profile))}`,
  uninvite: ({ participant_id }) => `uninvited ${participant_id}`,
  profile: (profile) => `changed their profile${formatFields(shortenProfile(profile))}`,
  policy: (value) => `set the policy${formatFields(value)}`,
  budget: (value) => `set the budget${formatFields(value)}`,
  rename: ({ title }) => `renamed the thread to ${quote(title)}`,
};

function describeControl(control: Control): string {
  const [[name, value] = ['', undefined]] = Object.entries(control);
  const describers: Readonly<Record<string, (value: UncheckedContent) => string>> = controlDescribers;
  return getOwn(describers, name)?.(value) ?? `sent a control: ${JSON.stringify(control)}`;
}

/** Instructions may run to pages, so only their first words are shown. */
function shortenProfile({ instructions, spec, ...fields }: Profile): Profile {
  const shortened = (text: string) => `“${sanitizeLine(text, 40)}”`;
  return {
    ...fields,
    ...(instructions !== undefined && { instructions: shortened(instructions) }),
    ...(spec !== undefined && { spec: shortened(spec) }),
  };
}

function describeCreated({ title, kind, forked_from, side_of, origin }: ContentOf<typeof ThreadCreated>): string {
  if (forked_from) return `created ${quote(title)} as a fork of ${forked_from.thread} after #${forked_from.seq}`;
  if (side_of)
    return `created ${quote(title)} as a side channel of ${side_of.thread}, for the question ${quote(side_of.question)}`;
  const from = origin ? ` from ${origin.link}` : '';
  return `${kind === 'conversation' ? `created ${quote(title)}` : `created the ${kind} ${quote(title)}`}${from}`;
}

function formatSwitch({ on }: { readonly on: boolean }): string {
  return on ? 'on' : 'off';
}
