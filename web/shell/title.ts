import { useEffect } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { needs, unreadCounts } from '../data/workspace.ts';
import { pageTitle } from './page-title.ts';

/** The tab title counts threads with unread events or requests, and shows what the mind of an open thread needs. */
export function useTitle(room: string, openRow: ThreadRow | undefined): void {
  const urgent = useStore(needs).filter(({ quiet }) => !quiet);
  const unreadCount = new Set([...useStore(unreadCounts).keys(), ...urgent.map(({ row, key }) => row?.id ?? key)]).size;
  const title = pageTitle(room, openRow, unreadCount);
  useEffect(() => {
    document.title = title;
    document.querySelector('link[rel=icon]')?.setAttribute('href', unreadCount > 0 ? '/icon-wanted.svg' : '/icon.svg');
    void navigator.setAppBadge?.(unreadCount).catch(() => {}); // Only an installed page has a badge.
  }, [title, unreadCount]);
}
