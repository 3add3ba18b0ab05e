import { memo, useState } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import { authorLabelOf } from '../../../../src/core/events/event.ts';
import { conversationPath } from '../../../shell/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import { CopyActions } from '../../text-actions.tsx';
import type { OpenThread } from '../data/thread.ts';
import { eventSentence, sentenceText } from '../wording/sentences.ts';
import { dayLabel } from './clock-time.tsx';
import { CutEntry } from './cut.tsx';
import { eventText, partialTextOf, type TimelineEntry } from './entries.ts';
import { EntryBody, resultLabel } from './entry-body.tsx';
import styles from './message.module.css';
import { EventNote, FoldedNotes } from './notes.tsx';
import type { TimelineRow } from './rows.ts';

export interface EntryActions {
  reply(event: WireEvent): void;
  /** Opens the editor of one's own message, in its place. */
  edit(event: WireEvent): void;
  stopEdit(): void;
  /** Forks at an event, or at the end. */
  fork(event?: WireEvent): void;
  finish(task: WireEvent, status: 'done' | 'cancelled'): void;
  /** Requests a summary of what is new. */
  catchUp(): void;
  /** Asks a participant to reply: to this event again, if there is one. */
  prod(participant: string, event?: string): void;
  stop(participant: string): void;
  /** Opens the dialog to invite someone. */
  invite(): void;
  /** Moves the focus to the composer. */
  write(): void;
}

interface RowProps {
  readonly row: TimelineRow;
  readonly thread: OpenThread;
  readonly isCurrent: boolean;
  readonly isEditing: boolean;
  /** The event in this row that the address points at. */
  readonly target: string | undefined;
  readonly actions: EntryActions;
}

/** One row of the timeline. */
export const RowView = memo(function RowView({ row, thread, isCurrent, isEditing, target, actions }: RowProps) {
  const [entry] = row.entries as [TimelineEntry];
  const { event, kind } = entry;
  const [isHovered, setHovered] = useState(false);
  const isFold = row.entries.length > 1;
  const classNames = [
    styles.row,
    'entry',
    kind.replace('.', '-'),
    kind === 'note' && styles.noteRow,
    entry.isContinuation && styles.continued,
    !isFold && event.id === target && 'target',
  ];
  return (
    <article
      {...(!isFold && { id: event.id, 'data-place': conversationPath(thread.id, event.id) })}
      data-entry={row.key}
      data-fold={isFold || undefined}
      className={classNames.filter(Boolean).join(' ')}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={rowLabel(row)}
      onMouseMove={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
    >
      {entry.isFirstOfDay && <p className={styles.divider}>{dayLabel(event.ts, new Date())}</p>}
      {entry.isFirstNew && (
        <div className={`${styles.divider} ${styles.new} new-here`}>
          <span>
            New<span className="unseen"> since you last looked</span>
          </span>
          <Button kind="quiet" onClick={actions.catchUp}>
            Catch me up
          </Button>
        </div>
      )}
      {isFold && <FoldedNotes entries={row.entries} actions={actions} target={target} />}
      {!isFold && kind === 'note' && <EventNote entry={entry} actions={actions} />}
      {!isFold && kind === 'cut' && (
        <>
          <CutEntry event={event} thread={thread} actions={actions} />
          {(isCurrent || isHovered) && (
            <div className={styles.toolbar} role="toolbar" aria-label="Message actions">
              <CopyActions link={conversationPath(thread.id, event.id)} text={partialTextOf(event)} />
            </div>
          )}
        </>
      )}
      {kind !== 'note' && kind !== 'cut' && (
        <EntryBody
          entry={entry}
          thread={thread}
          isCurrent={isCurrent}
          isHovered={isHovered}
          isEditing={isEditing}
          actions={actions}
        />
      )}
    </article>
  );
});

function rowLabel({ entries }: TimelineRow): string {
  const { event, kind, task } = entries.at(-1) as TimelineEntry;
  const others = entries.length - 1;
  if (kind === 'cut') return escapeBidi(`What was kept of an answer: ${firstLine(partialTextOf(event))}`);
  const sentence = kind === 'note' ? eventSentence(event) : undefined;
  if (sentence) return `${escapeBidi(sentenceText(sentence))}${others > 0 ? ` and ${others} more changes` : ''}`;
  const what = kind === 'task' ? `task, ${task?.state}` : kind === 'result' ? resultLabel(event) : '';
  return escapeBidi([authorLabelOf(event), what, firstLine(eventText(event))].filter(Boolean).join(': '));
}
