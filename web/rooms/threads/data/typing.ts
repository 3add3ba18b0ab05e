import { useCallback, useEffect, useRef } from 'react';
import type { OpenThread } from './thread.ts';

const REPEAT_MS = 15_000;
const IDLE_MS = 6_000;

/** Tells the others that this person is typing, and that they stopped. */
export function useTyping(thread: OpenThread): (isTyping: boolean) => void {
  const lastSentAt = useRef(0);
  const stopTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const stop = useCallback(() => {
    clearTimeout(stopTimer.current);
    if (lastSentAt.current === 0) return;
    lastSentAt.current = 0;
    declareState(thread, 'listening');
  }, [thread]);

  useEffect(() => stop, [stop]);

  return useCallback(
    (isTyping) => {
      if (!isTyping) return stop();
      clearTimeout(stopTimer.current);
      stopTimer.current = setTimeout(stop, IDLE_MS);
      if (Date.now() - lastSentAt.current < REPEAT_MS) return;
      lastSentAt.current = Date.now();
      declareState(thread, 'typing');
    },
    [thread, stop],
  );
}

function declareState(thread: OpenThread, state: 'typing' | 'listening'): void {
  thread.remote.declare(state).catch(() => {}); // A courtesy to others: nothing depends on it.
}
