import type { TextSource } from '../../core/mode.ts';
import { withArticle } from '../../core/text/article.ts';
import { eventOf } from '../../log/event-log.ts';
import { type Account, type ExplainContext, linkIn } from './account.ts';
import { explainCall } from './call.ts';
import { explainMessage } from './message.ts';

/** Explains a text by the event that wrote it, for modes without explanations of their own. */
export async function explainSource(context: ExplainContext, source: TextSource): Promise<Account | undefined> {
  const { text, event: eventRef, call } = source.versions.at(-1) as TextSource['versions'][0];
  const { log } = context.engine;
  const row = await (typeof eventRef === 'string' ? log.byId(eventRef) : log.lastOf(context.thread, eventRef));
  if (!row) return undefined;
  const account = await explainMessage(context, eventOf(row));
  const what = withArticle(source.what);
  return {
    ...account,
    ...(call && (await explainCall(context, call, { what: 'Its input was this thread.', pieces: [] }))),
    ...(call && { author: { ...account.author, model: call.model, ...(call.small && { small: true }) } }),
    ...{ link: linkIn(context, source.at), what: what.charAt(0).toUpperCase() + what.slice(1), text },
  };
}
