import type { Event } from '../events/event.ts';
import type { SearchText, TextKind } from '../search/kinds.ts';
import { resultTextOf } from './posts/tasks.ts';
import { displayTitle } from './title.ts';

/** What a conversation's events bring to be found. Every kind of thread has these. */
export function threadTexts(event: Event): readonly SearchText[] {
  const content = event.content as ThreadEventContent;
  const textOf = (kind: TextKind, text: string | undefined): readonly SearchText[] =>
    text ? [{ kind, text, at: event.id }] : [];
  switch (event.type) {
    case 'thread.created':
    case 'thread.renamed':
      return [{ kind: 'title', text: displayTitle(content.title) }];
    case 'message':
      return textOf('message', event.content as string);
    case 'task':
      return textOf('task', typeof event.content === 'string' ? event.content : content.text);
    case 'result':
      return textOf('result', resultTextOf(event.content));
    case 'side.opened':
      return textOf('question', content.question);
    case 'side.returned':
      return textOf('summary', content.summary);
    case 'notice.posted':
      return textOf('note', content.text);
    case 'draft.proposed':
      return textOf('draft', content.text);
    default:
      return [];
  }
}

interface ThreadEventContent {
  readonly title?: string;
  readonly text?: string;
  readonly question?: string;
  readonly summary?: string;
}
