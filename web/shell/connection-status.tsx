import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { connection } from '../data/connection.ts';
import { roomShownFrom } from '../data/kept/shown-from.ts';
import { session } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { Glyph } from '../ui/icon.tsx';
import { clock, formatMoment } from '../ui/time.tsx';
import styles from './connection-status.module.css';

/** Says that the page is not connected, and what happens to what is written meanwhile. Offline is not a failure. */
export function ConnectionStatus() {
  const state = useStore(connection);
  const pendingCount = usePendingCount(state);
  const age = useAge();
  const isAway = state !== 'open' && state !== 'connecting';
  return (
    <p role="status" className={isAway ? styles.away : 'unseen'}>
      {isAway && <Glyph icon={CloudOff} />}
      {isAway
        ? ['Offline, reconnecting.', age, keptText(pendingCount)].filter(Boolean).join(' ')
        : state === 'open'
          ? 'connected'
          : 'connecting'}
    </p>
  );
}

function keptText(pendingCount: number): string {
  if (pendingCount === 0) return 'Your text is kept here.';
  return `${pendingCount} ${pendingCount === 1 ? 'message is' : 'messages are'} kept here and will be sent.`;
}

/** What time the page is from, if the server has not answered since it was opened (I22). */
function useAge(): string {
  const now = useStore(clock);
  const roomFrom = useStore(roomShownFrom);
  const current = useStore(session);
  const pageFrom = current.phase === 'in' ? current.keptAt : undefined;
  if (roomFrom !== undefined) return `You see this thread as of ${formatMoment(new Date(roomFrom), now)}.`;
  return pageFrom === undefined ? '' : `You see the workspace as of ${formatMoment(new Date(pageFrom), now)}.`;
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
