import type { ThreadRow } from '../../src/client/index.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';

const ATTENTION_PREFIXES: Readonly<Record<string, string>> = {
  needs_you: 'Needs you: ',
  publishable: 'Could be sent: ',
};
const ROOM_TITLES: Readonly<Record<string, string>> = {
  home: '',
  thread: '',
  settings: 'Settings',
  nowhere: 'Page not found',
  all: 'All threads',
};

/** The title of the tab for a room, a list by its name, or the thread that is open in it. */
export function pageTitle(
  room: string,
  openRow: Pick<ThreadRow, 'title' | 'about'> | undefined,
  unreadCount: number,
): string {
  const prefix = ATTENTION_PREFIXES[(openRow?.about as { attention?: string } | undefined)?.attention ?? ''] ?? '';
  const heading = openRow?.title ? `${prefix}${escapeBidi(openRow.title)}` : (ROOM_TITLES[room] ?? room);
  const title = heading ? `${heading} · Heddle` : 'Heddle';
  return unreadCount > 0 ? `(${unreadCount}) ${title}` : title;
}
