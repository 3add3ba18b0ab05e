import type { Event } from '../events/event.ts';
import type { Text, TextKind } from '../search/kinds.ts';
import { resultText } from './posts/tasks.ts';
import { titleText } from './title.ts';

/** What a conversation's events bring to be found. Every kind of thread has these. */
export function threadTexts(event: Event): readonly Text[] {
  const content = event.content as Content;
  const said = (kind: TextKind, text: string | undefined): readonly Text[] =>
    text ? [{ kind, text, at: event.id }] : [];
  switch (event.type) {
    case 'thread.created':
    case 'thread.renamed':
      return [{ kind: 'title', text: titleText(content.title) }];
    case 'message':
      return said('message', event.content as string);
    case 'task':
      return said('task', typeof event.content === 'string' ? event.content : content.text);
    case 'result':
      return said('result', resultText(event.content));
    case 'side.opened':
      return said('question', content.question);
    case 'side.returned':
      return said('summary', content.summary);
    case 'notice.posted':
      return said('note', content.text);
    case 'draft.proposed':
      return said('draft', content.text);
    default:
      return [];
  }
}

interface Content {
  readonly title?: string;
  readonly text?: string;
  readonly question?: string;
  readonly summary?: string;
}
