import { quoteLine, sanitizeLine } from '../../core/text/sanitize.ts';
import { type Participant, participantKindOf, type ThreadState } from '../../core/threads/state.ts';

/** Maximum length of an id, a nickname or a role (T1). */
const MAX_NAME_CHARS = 64;
const MAX_LINE_CHARS = 160;
/** A thread may have a thousand participants; only this many are described, invited ones first. */
const MAX_DESCRIBED = 50;

/** Describes the other participants, one line each: kind, name and role (T25). */
export function describeOthers(thread: ThreadState, self: string): string {
  const others = Object.entries(thread.participants).filter(([id]) => id !== self);
  if (others.length === 0) return 'Nobody else is here yet.';
  const invitedFirst = others.toSorted(([, one], [, other]) => Number(other.invited) - Number(one.invited));
  const lines = invitedFirst.slice(0, MAX_DESCRIBED).map(([id, { profile }]) => {
    const words = [wordForKind(participantKindOf(thread, id)), ...namesOf(profile), ...firstLineOf(profile)];
    return `- ${sanitizeLine(id, MAX_NAME_CHARS)}: ${words.join(', ')}`;
  });
  const rest = others.length - lines.length;
  return ['Others here:', ...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n');
}

/** Describes the agent to itself, from its profile in the thread. */
export function describeSelf(id: string, { profile }: Pick<Participant, 'profile'>): string {
  return [sanitizeLine(id, MAX_NAME_CHARS), ...namesOf(profile)].join(', ');
}

function namesOf({ nickname, roles = [] }: Participant['profile']): readonly string[] {
  const quoted = roles.map((role) => quoteLine(role, MAX_NAME_CHARS)).join(', ');
  return [
    ...(nickname ? [`called ${quoteLine(nickname, MAX_NAME_CHARS)}`] : []),
    ...(roles.length > 0 ? [`${roles.length > 1 ? 'roles' : 'role'} ${quoted}`] : []),
  ];
}

/** The first line of the instructions, or of an auditor's specification. Everyone in the thread may read both. */
function firstLineOf({ instructions, spec }: Participant['profile']): readonly string[] {
  const [line] = (instructions ?? spec ?? '').split('\n').filter((each) => each.trim() !== '');
  return line === undefined ? [] : [`instructions ${quoteLine(line, MAX_LINE_CHARS)}`];
}

function wordForKind(kind: ReturnType<typeof participantKindOf>): string {
  return kind === 'agent' ? 'an agent' : kind === 'human' ? 'a human' : 'automation';
}
