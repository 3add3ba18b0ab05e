import { useEffect } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { needs, unreadCounts } from '../data/workspace.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';

const ATTENTION_PREFIXES: Readonly<Record<string, string>> = {
  needs_you: 'Needs you: ',
  publishable: 'Could be sent: ',
};
const ROOM_TITLES: Readonly<Record<string, string>> = { settings: 'Settings', nowhere: 'Nothing is here' };

/** The tab title counts threads with unread events or requests, and shows what the mind of an open thread needs. */
export function useTitle(room: string, openRow: ThreadRow | undefined): void {
  const title = openRow?.title;
  const prefix = ATTENTION_PREFIXES[(openRow?.about as { attention?: string } | undefined)?.attention ?? ''] ?? '';
  const urgent = useStore(needs).filter(({ quiet }) => !quiet);
  const unreadCount = new Set([...useStore(unreadCounts).keys(), ...urgent.map(({ row, key }) => row?.id ?? key)]).size;
  useEffect(() => {
    const heading = title ? `${prefix}${escapeBidi(title)}` : ROOM_TITLES[room];
    const pageTitle = heading ? `${heading} · Heddle` : 'Heddle';
    document.title = unreadCount > 0 ? `(${unreadCount}) ${pageTitle}` : pageTitle;
    document.querySelector('link[rel=icon]')?.setAttribute('href', unreadCount > 0 ? '/icon-wanted.svg' : '/icon.svg');
    void navigator.setAppBadge?.(unreadCount).catch(() => {}); // Only an installed page has a badge.
  }, [title, prefix, unreadCount, room]);
}
