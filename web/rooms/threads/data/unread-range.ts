import { useEffect, useState } from 'react';
import { getOwn } from '../../../../src/core/util/get-own.ts';
import { cursorOf, parseCursor } from '../../../../src/protocol/cursor.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { useStore } from '../../../data/store.ts';
import type { OpenThread } from './thread.ts';

/** What happened while nobody looked: behind one seq, up to another. What comes before one's eyes is not missed. */
export interface UnreadRange {
  readonly after: number;
  readonly upTo: number;
}

/** Found when a thread is opened and when somebody comes back to its tab; undefined while nothing counts as new. */
export function useUnreadRange(thread: OpenThread): UnreadRange | undefined {
  const { phase, atEnd, events } = useStore(thread.range);
  const [after] = useState(() => getOwn(browserStorage.readMarks(), thread.id));
  const [unread, setUnread] = useState<UnreadRange>();
  if (phase === 'ready' && !unread && after !== undefined) {
    setUnread({ after, upTo: atEnd ? (events.at(-1)?.seq ?? 0) : Number.MAX_SAFE_INTEGER });
  }
  useEffect(() => {
    const onVisibilityChange = () => {
      // Without a connection there is nothing to tell apart; the timeline says so.
      if (document.visibilityState === 'visible') void fetchUnreadRange(thread).then(setUnread, () => {});
    };
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => document.removeEventListener('visibilitychange', onVisibilityChange);
  }, [thread]);
  return unread;
}

async function fetchUnreadRange({ id, remote }: OpenThread): Promise<UnreadRange | undefined> {
  const after = getOwn(browserStorage.readMarks(), id);
  if (after === undefined) return undefined;
  const { head } = await remote.events({ after: cursorOf('thread', after), limit: 1 });
  return { after, upTo: Number(parseCursor('thread', head)) };
}
