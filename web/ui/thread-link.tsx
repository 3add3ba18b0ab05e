import { useStore } from '../data/store.ts';
import { rows } from '../data/workspace.ts';
import { pathOf, pathTo } from '../shell/address.ts';
import { visible } from './text/visible.ts';

interface ThreadLinkProps {
  readonly id: string;
  /** What to call it when the list does not know it. */
  readonly title: string;
  readonly event?: string;
}

export function ThreadLink({ id, title, event }: ThreadLinkProps) {
  const known = useStore(rows)?.get(id);
  return (
    <a href={known && !event ? pathTo(known) : pathOf(id, event)} data-in-page dir="auto">
      {visible(known?.title ?? title)}
    </a>
  );
}
