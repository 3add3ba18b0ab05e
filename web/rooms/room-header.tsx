import { ArrowLeft } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import type { TransferRequest } from '../transfer/requests.ts';
import { LinkButton } from '../ui/controls/button.tsx';
import { lazyWithRetry } from '../ui/lazy.ts';
import { useIsNarrow } from '../ui/sheet.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { DiscussionNote } from './discussion-link.tsx';
import { ImportedNote } from './imported-note.tsx';
import styles from './room-header.module.css';
import { PanelButton } from './side-panel.tsx';

const TrailLine = lazyWithRetry(async () => (await import('../transfer/trail.tsx')).TrailLine);

interface RoomHeaderProps {
  readonly id: string;
  /** In place of the title, for example a field to rename it. */
  readonly title?: ReactNode;
  /** One line below the title; more is cut off. */
  readonly facts?: ReactNode;
  /** Quiet buttons, at most three, then one gear. */
  readonly actions?: ReactNode;
  readonly panelLabel: string;
  /** The text that "Send back" sends to where this thread was opened from. */
  readonly text?: TransferRequest | undefined;
  /** Notes below the head, over the whole width. */
  readonly children?: ReactNode;
}

/** The head of every room: the way back on a phone, title, one line of facts, actions, the panel's button. */
export function RoomHeader({ id, title, facts, actions, panelLabel, text, children }: RoomHeaderProps) {
  const isNarrow = useIsNarrow();
  const row = useStore(threadRows)?.get(id);
  const shownTitle = escapeBidi(row?.title ?? '');
  return (
    <header className={styles.head}>
      <div className={styles.bar}>
        {isNarrow && <LinkButton icon={ArrowLeft} label="Back to the inbox" href="/" />}
        <div className={styles.titles}>
          {title ?? (
            <h1 dir="auto" title={shownTitle}>
              {shownTitle}
            </h1>
          )}
          {facts && <div className={styles.facts}>{facts}</div>}
        </div>
        <div className={styles.actions}>
          {actions}
          <PanelButton label={panelLabel} />
        </div>
      </div>
      <div className={styles.notes}>
        <Suspense fallback={null}>
          <TrailLine id={id} text={text} />
        </Suspense>
        {row && row.kind !== 'conversation' && <DiscussionNote id={id} />}
        <ImportedNote id={id} />
        {children}
      </div>
    </header>
  );
}
