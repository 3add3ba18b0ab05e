import { openExplain } from '../../../explain/target.ts';
import { conversationPath } from '../../../shell/address.ts';
import { TransferButtons } from '../../../transfer/buttons.tsx';
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

/** Drawn for the row that is marked or under the mouse: nobody sees those of the others, and a row costs a third without. */
export function EntryButtons({ entry, thread, actions, isDeliveryOpen, onToggleDelivery }: EntryButtonsProps) {
  const { event, kind } = entry;
  return (
    <span className="acts">
      {kind !== 'side.closed' && (
        <button type="button" className="act" onClick={() => actions.reply(event)}>
          Reply
        </button>
      )}
      {isOpenTask(entry) && (
        <>
          <button type="button" className="act" onClick={() => actions.finish(event, 'done')}>
            Mark done
          </button>
          <button type="button" className="act" onClick={() => actions.finish(event, 'cancelled')}>
            Cancel the task
          </button>
        </>
      )}
      {hasDelivery(entry) && (
        <button type="button" className="act" aria-expanded={isDeliveryOpen} onClick={onToggleDelivery}>
          {entry.isUnanswered ? 'Why did nobody answer?' : 'Who heard this'}
        </button>
      )}
      <button
        type="button"
        className="act"
        title="w"
        onClick={() => openExplain(conversationPath(thread.id, event.id))}
      >
        Where from
      </button>
      <TransferButtons link={conversationPath(thread.id, event.id)} />
      <button type="button" className="act" onClick={() => actions.fork(event)}>
        Fork here
      </button>
    </span>
  );
}

export function isOpenTask({ task }: TimelineEntry): boolean {
  return task?.state === 'open' || task?.state === 'claimed';
}

/** Whether others are woken by it, or not. */
export function hasDelivery({ kind }: TimelineEntry): boolean {
  return kind === 'message' || kind === 'task';
}
