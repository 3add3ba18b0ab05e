import { ActionButton } from '../ui/action-button.tsx';
import './transfer.css';
import { useMemo, useState } from 'react';
import { pluralize } from '../../src/core/text/pluralize.ts';
import type { ThreadSummary, Trail, TrailStep } from '../../src/core/threads/view/schema.ts';
import { trailOf } from '../../src/core/threads/view/trail.ts';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { kindName } from '../ui/kinds.ts';
import { Sheet } from '../ui/sheet.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { originLabel } from './origin-notes.tsx';
import { bringRequest, type TransferRequest } from './requests.ts';

interface TrailLineProps {
  readonly id: string;
  /** The text to send back to the place this thread was opened from. */
  readonly text?: TransferRequest | undefined;
}

/** One line with the thread's source and related items; a click opens the whole trail. */
export function TrailLine({ id, text }: TrailLineProps) {
  const threads = useStore(threadRows);
  const trail = useMemo(() => trailOf([...(threads?.values() ?? [])] as ThreadSummary[], id), [threads, id]);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const row = threads?.get(id);
  useActions(`This ${kindName(row?.kind ?? 'conversation')}`, [
    { name: 'What it came from, and what came of it', act: () => setSheetOpen(true), when: trail.steps.length > 0 },
  ]);
  if (trail.steps.length === 0) return null;
  const threadsById = new Map(trail.threads.map((thread) => [thread.id, thread]));
  const descendants = new Set(trail.steps.flatMap(({ between: [source, target] }) => (source === id ? [target] : [])));
  const originStep = trail.steps.find(({ how, between }) => how === 'opened' && between[1] === id);
  return (
    <>
      <p className="soft trail" dir="auto">
        {originStep && (
          <span>
            from{' '}
            <a href={originStep.from} data-in-page>
              {escapeBidi(originLabel(originStep.what))} in{' '}
              {escapeBidi(threadsById.get(originStep.between[0])?.title ?? '')}
            </a>
          </span>
        )}
        {(descendants.size > 0 || trail.steps.length > (originStep ? 1 : 0)) && (
          <ActionButton onClick={() => setSheetOpen(true)}>
            {descendants.size > 0 ? pluralize(descendants.size, 'related item') : 'Trail'}
          </ActionButton>
        )}
        {row?.origin && text && (
          <ActionButton title="b" onClick={() => bringRequest.set(text)}>
            Bring back
          </ActionButton>
        )}
      </p>
      {isSheetOpen && <TrailSheet trail={trail} currentId={id} onClose={() => setSheetOpen(false)} />}
    </>
  );
}

const STEP_PHRASES: Readonly<Record<TrailStep['how'], string>> = {
  opened: 'was opened from',
  brought: 'was brought',
  forked: 'is a fork of',
  side: 'is a side channel of',
};

function TrailSheet({
  trail,
  currentId,
  onClose,
}: {
  readonly trail: Trail;
  readonly currentId: string;
  onClose(): void;
}) {
  const threads = new Map(trail.threads.map((thread) => [thread.id, thread]));
  const threadLink = (thread: string, link: string) => (
    <a href={link} data-in-page onClick={onClose} aria-current={thread === currentId ? 'true' : undefined}>
      {escapeBidi(threads.get(thread)?.title ?? '')}
    </a>
  );
  return (
    <Sheet label="Trail" onClose={onClose}>
      <ul className="trail-steps">
        {trail.steps.map((step) => (
          <li key={`${step.how} ${step.from} ${step.to}`} dir="auto">
            {threadLink(step.between[1], step.to)}{' '}
            <span className="soft">
              ({kindName(threads.get(step.between[1])?.kind ?? 'conversation')}) {STEP_PHRASES[step.how]}{' '}
              {step.what && `${escapeBidi(originLabel(step.what))} in `}
            </span>
            {threadLink(step.between[0], step.from)}
          </li>
        ))}
      </ul>
      {trail.more && <p className="soft">There is more than this.</p>}
    </Sheet>
  );
}
