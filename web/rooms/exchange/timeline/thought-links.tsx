import { Fragment } from 'react';
import { exchangePath } from '../places.ts';

/** Thought numbers, each a link to the thought. */
export function ThoughtLinks({ thread, ids }: { readonly thread: string; readonly ids: readonly number[] }) {
  return ids.map((id, i) => (
    <Fragment key={id}>
      {i > 0 && ' '}
      <a href={exchangePath(thread, `thought.${id}`)} data-in-page>
        #{id}
      </a>
    </Fragment>
  ));
}
