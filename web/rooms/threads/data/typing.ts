import { useCallback, useEffect, useRef } from 'react';
import type { Thread } from './thread.ts';

const REPEAT_MS = 15_000;
const STOPPED_MS = 6_000;

/** Tells the others that this person is typing, and that they stopped. */
export function useTyping(thread: Thread): (isTyping: boolean) => void {
  const said = useRef(0);
  const stopping = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const stop = useCallback(() => {
    clearTimeout(stopping.current);
    if (said.current === 0) return;
    said.current = 0;
    tell(thread, 'listening');
  }, [thread]);

  useEffect(() => stop, [stop]);

  return useCallback(
    (isTyping) => {
      if (!isTyping) return stop();
      clearTimeout(stopping.current);
      stopping.current = setTimeout(stop, STOPPED_MS);
      if (Date.now() - said.current < REPEAT_MS) return;
      said.current = Date.now();
      tell(thread, 'typing');
    },
    [thread, stop],
  );
}

function tell(thread: Thread, state: 'typing' | 'listening'): void {
  thread.remote.declare(state).catch(() => {}); // A courtesy: nothing depends on it.
}
