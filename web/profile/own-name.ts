import { useState } from 'react';
import { client } from '../data/session.ts';
import { usePerson } from '../ui/people/people.ts';

/** The name one goes by, to edit it: empty as long as one goes by the id. */
export function useOwnName(me: string) {
  const { name } = usePerson(me);
  const saved = name === me ? '' : name;
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? saved;
  const isChanged = shown.trim() !== saved;
  return {
    name: shown,
    isChanged,
    setName: setTyped,
    /** An empty name means the id again. */
    async save(): Promise<unknown> {
      if (!isChanged) return true;
      return client.setProfile({ name: shown.trim() === '' ? null : shown.trim() });
    },
  };
}
