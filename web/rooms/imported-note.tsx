import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { kindName } from '../ui/kinds.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';

/** A note in every room's header: an imported thread runs nothing until the person resumes it (L25). */
export function ImportedNote({ id }: { readonly id: string }) {
  const row = useStore(threadRows)?.get(id);
  const isWaiting = row?.imported?.waiting === true;
  const { attempt, busy, refusal } = useAttempt();
  const resume = () => attempt(() => client.thread(id).post({ type: 'control', content: { resume: true } }));
  useActions(`This ${kindName(row?.kind ?? 'conversation')}`, [
    { name: 'Resume this imported thread', act: () => void resume(), when: isWaiting },
  ]);
  if (!isWaiting) return null;
  return (
    <div className="imported-note">
      <p role="status">
        {row?.imported?.up_to === 0
          ? 'This came from an imported thread. Its open work waits until you resume it.'
          : 'This thread was imported. Its open work waits until you resume it.'}
      </p>
      <ActionButton disabled={busy} onClick={() => void resume()}>
        Resume
      </ActionButton>
      <RefusalMessage reason={refusal} />
    </div>
  );
}
