import { quoteLine, sanitizeLine } from '../../core/text/sanitize.ts';
import { type Participant, participantKindOf, type ThreadState } from '../../core/threads/state.ts';

/** The longest that an id, a nickname or a role can be (T1). */
const MAX_NAME_CHARS = 64;
const MAX_LINE_CHARS = 160;
/** A thread may have a thousand participants: so many are described, the invited ones first. */
const MAX_DESCRIBED = 50;

/** Everybody else in a thread, a line each: what they are, what they are called and what they do (T25). */
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

/** What the thread says of the one who is asked. */
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

/** An auditor goes by its specification; both are for all to read, one line of them here. */
function firstLineOf({ instructions, spec }: Participant['profile']): readonly string[] {
  const [line] = (instructions ?? spec ?? '').split('\n').filter((each) => each.trim() !== '');
  return line === undefined ? [] : [`instructions ${quoteLine(line, MAX_LINE_CHARS)}`];
}

function wordForKind(kind: ReturnType<typeof participantKindOf>): string {
  return kind === 'agent' ? 'an agent' : kind === 'human' ? 'a human' : 'automation';
}
