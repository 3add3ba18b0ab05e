import { useEffect } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { needs, news } from '../data/workspace.ts';
import { visible } from '../ui/text/visible.ts';

const ATTENTION: Readonly<Record<string, string>> = { needs_you: 'Needs you: ', publishable: 'Could be sent: ' };
const ROOMS: Readonly<Record<string, string>> = { settings: 'Settings', nowhere: 'Nothing is here' };

/** The tab says in how many threads something is new or somebody is wanted, and what the mind of an open one wants. */
export function useTitle(room: string, open: ThreadRow | undefined): void {
  const title = open?.title;
  const wants = ATTENTION[(open?.about as { attention?: string } | undefined)?.attention ?? ''] ?? '';
  const pressing = useStore(needs).filter(({ quiet }) => !quiet);
  const fresh = new Set([...useStore(news).keys(), ...pressing.map(({ row, key }) => row?.id ?? key)]).size;
  useEffect(() => {
    const named = title ? `${wants}${visible(title)}` : ROOMS[room];
    const here = named ? `${named} · Heddle` : 'Heddle';
    document.title = fresh > 0 ? `(${fresh}) ${here}` : here;
    document.querySelector('link[rel=icon]')?.setAttribute('href', fresh > 0 ? '/icon-wanted.svg' : '/icon.svg');
    void navigator.setAppBadge?.(fresh).catch(() => {}); // Only an installed page has one.
  }, [title, wants, fresh, room]);
}
