import { CornerDownRight, Undo2, Waypoints } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { pluralize } from '../../src/core/text/pluralize.ts';
import type { ThreadSummary } from '../../src/core/threads/view/schema.ts';
import { trailOf } from '../../src/core/threads/view/trail.ts';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { Button } from '../ui/controls/button.tsx';
import { Glyph } from '../ui/icon.tsx';
import { kindName } from '../ui/kinds.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './notes.module.css';
import { originLabel } from './origin-notes.tsx';
import { bringRequest, type TransferRequest } from './requests.ts';

const TrailDialog = lazyWithRetry(async () => (await import('./trail-dialog.tsx')).TrailDialog);

interface TrailLineProps {
  readonly id: string;
  /** The text to send back to the place this thread was opened from. */
  readonly text?: TransferRequest | undefined;
}

/** One line with the thread's source and related items; a click opens the whole trail. */
export function TrailLine({ id, text }: TrailLineProps) {
  const threads = useStore(threadRows);
  const trail = useMemo(() => trailOf([...(threads?.values() ?? [])] as ThreadSummary[], id), [threads, id]);
  const [isOpen, setOpen] = useState(false);
  const row = threads?.get(id);
  useActions(`This ${kindName(row?.kind ?? 'conversation')}`, [
    { name: 'Trail: where it came from and where it went', act: () => setOpen(true), when: trail.steps.length > 0 },
  ]);
  if (trail.steps.length === 0) return null;
  const threadsById = new Map(trail.threads.map((thread) => [thread.id, thread]));
  const descendants = new Set(trail.steps.flatMap(({ between: [source, target] }) => (source === id ? [target] : [])));
  const originStep = trail.steps.find(({ how, between }) => how === 'opened' && between[1] === id);
  return (
    <>
      <div className={styles.trail} dir="auto">
        <Glyph icon={CornerDownRight} size={14} />
        {originStep && (
          <span>
            From{' '}
            <a href={originStep.from} data-in-page>
              {escapeBidi(originLabel(originStep.what))} in{' '}
              {escapeBidi(threadsById.get(originStep.between[0])?.title ?? '')}
            </a>
          </span>
        )}
        {(descendants.size > 0 || trail.steps.length > (originStep ? 1 : 0)) && (
          <Button kind="quiet" icon={Waypoints} onClick={() => setOpen(true)}>
            {descendants.size > 0 ? pluralize(descendants.size, 'related item') : 'Trail'}
          </Button>
        )}
        {row?.origin && text && (
          <Button kind="quiet" icon={Undo2} shortcut="b" onClick={() => bringRequest.set(text)}>
            Send back
          </Button>
        )}
      </div>
      {isOpen && (
        <Suspense fallback={<div data-modal="" />}>
          <TrailDialog trail={trail} currentId={id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
