import { CloudOff } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { ButtonLink } from '../ui/controls/button.tsx';
import { RefusalMessage } from '../ui/refusal.tsx';
import { EmptyState } from '../ui/status/empty-state.tsx';
import { adoptTexts } from './browser-storage.ts';
import { MAX_ROOMS } from './kept/room-records.ts';

interface OpenableRoom {
  readonly id: string;
  open(): Promise<unknown>;
  close(): void;
}

/** The data of a room, kept open while the room is on the page. */
export function useOpenRoom<Room extends OpenableRoom>(
  openRoom: (id: string, me: string) => Room,
  id: string,
  me: string,
  /** Another number opens the room anew. */
  opening = 0,
): Room | undefined {
  const [opened, setOpened] = useState<{ readonly room: Room; readonly opening: number }>();
  useEffect(() => {
    const nextRoom = openRoom(id, me);
    setOpened({ room: nextRoom, opening });
    void nextRoom.open();
    return nextRoom.close;
  }, [openRoom, id, me, opening]);
  return opened?.room.id === id && opened.opening === opening ? opened.room : undefined;
}

/** True once text that closed tabs left in this thread is this tab's, so that fields can show it. */
export function useAdoptedTexts(thread: string): boolean {
  const adoption = useMemo(() => adoptTexts(thread), [thread]);
  const [finished, setFinished] = useState<Promise<void>>();
  useEffect(() => void adoption?.then(() => setFinished(adoption)), [adoption]);
  return adoption === finished || adoption === undefined;
}

/** A room that is loading, or waits for the server with nothing to show meanwhile (I22). */
export function RoomLoading({ isOutOfReach = false }: { readonly isOutOfReach?: boolean | undefined }) {
  if (!isOutOfReach) return <main aria-busy="true" />;
  return (
    <main className="room plain">
      <EmptyState
        icon={CloudOff}
        title="Not on this device"
        text={`This thread is not kept on this device; the ${MAX_ROOMS} you opened last are. It will load when the server is back.`}
        actions={<ButtonLink href="/">Go to the inbox</ButtonLink>}
      />
    </main>
  );
}

export function RoomNotFound({ kind, problem }: { readonly kind: string; readonly problem: string | undefined }) {
  return (
    <main className="room plain">
      <h1>No such {kind}</h1>
      <RefusalMessage reason={problem} />
      <p>
        <a href="/" data-in-page>
          To the start
        </a>
      </p>
    </main>
  );
}
