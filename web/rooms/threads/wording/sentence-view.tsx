import { Fragment } from 'react';
import { Person } from '../../../ui/person.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import type { Sentence } from './sentences.ts';

export function SentenceView({ sentence }: { readonly sentence: Sentence }) {
  return sentence.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence never reorders
    <Fragment key={index}>
      {typeof part === 'string' ? (
        escapeBidi(part)
      ) : 'person' in part ? (
        <Person id={part.person} />
      ) : (
        <ThreadLink id={part.thread} title={part.title} />
      )}
    </Fragment>
  ));
}
