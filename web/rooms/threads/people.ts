import { useContext, useMemo } from 'react';
import type { WireThreadState } from '../../../src/client/index.ts';
import { type KnownPerson, People } from '../../ui/people/people.ts';

type Profile = WireThreadState['participants'][number]['profile'];

/** Finds a thread's participants: their kind is in their profile, names and pictures are the workspace's. */
export function useThreadPeople(state: WireThreadState | undefined): (id: string) => KnownPerson | undefined {
  const find = useContext(People);
  const kinds = JSON.stringify(state?.participants.map(({ id, profile }) => [id, kindOf(profile)]) ?? []);
  return useMemo(() => {
    const kindById = new Map<string, KnownPerson['kind']>(JSON.parse(kinds));
    return (id) => {
      const known = find(id);
      const kind = kindById.get(id);
      return kind === undefined ? known : { name: known?.name ?? id, kind, picture: known?.picture };
    };
  }, [find, kinds]);
}

function kindOf({ kind, client, model }: Profile): KnownPerson['kind'] {
  if (kind === 'human') return 'person';
  if (client === 'model' || (client === undefined && model !== undefined)) return 'model';
  return kind === undefined && client === undefined ? 'person' : 'client';
}
