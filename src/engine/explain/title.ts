import { authorLabelOf } from '../../core/events/event.ts';
import { withArticle } from '../../core/text/article.ts';
import { titleGivenBy } from '../../core/threads/title.ts';
import { eventOf, type StoredEvent } from '../../log/event-log.ts';
import { type Account, authorOf, type ExplainContext, linkIn } from './account.ts';
import { lastBefore, pastOf } from './past.ts';

/** Explains a thread's title: who set it, at the start or later. */
export async function explainTitle(context: ExplainContext, seq: number): Promise<Account> {
  const { engine, thread, state } = context;
  const { title, forkedFrom, kind } = state.thread;
  const creationEvent = eventOf((await engine.log.lastOf(thread, (forkedFrom?.seq ?? 0) + 1)) as StoredEvent);
  const firstTitle = titleGivenBy(creationEvent);
  const creationStep = {
    what: `${authorLabelOf(creationEvent)} created the ${kind}${firstTitle === title ? '' : ` as "${firstTitle}"`}.`,
    ...{ ts: creationEvent.ts, link: linkIn(context), hash: creationEvent.hash },
  };
  const account = { link: linkIn(context), what: `The title of ${withArticle(kind)}`, text: title };
  if (firstTitle === title) {
    return {
      ...account,
      author: authorOf(creationEvent),
      steps: [creationStep],
      past: await pastOf(engine.log, thread, creationEvent.seq),
    };
  }
  const recentPast = await pastOf(engine.log, thread, seq);
  const renameEvent = lastBefore(
    recentPast,
    seq + 1,
    (event) => event.type === 'thread.renamed' && titleGivenBy(event) === title,
  );
  if (!renameEvent) {
    const what = 'It was renamed since; the log shows by whom.';
    return { ...account, author: { id: '', kind: 'unknown' }, steps: [creationStep, { what }], past: recentPast };
  }
  return {
    ...account,
    author: authorOf(renameEvent),
    steps: [
      creationStep,
      { what: `${authorLabelOf(renameEvent)} gave it this title.`, ts: renameEvent.ts, hash: renameEvent.hash },
    ],
    past: await pastOf(engine.log, thread, renameEvent.seq),
    rests: [{ what: 'the beginning of the thread', event: creationEvent }],
  };
}
