import { useEffect } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { needs, unreadCounts } from '../data/workspace.ts';
import { kindWords } from '../ui/kinds.ts';
import type { Address } from './address.ts';
import { pageTitle } from './page-title.ts';

/** The tab title counts threads with unread events or requests, and shows what the mind of an open thread needs. */
export function useTitle(address: Address, openRow: ThreadRow | undefined): void {
  const urgent = useStore(needs).filter(({ quiet }) => !quiet);
  const unreadCount = new Set([...useStore(unreadCounts).keys(), ...urgent.map(({ row, key }) => row?.id ?? key)]).size;
  const title = pageTitle(placeName(address), openRow, unreadCount);
  useEffect(() => {
    document.title = title;
    document.querySelector('link[rel=icon]')?.setAttribute('href', unreadCount > 0 ? '/icon-wanted.svg' : '/icon.svg');
    void navigator.setAppBadge?.(unreadCount).catch(() => {}); // Only an installed page has a badge.
  }, [title, unreadCount]);
}

/** A room, or the list of a kind by its name. */
function placeName(address: Address): string {
  if (address.room !== 'list') return address.room;
  return address.kind === undefined ? 'all' : kindWords(address.kind).many;
}
