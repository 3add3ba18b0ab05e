import { memo } from 'react';
import type { Hunk } from '../../../src/core/text/diff.ts';
import { visible } from './visible.ts';
import './diff.css';

/** What was taken away and what was added, both to be read in one text. */
export const Difference = memo(function Difference({ hunks }: { readonly hunks: readonly Hunk[] }) {
  return (
    <p className="passage" dir="auto">
      {hunks.map(({ kind, text }, at) => {
        const Tag = kind === 'insert' ? 'ins' : kind === 'delete' ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes
        return <Tag key={at}>{visible(text)}</Tag>;
      })}
    </p>
  );
});
