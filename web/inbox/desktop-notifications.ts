import { createStore } from '../data/store.ts';
import { needs, rows } from '../data/workspace.ts';
import { go } from '../shell/address.ts';
import { visible } from '../ui/text/visible.ts';
import type { Need } from './needs.ts';

/** Whether this browser may tell on the desktop; undefined where it cannot at all. */
export const permission = createStore<NotificationPermission | undefined>(
  typeof Notification === 'undefined' ? undefined : Notification.permission,
);

/** Only ever asked for by somebody's own click. */
export async function askPermission(): Promise<void> {
  permission.set(await Notification.requestPermission());
}

/** Tells on the desktop what begins to need this person while nobody looks at the page (D14). Returns how to stop. */
export function tellOnDesktop(): () => void {
  let before: ReadonlySet<string> | undefined;
  return needs.watch(() => {
    if (!rows.get()) return;
    const pressing = needs.get().filter(({ quiet }) => !quiet);
    const known = before;
    before = new Set(pressing.map(({ key }) => key));
    if (!known || permission.get() !== 'granted' || document.visibilityState === 'visible') return;
    for (const need of pressing) if (!known.has(need.key)) tell(need);
  });
}

function tell({ row, words, link, key }: Need): void {
  try {
    const note = new Notification(row ? visible(row.title) : 'Heddle', { body: visible(words), tag: row?.id ?? key });
    note.onclick = () => {
      focus();
      go(link);
      note.close();
    };
  } catch {
    // Some browsers have the name and refuse to make one: the title and the icon still tell.
  }
}
