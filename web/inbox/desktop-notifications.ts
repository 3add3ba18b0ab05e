import { createStore } from '../data/store.ts';
import { nameInThread } from '../data/thread-people.tsx';
import { needs, threadRows } from '../data/workspace.ts';
import { navigate } from '../shell/address.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { type InboxNeed, needSentence } from './needs.ts';

/** Permission for desktop notifications; undefined if this browser does not support them. */
export const notificationPermission = createStore<NotificationPermission | undefined>(readPermission());

function readPermission(): NotificationPermission | undefined {
  return typeof Notification === 'undefined' ? undefined : Notification.permission;
}

// It is changed in the browser's settings, away from this page.
if (typeof document !== 'undefined')
  document.addEventListener('visibilitychange', () => notificationPermission.set(readPermission()));

/** Call only from a click by the person. A browser may refuse even to ask; then nothing has changed. */
export async function requestPermission(): Promise<void> {
  await Notification.requestPermission().catch(() => {});
  notificationPermission.set(readPermission());
}

/** Notifies on the desktop about new needs while the page is hidden (D14). Returns a function that stops it. */
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

function notify(need: InboxNeed): void {
  const { row, link, key } = need;
  try {
    const notification = new Notification(row ? escapeBidi(row.title) : 'Heddle', {
      body: escapeBidi(needSentence(need, nameInThread)),
      tag: row?.id ?? key,
    });
    notification.onclick = () => {
      focus();
      navigate(link);
      notification.close();
    };
  } catch {
    // Some browsers define Notification but refuse to create one: the title and the icon still show the need.
  }
}
