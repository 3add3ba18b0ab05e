import { Suspense, useEffect, useState } from 'react';
import type { WireThreadState } from '../../../src/client/index.ts';
import { useStore } from '../../data/store.ts';
import { threadRows } from '../../data/workspace.ts';
import { threadPath } from '../../shell/address.ts';
import { ListButton, PanelButton } from '../../shell/frame.tsx';
import { RenameForm } from '../../shell/rename-thread.tsx';
import { kindName } from '../../ui/kinds.ts';
import { lazyWithRetry } from '../../ui/lazy.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { ThreadLink } from '../../ui/thread-link.tsx';
import { ImportedNote } from '../imported-note.tsx';
import type { OpenThread } from './data/thread.ts';

const TrailLine = lazyWithRetry(async () => (await import('../../transfer/trail.tsx')).TrailLine);

interface ThreadHeaderProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState | undefined;
  readonly isRenaming: boolean;
  onRenamed(): void;
}

/** The thread's title, parent and state. */
export function ThreadHeader({ thread, state, isRenaming, onRenamed }: ThreadHeaderProps) {
  const row = useStore(threadRows)?.get(thread.id);
  const deadline = useStore(thread.deadline);
  const title = state?.title ?? row?.title ?? '';
  return (
    <header className="head">
      <ListButton />
      <div className="head-words">
        {isRenaming ? (
          <RenameForm thread={{ id: thread.id, title }} isInPlace onDone={onRenamed} />
        ) : (
          <h1 dir="auto" title={escapeBidi(title)}>
            {escapeBidi(title)}
          </h1>
        )}
        {row && row.kind !== 'conversation' && (
          <p className="soft">
            what is said beside{' '}
            <a href={threadPath(row)} data-in-page>
              the {kindName(row.kind)}
            </a>
          </p>
        )}
        {state && <ThreadStatus state={state} deadline={deadline} />}
        <Suspense fallback={null}>
          <TrailLine id={thread.id} />
        </Suspense>
        <ImportedNote id={thread.id} />
      </div>
      <PanelButton label="People" />
    </header>
  );
}

function ThreadStatus({ state, deadline }: { readonly state: WireThreadState; readonly deadline: number | undefined }) {
  const facts = [
    state.paused && 'paused: agents may not write',
    state.done && (state.side?.closed ? 'closed' : 'done: agents are not woken until a human writes'),
    useTimeLeft(deadline),
  ].filter(Boolean);
  if (facts.length === 0 && !state.side && !state.forked_from) return null;
  return (
    <p className="soft standing" dir="auto">
      {state.side && (
        <>
          side channel of <ThreadLink id={state.side.thread} title="its parent" />
          {state.side.question !== state.title && `: ${escapeBidi(state.side.question)}`}
          {facts.length > 0 && '; '}
        </>
      )}
      {state.forked_from && (
        <>
          forked from <ThreadLink id={state.forked_from.thread} title="another thread" />
          {facts.length > 0 && '; '}
        </>
      )}
      {facts.join('; ')}
    </p>
  );
}

/** How long agents may still go on without a human's message, updated every second. */
function useTimeLeft(deadline: number | undefined): string | undefined {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    if (deadline === undefined || deadline < Date.now()) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [deadline]);
  if (deadline === undefined) return undefined;
  const seconds = Math.ceil((deadline - now) / 1000);
  if (seconds <= 0) return 'agents wait for a human’s word';
  const remaining =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.ceil(seconds / 60)} min`
        : `${Math.ceil(seconds / 3600)} h`;
  return `agents may go on for ${remaining}`;
}
