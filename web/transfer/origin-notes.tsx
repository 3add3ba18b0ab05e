import { CornerDownRight, SquareArrowOutUpRight } from 'lucide-react';
import type { ThreadRow } from '../../src/client/index.ts';
import type { Origin } from '../../src/core/origin.ts';
import { originNoun } from '../../src/core/text/origin-noun.ts';
import { originAddress } from '../../src/core/threads/view/trail.ts';
import { deriveStore, useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { threadPath } from '../shell/address.ts';
import { Glyph } from '../ui/icon.tsx';
import { kindWithArticle } from '../ui/kinds.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './notes.module.css';

/** Threads by the place they were opened from. */
const threadsByOrigin = deriveStore([threadRows], () =>
  Map.groupBy(threadRows.get()?.values() ?? [], ({ origin }) => origin?.link),
);

/** The threads opened from a text, shown next to it. */
export function OpenedThreads({ link }: { readonly link: string }) {
  const threads: readonly ThreadRow[] | undefined = useStore({
    ...threadsByOrigin,
    get: () => threadsByOrigin.get().get(link),
  });
  if (!threads) return null;
  return (
    <p className={styles.note} dir="auto">
      <Glyph icon={SquareArrowOutUpRight} size={14} />
      Opened as{' '}
      {threads.map((row, i) => (
        <span key={row.id}>
          {i > 0 && ', '}
          {kindWithArticle(row.kind)}:{' '}
          <a href={threadPath(row)} data-in-page>
            {escapeBidi(row.title)}
          </a>
        </span>
      ))}
    </p>
  );
}

/** The source of a text that was brought here. */
export function BroughtNote({ origin }: { readonly origin: Origin | undefined }) {
  return typeof origin?.link === 'string' ? <BroughtLink origin={origin} /> : null;
}

function BroughtLink({ origin }: { readonly origin: Origin }) {
  const sourceRow = useStore(threadRows)?.get(origin.thread);
  return (
    <p className={styles.note} dir="auto">
      <Glyph icon={CornerDownRight} size={14} />
      Sent from{' '}
      <a href={originAddress(origin)} data-in-page>
        {originLabel(escapeBidi(String(origin.what)))} in {escapeBidi(sourceRow?.title ?? 'another thread')}
      </a>
    </p>
  );
}

/** The same for a place whose text does not carry its source: the thread's row has it. */
export function BroughtNoteAt({ thread, at }: { readonly thread: string; readonly at: string }) {
  const records = useStore(threadRows)?.get(thread)?.brought;
  return <BroughtNote origin={records?.findLast((each) => each.at === at)?.from} />;
}

/** "a message", "an audit" */
export function originLabel(kind: string | undefined): string {
  if (kind === undefined) return 'a place';
  return originNoun(kind);
}
