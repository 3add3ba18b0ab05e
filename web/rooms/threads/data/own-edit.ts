import { useCallback, useEffect, useState } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { useStore } from '../../../data/store.ts';
import type { OpenThread } from './thread.ts';

/** Whether this person may give the message another text (T35); the server decides. */
export function isEditable({ type, from, imported, meta }: WireEvent, me: string): boolean {
  return type === 'message' && from === me && !imported && !meta.audit;
}

/** The storage key of an edit that is not saved yet. */
export function editKey(thread: string, event: string): string {
  return `${thread}.edit-${event}`;
}

export interface OwnEdit {
  /** The message that is being edited. */
  readonly editing: string | undefined;
  edit(event: WireEvent): void;
  /** Edits the newest message of one's own that is loaded. */
  editLast(): void;
  stopEdit(): void;
}

/** The message that is being edited. An edit that was not saved is open again when the thread is. */
export function useOwnEdit(thread: OpenThread): OwnEdit {
  const isReady = useStore(thread.range).phase === 'ready';
  const [editing, setEditing] = useState<string>();
  const findOwn = useCallback(
    (isWanted: (event: WireEvent) => boolean = () => true) =>
      thread.range.get().events.findLast((event) => isEditable(event, thread.me) && isWanted(event)),
    [thread],
  );
  useEffect(() => {
    const hasText = ({ id }: WireEvent) => browserStorage.unsent(editKey(thread.id, id)) !== undefined;
    if (isReady) setEditing((current) => current ?? findOwn(hasText)?.id);
  }, [isReady, thread, findOwn]);
  return {
    editing,
    edit: useCallback(({ id }) => setEditing(id), []),
    editLast: useCallback(() => setEditing((current) => findOwn()?.id ?? current), [findOwn]),
    stopEdit: useCallback(() => setEditing(undefined), []),
  };
}
