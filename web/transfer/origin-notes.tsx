import type { ThreadRow } from '../../src/client/index.ts';
import type { Origin } from '../../src/core/origin.ts';
import { placeOfOrigin } from '../../src/core/threads/view/trail.ts';
import { derived, useStore } from '../data/store.ts';
import { rows } from '../data/workspace.ts';
import { pathTo } from '../shell/address.ts';
import { withArticle } from '../ui/kinds.ts';
import { visible } from '../ui/text/visible.ts';

/** Threads by the place they were opened from. */
const opened = derived([rows], () => Map.groupBy(rows.get()?.values() ?? [], ({ origin }) => origin?.link));

/** What was opened from a text, beside it. */
export function CameOf({ link }: { readonly link: string }) {
  const all: readonly ThreadRow[] | undefined = useStore({ ...opened, get: () => opened.get().get(link) });
  if (!all) return null;
  return (
    <p className="word small came-of" dir="auto">
      opened as{' '}
      {all.map((row, i) => (
        <span key={row.id}>
          {i > 0 && ', '}
          {withArticle(row.kind)}:{' '}
          <a href={pathTo(row)} data-in-page>
            {visible(row.title)}
          </a>
        </span>
      ))}
    </p>
  );
}

/** Where words came from that were brought. */
export function BroughtFrom({ origin }: { readonly origin: Origin | undefined }) {
  return typeof origin?.link === 'string' ? <Brought origin={origin} /> : null;
}

function Brought({ origin }: { readonly origin: Origin }) {
  const from = useStore(rows)?.get(origin.thread);
  return (
    <p className="word small came-of" dir="auto">
      brought from{' '}
      <a href={placeOfOrigin(origin)} data-in-page>
        {what(visible(String(origin.what)))} in {visible(from?.title ?? 'another thread')}
      </a>
    </p>
  );
}

/** The same for a place of a room whose words do not tell it themselves: as the row of the thread has it. */
export function BroughtHere({ thread, at }: { readonly thread: string; readonly at: string }) {
  const brought = useStore(rows)?.get(thread)?.brought;
  return <BroughtFrom origin={brought?.findLast((each) => each.at === at)?.from} />;
}

/** "a message", "an audit" */
export function what(kind: string | undefined): string {
  if (kind === undefined) return 'a place';
  return kind === 'terms' ? 'the terms' : `${kind === 'audit' ? 'an' : 'a'} ${kind}`;
}
