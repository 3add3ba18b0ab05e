import type { ParticipantKind } from '../core/events/event.ts';
import { foldName } from '../core/threads/participants/nicknames.ts';
import type { ThreadFace, ThreadSummary } from '../core/threads/view/schema.ts';
import type { WirePerson } from '../protocol/people.ts';
import type { OwnProfile } from './profiles.ts';

interface PeopleParts {
  /** Rows of threads that were made here, oldest first: an imported thread says nothing of anybody here (L25). */
  readonly rows: readonly ThreadSummary[];
  /** What people say of themselves. */
  readonly profiles: ReadonlyMap<string, OwnProfile>;
  readonly holders: readonly (readonly [id: string, kind: ParticipantKind])[];
}

/** Looks up names and kinds. A credential says what somebody is; otherwise the newest thread does. */
export function collectPeople({ rows, holders, profiles }: PeopleParts): Readonly<Record<string, WirePerson>> {
  const known = new Map<string, ThreadFace>();
  for (const { faces = {} } of rows) {
    for (const [id, face] of Object.entries(faces)) {
      if (!known.has(id) || saysSomething(face)) known.set(id, face);
    }
  }
  for (const [id, kind] of holders) {
    const { nickname } = known.get(id) ?? {};
    if (kind === 'human') known.set(id, { kind: 'person', ...(nickname && { nickname }) });
    else if (!known.has(id)) known.set(id, { kind: 'client' });
  }
  const ownNames = [...profiles.values()].flatMap(({ name }) => name ?? []);
  const ids = new Set([...known.keys(), ...ownNames].map(foldName));
  const nameCounts = countNames(known.values());
  return Object.fromEntries(
    [...known].map(([id, { nickname, ...person }]) => {
      const isOwnName = nickname !== undefined && isNameOf(id, foldName(nickname), ids, nameCounts);
      const { name = isOwnName ? nickname : id, picture } = profiles.get(id) ?? {};
      return [id, { name, ...person, ...(picture !== undefined && { picture }) }];
    }),
  );
}

function saysSomething({ kind, nickname, model }: ThreadFace): boolean {
  return kind !== 'client' || nickname !== undefined || model !== undefined;
}

/** Nicknames belong to a thread. Here, one that is another's id or that several have would name the wrong one (T22). */
function isNameOf(id: string, name: string, ids: ReadonlySet<string>, counts: ReadonlyMap<string, number>): boolean {
  return name === foldName(id) || (!ids.has(name) && counts.get(name) === 1);
}

function countNames(people: Iterable<ThreadFace>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { nickname } of people) {
    const name = nickname === undefined ? '' : foldName(nickname);
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
