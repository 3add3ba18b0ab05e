import type { ThreadRow } from '../../src/client/index.ts';
import { go, pathTo } from '../address.ts';
import { createStore } from '../store.ts';
import { visible } from '../text/visible.ts';
import { rows, wantingYou } from '../workspace.ts';
import { readsOf } from './reads.ts';

/** Whether this browser may tell on the desktop; undefined where it cannot at all. */
export const permission = createStore<NotificationPermission | undefined>(
  typeof Notification === 'undefined' ? undefined : Notification.permission,
);

export async function askPermission(): Promise<void> {
  permission.set(await Notification.requestPermission());
}

/** Tells on the desktop when a mind begins to want somebody and nobody looks at the page (D14). Returns how to stop. */
export function tellOnDesktop(): () => void {
  let before: ReadonlySet<string> | undefined;
  return rows.watch(() => {
    const wanting = wantingYou(rows.get() ?? new Map());
    const known = before;
    before = new Set(wanting.map(({ row }) => row.id));
    if (!known || permission.get() !== 'granted' || document.visibilityState === 'visible') return;
    // Some browsers have the name and refuse to make one: the title and the icon still tell.
    for (const { row } of wanting) if (!known.has(row.id)) void tell(row).catch(() => {});
  });
}

async function tell(row: ThreadRow): Promise<void> {
  const status = await readsOf(row.id)
    .status()
    .catch(() => undefined);
  const note = new Notification(visible(row.title), {
    body: visible(status?.attention.reason ?? 'The mind waits for you.'),
    tag: row.id,
  });
  note.onclick = () => {
    focus();
    go(pathTo(row));
    note.close();
  };
}
