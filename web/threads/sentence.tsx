import { Fragment } from 'react';
import { pathOf, pathTo } from '../address.ts';
import { Person } from '../person.tsx';
import { useStore } from '../store.ts';
import { visible } from '../text/visible.ts';
import { rows } from '../workspace.ts';
import type { Sentence } from './sentences.ts';

export function SentenceView({ sentence }: { readonly sentence: Sentence }) {
  return sentence.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence never reorders
    <Fragment key={index}>
      {typeof part === 'string' ? (
        visible(part)
      ) : 'person' in part ? (
        <Person id={part.person} />
      ) : (
        <ThreadLink id={part.thread} title={part.title} />
      )}
    </Fragment>
  ));
}

interface ThreadLinkProps {
  readonly id: string;
  /** What to call it when the list does not know it. */
  readonly title: string;
  readonly event?: string;
}

export function ThreadLink({ id, title, event }: ThreadLinkProps) {
  const known = useStore(rows)?.get(id);
  return (
    <a href={known && !event ? pathTo(known) : pathOf(id, event)} data-in-page dir="auto">
      {visible(known?.title ?? title)}
    </a>
  );
}
