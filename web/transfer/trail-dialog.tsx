import type { Trail, TrailStep } from '../../src/core/threads/view/schema.ts';
import { Dialog } from '../ui/floating/dialog.tsx';
import { kindName } from '../ui/kinds.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './dialogs.module.css';
import { originLabel } from './origin-notes.tsx';

const STEP_PHRASES: Readonly<Record<TrailStep['how'], string>> = {
  opened: 'was opened from',
  brought: 'received',
  forked: 'is a fork of',
  side: 'is a side channel of',
};

/** The whole trail: what came from where, with links to both ends. */
export function TrailDialog({
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
    <Dialog title="Trail" onClose={onClose}>
      <ul className={styles.steps}>
        {trail.steps.map((step) => (
          <li key={`${step.how} ${step.from} ${step.to}`} dir="auto">
            {threadLink(step.between[1], step.to)}{' '}
            <span className={styles.faint}>
              ({kindName(threads.get(step.between[1])?.kind ?? 'conversation')}) {STEP_PHRASES[step.how]}{' '}
              {step.what && `${escapeBidi(originLabel(step.what))} in `}
            </span>
            {threadLink(step.between[0], step.from)}
          </li>
        ))}
      </ul>
      {trail.more && <p className={styles.faint}>The trail has more steps.</p>}
    </Dialog>
  );
}
