import { Check, GitFork, Radio, Reply, TextQuote, X } from 'lucide-react';
import { useStore } from '../../../data/store.ts';
import { conversationPath } from '../../../shell/address.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { setFormatted, showsFormatted } from '../../../ui/text/formatting.ts';
import { TextActions } from '../../text-actions.tsx';
import type { OpenThread } from '../data/thread.ts';
import { eventText, type TimelineEntry } from './entries.ts';
import type { EntryActions } from './entry.tsx';
import styles from './message.module.css';

interface EntryToolbarProps {
  readonly entry: TimelineEntry;
  readonly thread: OpenThread;
  readonly actions: EntryActions;
  readonly isDeliveryOpen: boolean;
  onToggleDelivery(): void;
}

/** Rendered only for the focused or hovered row: the others' buttons are invisible, and this saves most of a row's cost. */
export function EntryToolbar({ entry, thread, actions, isDeliveryOpen, onToggleDelivery }: EntryToolbarProps) {
  const { event, kind } = entry;
  const isFormatted = useStore(showsFormatted);
  const heardLabel = entry.isUnanswered ? 'Why did nobody answer?' : 'Who heard this';
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Message actions">
      <TextActions
        link={conversationPath(thread.id, event.id)}
        text={eventText(event)}
        items={[
          { icon: GitFork, label: 'Fork here', onSelect: () => actions.fork(event) },
          {
            icon: TextQuote,
            label: isFormatted ? 'Show texts as plain text' : 'Show texts formatted',
            onSelect: () => setFormatted(!isFormatted),
          },
        ]}
      >
        {kind !== 'side.closed' && (
          <IconButton icon={Reply} label="Reply" shortcut="r" onClick={() => actions.reply(event)} />
        )}
        {isOpenTask(entry) && (
          <>
            <IconButton icon={Check} label="Mark the task done" onClick={() => actions.finish(event, 'done')} />
            <IconButton icon={X} label="Cancel the task" onClick={() => actions.finish(event, 'cancelled')} />
          </>
        )}
        {hasDelivery(entry) && (
          <IconButton icon={Radio} label={heardLabel} aria-expanded={isDeliveryOpen} onClick={onToggleDelivery} />
        )}
      </TextActions>
    </div>
  );
}

export function isOpenTask({ task }: TimelineEntry): boolean {
  return task?.state === 'open' || task?.state === 'claimed';
}

/** Whether the entry can wake participants. */
export function hasDelivery({ kind }: TimelineEntry): boolean {
  return kind === 'message' || kind === 'task';
}
