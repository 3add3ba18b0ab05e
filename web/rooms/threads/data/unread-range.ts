import { useEffect, useState } from 'react';
import { getOwn } from '../../../../src/core/util/get-own.ts';
import { cursorOf, parseCursor } from '../../../../src/protocol/cursor.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { useStore } from '../../../data/store.ts';
import type { OpenThread } from './thread.ts';

/** Events that arrived while the tab was hidden: after one seq, up to another. Events shown on arrival do not count. */
export interface UnreadRange {
  readonly after: number;
  readonly upTo: number;
}

/** Determined when a thread is opened and when the tab becomes visible; undefined while nothing counts as unread. */
export function useUnreadRange(thread: OpenThread): UnreadRange | undefined {
  const { phase, atEnd, events } = useStore(thread.range);
  const [after] = useState(() => getOwn(browserStorage.readMarks(), thread.id));
  const [unread, setUnread] = useState<UnreadRange>();
  if (phase === 'ready' && !unread && after !== undefined) {
    setUnread({ after, upTo: atEnd ? (events.at(-1)?.seq ?? 0) : Number.MAX_SAFE_INTEGER });
  }
  useEffect(() => {
    const onVisibilityChange = () => {
      // Without a connection the range is unknown; the timeline reports the failure.
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
