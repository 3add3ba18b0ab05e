import type { Event } from '../events/event.ts';
import { readEvent } from '../events/read.ts';
import type { SearchText, TextKind } from '../search/kinds.ts';
import { displayTitle } from '../text/display-title.ts';
import type { ThreadEvent } from './events.ts';
import { resultTextOf } from './posts/tasks.ts';

/** Searchable texts of a conversation's events. Threads of every kind have these. */
export function threadTexts(stored: Event): readonly SearchText[] {
  const event = readEvent<ThreadEvent>(stored);
  const textOf = (kind: TextKind, text: string | undefined): readonly SearchText[] =>
    text ? [{ kind, text, at: event.id }] : [];
  switch (event.type) {
    case 'thread.created':
    case 'thread.renamed':
      return [{ kind: 'title', text: displayTitle(event.content.title) }];
    case 'message':
      return textOf('message', event.content);
    case 'message.versioned':
      return event.content.text ? [{ kind: 'message', text: event.content.text, at: event.content.of }] : [];
    case 'task':
      return textOf('task', typeof event.content === 'string' ? event.content : event.content.text);
    case 'result':
      return textOf('result', resultTextOf(event.content));
    case 'side.opened':
      return textOf('question', event.content.question);
    case 'side.returned':
      return textOf('summary', event.content.summary);
    case 'notice.posted':
      return textOf('note', event.content.text);
    case 'draft.proposed':
      return textOf('draft', event.content.text);
    default:
      return [];
  }
}
