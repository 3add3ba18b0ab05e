import { type ReactNode, useContext, useMemo } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { getOwn } from '../../src/core/util/get-own.ts';
import { People } from '../ui/people/people.ts';
import { nameOf } from './people.tsx';
import { useStore } from './store.ts';
import { threadRows } from './workspace.ts';

interface ThreadPeopleProps {
  /** The id of a thread. */
  readonly thread: string | undefined;
  readonly children: ReactNode;
}

/** Inside, the minds of a thread have the names and faces of that thread; its people are those of the workspace. */
export function ThreadPeople({ thread, children }: ThreadPeopleProps) {
  const findPerson = useContext(People);
  const minds = useStore(threadRows)?.get(thread ?? '')?.minds;
  const find = useMemo(() => {
    if (!minds) return findPerson;
    return (id: string) => {
      const mind = getOwn(minds, id);
      // A face goes by the name, so that a model looks the same as a mind, as an agent and in a loom.
      return mind ? { name: mind.name, kind: 'model' as const, face: mind.name } : findPerson(id);
    };
  }, [minds, findPerson]);
  return <People value={find}>{children}</People>;
}

/** The name of a participant of a thread, for texts that are no part of the page, such as notifications. */
export function nameInThread(row: Pick<ThreadRow, 'minds'> | undefined, id: string): string {
  return getOwn(row?.minds ?? {}, id)?.name ?? nameOf(id);
}
