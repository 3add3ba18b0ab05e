import { useEffect, useState } from 'react';
import type { ThreadRow } from '../../../src/client/index.ts';
import { linkTo } from '../../../src/core/link.ts';
import { client } from '../../data/session.ts';
import { ThreadRoom } from '../../rooms.tsx';

interface OtherRoomProps {
  readonly row: ThreadRow;
  readonly me: string;
  readonly at: string | undefined;
}

/** A thread of a kind that this page has no room for: all its events as one timeline (L3). */
export function OtherRoom({ row, me, at }: OtherRoomProps) {
  const [target, setTarget] = useState<{ readonly at: string | undefined; readonly event: string | undefined }>();
  const link = linkTo(row, at);
  useEffect(() => {
    let isCurrent = true;
    const show = (event: string | undefined) => isCurrent && setTarget({ at, event });
    if (at === undefined) show(undefined);
    // Only the server knows the places of this kind; what it does not know either may be an event.
    else
      client.explain(link).then(
        ({ proof }) => show(proof.event),
        () => show(at),
      );
    return () => {
      isCurrent = false;
    };
  }, [link, at]);
  if (target?.at !== at) return <main aria-busy="true" />;
  return <ThreadRoom id={row.id} me={me} at={target?.event} isDiscussion={false} />;
}
