import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { connection } from '../data/connection.ts';
import { useStore } from '../data/store.ts';
import { Glyph } from '../ui/icon.tsx';
import styles from './connection-status.module.css';

/** Says that the page is not connected, and what happens to what is written meanwhile. Offline is not a failure. */
export function ConnectionStatus() {
  const state = useStore(connection);
  const pendingCount = usePendingCount(state);
  const isAway = state !== 'open' && state !== 'connecting';
  return (
    <p role="status" className={isAway ? styles.away : 'unseen'}>
      {isAway && <Glyph icon={CloudOff} />}
      {isAway ? awayText(pendingCount) : state === 'open' ? 'connected' : 'connecting'}
    </p>
  );
}

function awayText(pendingCount: number): string {
  if (pendingCount === 0) return 'Offline, reconnecting. What you write is kept here.';
  return `Offline, reconnecting. ${pendingCount} ${pendingCount === 1 ? 'message is' : 'messages are'} kept here and will be sent.`;
}

/** The number of messages waiting for the connection. */
function usePendingCount(state: string): number {
  const [pendingCount, setPendingCount] = useState(0);
  useEffect(() => {
    if (state === 'open') return;
    const refresh = () => setPendingCount(browserStorage.countPending());
    refresh();
    const timer = setInterval(refresh, 500);
    return () => clearInterval(timer);
  }, [state]);
  return pendingCount;
}
