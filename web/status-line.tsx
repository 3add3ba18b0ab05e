import { useEffect, useState } from 'react';
import { kept } from './kept.ts';
import { useStore } from './store.ts';
import { connection } from './workspace.ts';

interface StatusLineProps {
  readonly me: string;
  readonly workspace: string;
  onKeys(): void;
}

/** The foot of the page: whether it is connected and, when not, what is kept. */
export function StatusLine({ me, workspace, onKeys }: StatusLineProps) {
  const state = useStore(connection);
  const waiting = useWaiting(state);
  return (
    <footer className="status">
      <p role="status">
        {state === 'open' ? 'connected' : state === 'connecting' ? 'connecting' : reconnecting(waiting)}
      </p>
      <p>
        {me}
        {workspace && ` in ${workspace}`}
      </p>
      <button type="button" className="act" onClick={onKeys} title="?">
        Keys
      </button>
    </footer>
  );
}

function reconnecting(waiting: number): string {
  if (waiting === 0) return 'reconnecting; what you write is kept here';
  return `reconnecting; ${waiting} ${waiting === 1 ? 'message is' : 'messages are'} kept here and will be sent`;
}

/** How many messages wait for the connection. */
function useWaiting(state: string): number {
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    if (state === 'open') return;
    const count = () => setWaiting(kept.waiting());
    count();
    const timer = setInterval(count, 500);
    return () => clearInterval(timer);
  }, [state]);
  return waiting;
}
