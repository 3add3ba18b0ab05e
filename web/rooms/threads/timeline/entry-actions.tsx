import { openExplain } from '../../../explain/target.ts';
import { pathOf } from '../../../shell/address.ts';
import { Elsewhere } from '../../../transfer/buttons.tsx';
import type { Thread } from '../data/thread.ts';
import type { Entry } from './entries.ts';
import type { EntryActions } from './entry.tsx';

interface ActsProps {
  readonly entry: Entry;
  readonly thread: Thread;
  readonly actions: EntryActions;
  readonly isExplained: boolean;
  explain(): void;
}

/** Drawn for the row that is marked or under the mouse: nobody sees those of the others, and a row costs a third without. */
export function Acts({ entry, thread, actions, isExplained, explain }: ActsProps) {
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
      {isHeard(entry) && (
        <button type="button" className="act" aria-expanded={isExplained} onClick={explain}>
          {entry.isUnanswered ? 'Why did nobody answer?' : 'Who heard this'}
        </button>
      )}
      <button type="button" className="act" title="w" onClick={() => openExplain(pathOf(thread.id, event.id))}>
        Where from
      </button>
      <Elsewhere link={pathOf(thread.id, event.id)} />
      <button type="button" className="act" onClick={() => actions.fork(event)}>
        Fork here
      </button>
    </span>
  );
}

export function isOpenTask({ task }: Entry): boolean {
  return task?.state === 'open' || task?.state === 'claimed';
}

/** Whether others are woken by it, or not. */
export function isHeard({ kind }: Entry): boolean {
  return kind === 'message' || kind === 'task';
}
