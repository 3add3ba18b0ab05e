import { Check, GitFork, Pencil, Radio, RefreshCw, Reply, TextQuote, X } from 'lucide-react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { conversationPath } from '../../../shell/address.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { setFormatted, showsFormatted } from '../../../ui/text/formatting.ts';
import { TextActions } from '../../text-actions.tsx';
import { isEditable } from '../data/own-edit.ts';
import type { OpenThread } from '../data/thread.ts';
import { isAgent } from '../panel/control-actions.ts';
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
  const state = useStore(thread.state);
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
        {isEditable(event, thread.me) && (
          <IconButton icon={Pencil} label="Edit" shortcut="e" onClick={() => actions.edit(event)} />
        )}
        {canAskAgain(entry, state) && (
          <IconButton
            icon={RefreshCw}
            label="Ask again"
            onClick={() => actions.prod(event.from, event.meta.reply_to)}
          />
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

/** Whether the agent that wrote this reply can answer the same message again (T39). */
function canAskAgain({ kind, isReply, event }: TimelineEntry, state: WireThreadState | undefined): boolean {
  if (kind !== 'message' || !isReply || event.meta.by !== 'agent' || event.imported || !state || state.done)
    return false;
  const author = state.participants.find(({ id }) => id === event.from);
  return author !== undefined && isAgent(author) && !author.muted;
}

export function isOpenTask({ task }: TimelineEntry): boolean {
  return task?.state === 'open' || task?.state === 'claimed';
}

/** Whether the entry can wake participants. */
export function hasDelivery({ kind }: TimelineEntry): boolean {
  return kind === 'message' || kind === 'task';
}
