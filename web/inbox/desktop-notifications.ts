import { createStore } from '../data/store.ts';
import { needs, threadRows } from '../data/workspace.ts';
import { navigate } from '../shell/address.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import type { InboxNeed } from './needs.ts';

/** Whether this browser may tell on the desktop; undefined where it cannot at all. */
export const notificationPermission = createStore<NotificationPermission | undefined>(
  typeof Notification === 'undefined' ? undefined : Notification.permission,
);

/** Only ever asked for by somebody's own click. */
export async function requestPermission(): Promise<void> {
  notificationPermission.set(await Notification.requestPermission());
}

/** Tells on the desktop what begins to need this person while nobody looks at the page (D14). Returns how to stop. */
export function notifyOnDesktop(): () => void {
  let previousKeys: ReadonlySet<string> | undefined;
  return needs.watch(() => {
    if (!threadRows.get()) return;
    const urgent = needs.get().filter(({ quiet }) => !quiet);
    const knownKeys = previousKeys;
    previousKeys = new Set(urgent.map(({ key }) => key));
    if (!knownKeys || notificationPermission.get() !== 'granted' || document.visibilityState === 'visible') return;
    for (const need of urgent) if (!knownKeys.has(need.key)) notify(need);
  });
}

function notify({ row, words, link, key }: InboxNeed): void {
  try {
    const notification = new Notification(row ? escapeBidi(row.title) : 'Heddle', {
      body: escapeBidi(words),
      tag: row?.id ?? key,
    });
    notification.onclick = () => {
      focus();
      navigate(link);
      notification.close();
    };
  } catch {
    // Some browsers have the name and refuse to make one: the title and the icon still tell.
  }
}
