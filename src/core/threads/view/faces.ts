import type { Participant, ThreadState } from '../state.ts';
import type { ThreadFace, ThreadFaces } from './schema.ts';

/** A row names this many participants at most, those invited first; the state of the thread has them all. */
const MAX_FACES = 32;

/** A row is made for every event, and participants rarely change. */
const cache = new WeakMap<ThreadState['participants'], ThreadFaces>();

/** What a thread's row says of its participants, for the workspace's lookup of names and faces (T37). */
export function facesOf({ participants }: ThreadState): ThreadFaces {
  const cached = cache.get(participants);
  if (cached) return cached;
  const entries = Object.entries(participants);
  const invitedFirst =
    entries.length <= MAX_FACES
      ? entries
      : entries.toSorted(([, one], [, other]) => Number(other.invited) - Number(one.invited)).slice(0, MAX_FACES);
  const faces = Object.fromEntries(invitedFirst.map(([id, participant]) => [id, faceOf(participant)]));
  cache.set(participants, faces);
  return faces;
}

function faceOf({ human, profile }: Participant): ThreadFace {
  const { nickname, model, client, kind } = profile;
  const isModel = client === 'model' || (client === undefined && model !== undefined);
  return {
    kind: human || kind === 'human' ? 'person' : isModel ? 'model' : 'client',
    ...(nickname && { nickname }),
    ...(model && { model }),
  };
}
