import { openExplain } from '../../../explain/target.ts';
import { conversationPath } from '../../../shell/address.ts';
import { TransferButtons } from '../../../transfer/buttons.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import type { OpenThread } from '../data/thread.ts';
import type { TimelineEntry } from './entries.ts';
import type { EntryActions } from './entry.tsx';

interface EntryButtonsProps {
  readonly entry: TimelineEntry;
  readonly thread: OpenThread;
  readonly actions: EntryActions;
  readonly isDeliveryOpen: boolean;
  onToggleDelivery(): void;
}

/**
 * Rendered only for the focused or hovered row: the others' buttons are invisible, and this saves
 * two thirds of a row's cost.
 */
export function EntryButtons({ entry, thread, actions, isDeliveryOpen, onToggleDelivery }: EntryButtonsProps) {
  const { event, kind } = entry;
  return (
    <span className="acts">
      {kind !== 'side.closed' && <ActionButton onClick={() => actions.reply(event)}>Reply</ActionButton>}
      {isOpenTask(entry) && (
        <>
          <ActionButton onClick={() => actions.finish(event, 'done')}>Mark done</ActionButton>
          <ActionButton onClick={() => actions.finish(event, 'cancelled')}>Cancel the task</ActionButton>
        </>
      )}
      {hasDelivery(entry) && (
        <ActionButton aria-expanded={isDeliveryOpen} onClick={onToggleDelivery}>
          {entry.isUnanswered ? 'Why did nobody answer?' : 'Who heard this'}
        </ActionButton>
      )}
      <ActionButton title="w" onClick={() => openExplain(conversationPath(thread.id, event.id))}>
        Source
      </ActionButton>
      <TransferButtons link={conversationPath(thread.id, event.id)} />
      <ActionButton onClick={() => actions.fork(event)}>Fork here</ActionButton>
    </span>
  );
}

export function isOpenTask({ task }: TimelineEntry): boolean {
  return task?.state === 'open' || task?.state === 'claimed';
}

/** Whether the entry can wake participants. */
export function hasDelivery({ kind }: TimelineEntry): boolean {
  return kind === 'message' || kind === 'task';
}
