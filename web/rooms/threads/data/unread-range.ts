import { useEffect, useState } from 'react';
import { own } from '../../../../src/core/util/get-own.ts';
import { cursorOf, placeOf } from '../../../../src/protocol/cursor.ts';
import { kept } from '../../../data/browser-storage.ts';
import { useStore } from '../../../data/store.ts';
import type { Thread } from './thread.ts';

/** What happened while nobody looked: behind one seq, up to another. What comes before one's eyes is not missed. */
export interface Missed {
  readonly after: number;
  readonly upTo: number;
}

/** Found when a thread is opened and when somebody comes back to its tab; undefined while nothing counts as new. */
export function useMissed(thread: Thread): Missed | undefined {
  const { phase, atEnd, events } = useStore(thread.stretch);
  const [after] = useState(() => own(kept.seen(), thread.id));
  const [missed, setMissed] = useState<Missed>();
  if (phase === 'ready' && !missed && after !== undefined) {
    setMissed({ after, upTo: atEnd ? (events.at(-1)?.seq ?? 0) : Number.MAX_SAFE_INTEGER });
  }
  useEffect(() => {
    const back = () => {
      // Without a connection there is nothing to tell apart; the timeline says so.
      if (document.visibilityState === 'visible') void missedSince(thread).then(setMissed, () => {});
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [thread]);
  return missed;
}

async function missedSince({ id, remote }: Thread): Promise<Missed | undefined> {
  const after = own(kept.seen(), id);
  if (after === undefined) return undefined;
  const { head } = await remote.events({ after: cursorOf('thread', after), limit: 1 });
  return { after, upTo: Number(placeOf('thread', head)) };
}
