import { type ComponentType, lazy } from 'react';
import { rest } from '../data/room-loader.tsx';

const AGAIN_MS = 1_000;

/** A part of the page that is read when it is wanted, and asked for again where the server does not answer just then. */
export function lazily<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    for (;;) {
      try {
        return { default: await load() };
      } catch {
        await rest(AGAIN_MS);
      }
    }
  });
}
