import { Fragment } from 'react';
import { Person } from '../../../ui/person.tsx';
import { visible } from '../../../ui/text/visible.ts';
import { ThreadLink } from '../../../ui/thread-link.tsx';
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
