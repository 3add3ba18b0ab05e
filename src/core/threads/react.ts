import type { Effect } from '../decider.ts';
import { type Event, SYSTEM } from '../events/event.ts';
import { quoteLine } from '../text/sanitize.ts';
import type { ConversationCommand } from './commands.ts';
import type { ThreadState } from './state.ts';

/**
 * When a thread is marked done, posts a notice in its open side channels, so that nobody waits for their answer in
 * vain.
 */
export function reactThread(state: ThreadState, event: Event): readonly Effect<ConversationCommand>[] {
  if (!canReact(event)) return [];
  return Object.keys(state.openSides).map((side) => ({
    key: `${event.id}/${side}`,
    as: SYSTEM,
    command: {
      name: 'notice',
      input: {
        thread: side,
        text: `${quoteLine(state.title)}, where this side channel was opened, was marked done by ${event.from}. Close it with a summary when you have one.`,
        about: event.id,
      },
    },
  }));
}

export function canReact({ type, content }: Event): boolean {
  return type === 'control' && typeof content === 'object' && content !== null && 'done' in content;
}
