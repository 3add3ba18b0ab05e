import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { Button } from '../ui/controls/button.tsx';
import { kindName } from '../ui/kinds.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { Banner } from '../ui/status/banner.tsx';

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
    <>
      <Banner
        action={
          <Button disabled={busy} onClick={() => void resume()}>
            Resume
          </Button>
        }
      >
        {row?.imported?.up_to === 0
          ? 'This came from an imported thread. Its unfinished work waits until you resume it.'
          : 'This thread was imported. Its unfinished work waits until you resume it.'}
      </Banner>
      <RefusalMessage reason={refusal} />
    </>
  );
}
