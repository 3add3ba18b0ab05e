import { Fragment } from 'react';
import { Name } from '../../../ui/people/participant.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { ThreadLink } from '../../../ui/thread-link.tsx';
import type { Sentence } from './sentences.ts';

interface SentenceViewProps {
  readonly sentence: Sentence;
  /** Inside a button, where nothing else can be pressed. */
  readonly isPlain?: boolean;
}

export function SentenceView({ sentence, isPlain = false }: SentenceViewProps) {
  return sentence.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence never reorders
    <Fragment key={index}>
      {typeof part === 'string' ? (
        escapeBidi(part)
      ) : 'person' in part ? (
        <b>
          <Name id={part.person} />
        </b>
      ) : isPlain ? (
        escapeBidi(part.title)
      ) : (
        <ThreadLink id={part.thread} title={part.title} />
      )}
    </Fragment>
  ));
}
