import { HeddleRefusal, type ThreadClient } from '../../client/index.ts';
import { cursorOf } from '../../protocol/cursor.ts';
import { EXIT, Failure } from '../failure.ts';

/** Finds an event's id from the id itself or from its number in the thread. */
export async function resolveEventId(thread: ThreadClient, name: string): Promise<string> {
  const number = /^#?([1-9]\d{0,14})$/.exec(name)?.[1];
  if (number === undefined) return name;
  const after = cursorOf('thread', Number(number) - 1);
  const [event] = await thread.events({ after, limit: 1 }).then(
    ({ events }) => events,
    (error) => {
      if (error instanceof HeddleRefusal && error.code === 'wrong_cursor') return [];
      throw error;
    },
  );
  if (event?.seq === Number(number)) return event.id;
  throw new Failure('unknown_event', `There is no event #${number} in this thread.`, EXIT.refused);
}
