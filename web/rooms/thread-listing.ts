import type { ThreadRow } from '../../src/client/index.ts';
import { pinnedThreads, setPinned } from '../data/pins.ts';
import { client } from '../data/session.ts';
import { showToast } from '../ui/floating/toast.tsx';
import { runWithNotice } from '../ui/notice.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';

export function togglePin({ id }: ThreadRow): Promise<void> {
  return runWithNotice(() => setPinned(id, !pinnedThreads.get().includes(id)));
}

/** Archiving can be taken back from the note that tells of it. */
export async function toggleArchive(row: ThreadRow): Promise<void> {
  const archive = (on: boolean) => runWithNotice(() => client.thread(row.id).command('archive', { on }));
  if (row.archived) return archive(false);
  await runWithNotice(async () => {
    await client.thread(row.id).command('archive', { on: true });
    const message = `Archived “${escapeBidi(row.title)}”.`;
    showToast({ message, action: { label: 'Undo', onPress: () => void archive(false) } });
  });
}
