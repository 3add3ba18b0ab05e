import { Button } from '../ui/controls/button.tsx';
import { iconOfKind } from '../ui/kind-icon.tsx';
import { KINDS, kindWithArticle, type ThreadKind } from '../ui/kinds.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { startThread } from './start-thread.ts';

/** One button for each kind of thread: a press creates one and opens it. */
export function StartButtons() {
  const { attempt, busy, refusal } = useAttempt();
  const start = (kind: ThreadKind) => void attempt(() => startThread(kind));
  return (
    <>
      {KINDS.map(({ kind }) => (
        <Button key={kind} icon={iconOfKind(kind)} disabled={busy} onClick={() => start(kind)}>
          Begin {kindWithArticle(kind)}
        </Button>
      ))}
      <RefusalMessage reason={refusal} />
    </>
  );
}
