import { authorShown, type Event } from '../../core/events/event.ts';
import { withArticle } from '../../core/text/article.ts';
import { titleText } from '../../core/threads/title.ts';
import { eventOf, type Stored } from '../../log/event-log.ts';
import { type Account, type Asking, authorOf, linkIn } from './account.ts';
import { lastBefore, pastOf } from './past.ts';

/** The title of a thread: who gave it, when it began or later. */
export async function explainTitle(asking: Asking, seq: number): Promise<Account> {
  const { engine, thread, state } = asking;
  const { title, forkedFrom, kind } = state.thread;
  const created = eventOf((await engine.log.lastOf(thread, (forkedFrom?.seq ?? 0) + 1)) as Stored);
  const begun = {
    what: `${authorShown(created)} began the ${kind}${titleOf(created) === title ? '' : ` as "${titleOf(created)}"`}.`,
    ...{ ts: created.ts, link: linkIn(asking), hash: created.hash },
  };
  const account = { link: linkIn(asking), what: `The title of ${withArticle(kind)}`, text: title };
  if (titleOf(created) === title) {
    return {
      ...account,
      author: authorOf(created),
      steps: [begun],
      past: await pastOf(engine.log, thread, created.seq),
    };
  }
  const newest = await pastOf(engine.log, thread, seq);
  const renamed = lastBefore(newest, seq + 1, (event) => event.type === 'thread.renamed' && titleOf(event) === title);
  if (!renamed) {
    const what = 'It was renamed since, farther back than is looked at here; by whom is in the log.';
    return { ...account, author: { id: '', kind: 'unknown' }, steps: [begun, { what }], past: newest };
  }
  return {
    ...account,
    author: authorOf(renamed),
    steps: [begun, { what: `${authorShown(renamed)} gave it this title.`, ts: renamed.ts, hash: renamed.hash }],
    past: await pastOf(engine.log, thread, renamed.seq),
    rests: [{ what: 'the beginning of the thread', event: created }],
  };
}

function titleOf({ content }: Event): string {
  return titleText((content as { title?: unknown } | null)?.title);
}
