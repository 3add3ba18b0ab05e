import type { ThreadRow } from '../../src/client/index.ts';
import type { Origin } from '../../src/core/origin.ts';
import { placeOfOrigin } from '../../src/core/threads/trail.ts';
import { pathTo } from '../address.ts';
import { withArticle } from '../kinds.ts';
import { derived, useStore } from '../store.ts';
import { visible } from '../text/visible.ts';
import { rows } from '../workspace.ts';

/** Threads by the place they were opened from. */
const opened = derived([rows], () => Map.groupBy(rows.get()?.values() ?? [], ({ origin }) => origin?.link));

/** What was opened from a text, beside it. */
export function CameOf({ link }: { readonly link: string }) {
  const all: readonly ThreadRow[] = useStore(opened).get(link) ?? [];
  if (all.length === 0) return null;
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
  const from = useStore(rows)?.get(origin?.thread ?? '');
  if (typeof origin?.link !== 'string') return null;
  return (
    <p className="word small came-of" dir="auto">
      brought from{' '}
      <a href={placeOfOrigin(origin)} data-in-page>
        {what(visible(String(origin.what)))} in {visible(from?.title ?? 'another thread')}
      </a>
    </p>
  );
}

/** "a message", "an audit" */
export function what(kind: string | undefined): string {
  if (kind === undefined) return 'a place';
  return kind === 'terms' ? 'the terms' : `${kind === 'audit' ? 'an' : 'a'} ${kind}`;
}
