import { type ReactNode, useCallback } from 'react';
import type { StreamItem, WirePerson } from '../../src/client/index.ts';
import { type KnownPerson, People } from '../ui/people/people.ts';
import { listen } from './connection.ts';
import { keepStore } from './kept/kept-page.ts';
import { client } from './session.ts';
import { sleep } from './sleep.ts';
import { coalesce, createStore, useStore } from './store.ts';

/** Everybody in the workspace, by id. */
const people = createStore<ReadonlyMap<string, WirePerson>>(new Map());
keepStore('people', people);

/** However many events arrive, the list is read once per interval. */
const REFRESH_MS = 1_000;

/** Loads everybody and keeps the list current from the stream; call the result to stop. */
export function openPeople(): () => void {
  void loadPeople();
  return listen({ onItem: (item) => void (bringsNews(item) && loadPeople()), onStart: () => void loadPeople() });
}

const loadPeople = coalesce(async () => {
  await client.people().then(
    (answer) => people.set(new Map(Object.entries(answer.people))),
    () => {}, // The next news tries again; until then participants are shown by their ids.
  );
  await sleep(REFRESH_MS);
});

function bringsNews({ event, live }: StreamItem): boolean {
  if (live?.type === 'people.updated') return true;
  if (!event || event.imported) return false;
  const { type, from, content } = event;
  if (from !== 'system' && !people.get().has(from)) return true;
  const isControl = type === 'control' && typeof content === 'object' && content !== null;
  return isControl && ('invite' in content || 'profile' in content);
}

/** The name of a participant of the workspace. */
export function nameOf(id: string): string {
  return people.get().get(id)?.name ?? id;
}

/** Lets every part of the page show faces and names by id. */
export function PeopleProvider({ children }: { readonly children: ReactNode }) {
  const known = useStore(people);
  const findPerson = useCallback(
    (id: string): KnownPerson | undefined => {
      const person = known.get(id);
      return person?.picture ? { ...person, picture: client.blobs.url(person.picture) } : person;
    },
    [known],
  );
  return <People value={findPerson}>{children}</People>;
}
