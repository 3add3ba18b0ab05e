import { type ComponentType, useEffect } from 'react';
import type { ThreadRoomProps } from './rooms/threads/room.tsx';
import { lazyWithRetry } from './ui/lazy.ts';
import { createLoadable } from './ui/loadable.ts';

/** A room shows one thread; `at` is the place in it that the address names. */
export interface RoomProps {
  readonly id: string;
  readonly me: string;
  readonly at: string | undefined;
}

/** The page's registry of rooms, by kind of thread. A thread of a kind without a room is shown as a conversation is. */
const rooms: Readonly<Record<string, ComponentType<RoomProps>>> = {
  dialogue: lazyWithRetry(async () => (await import('./rooms/dialogue/room.tsx')).DialogueRoom),
  exchange: lazyWithRetry(async () => (await import('./rooms/exchange/room.tsx')).ExchangeRoom),
  loom: lazyWithRetry(async () => (await import('./rooms/loom/room.tsx')).LoomRoom),
};

/** The room of conversations, which most rooms lead to. */
const threadRoom = createLoadable<ThreadRoomProps>(async () => (await import('./rooms/threads/room.tsx')).ThreadRoom);
export const loadThreadRoom = threadRoom.load;

export function ThreadRoom(props: ThreadRoomProps) {
  const Room = threadRoom.useComponent();
  useEffect(() => void loadThreadRoom(), []);
  return Room ? <Room {...props} /> : <main aria-busy="true" />;
}

export function roomFor(kind: string): ComponentType<RoomProps> | undefined {
  return Object.hasOwn(rooms, kind) ? rooms[kind] : undefined;
}
