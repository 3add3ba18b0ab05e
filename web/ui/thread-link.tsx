import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { conversationPath, threadPath } from '../shell/address.ts';
import { escapeBidi } from './text/escape-bidi.ts';

interface ThreadLinkProps {
  readonly id: string;
  /** The title if the list does not have the thread. */
  readonly title: string;
  readonly event?: string;
}

export function ThreadLink({ id, title, event }: ThreadLinkProps) {
  const row = useStore(threadRows)?.get(id);
  return (
    <a href={row && !event ? threadPath(row) : conversationPath(id, event)} data-in-page dir="auto">
      {escapeBidi(row?.title ?? title)}
    </a>
  );
}
