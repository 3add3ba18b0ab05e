import { useEffect, useState } from 'react';
import { HeddleRefusal } from '../../src/client/index.ts';
import { RefusalMessage } from '../ui/refusal.tsx';
import { describeError } from './session.ts';
import { createStore } from './store.ts';

/** Loading state of a room's data. */
export interface RoomLoadState {
  readonly phase: 'loading' | 'ready' | 'missing';
  readonly problem?: string;
}

const RETRY_MS = 1_000;

/** Loads a room's initial data and retries until it succeeds or the room turns out not to exist. */
export function createRoomLoader(load: () => Promise<unknown>) {
  const loadState = createStore<RoomLoadState>({ phase: 'loading' });
  let isClosed = false;

  /** Resolves to true once the room can be shown. */
  async function open(): Promise<boolean> {
    while (!isClosed && loadState.get().phase === 'loading') {
      try {
        await load();
        loadState.set({ phase: 'ready' });
      } catch (error) {
        handleError(error);
        if (loadState.get().phase === 'loading') await sleep(RETRY_MS);
      }
    }
    return !isClosed && loadState.get().phase === 'ready';
  }

  /** A reload may fail: the next event triggers another one. */
  async function runQuietly(work: () => Promise<unknown>): Promise<void> {
    await work().catch(handleError);
  }

  function handleError(error: unknown): void {
    const code = error instanceof HeddleRefusal ? error.code : undefined;
    const problem = describeError(error);
    if (code === 'unknown_thread' || code === 'wrong_kind') loadState.set({ phase: 'missing', problem });
  }

  function close(): void {
    isClosed = true;
  }

  return { loadState, open, runQuietly, close, isClosed: () => isClosed };
}

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
): Room | undefined {
  const [room, setRoom] = useState<Room>();
  useEffect(() => {
    const nextRoom = openRoom(id, me);
    setRoom(nextRoom);
    void nextRoom.open();
    return nextRoom.close;
  }, [openRoom, id, me]);
  return room?.id === id ? room : undefined;
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

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
