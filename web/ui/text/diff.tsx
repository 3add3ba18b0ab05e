import { memo } from 'react';
import type { DiffHunk } from '../../../src/core/text/diff.ts';
import { escapeBidi } from './escape-bidi.ts';
import './diff.css';

/** A diff as one text that shows both deletions and insertions. */
export const DiffText = memo(function DiffText({ hunks }: { readonly hunks: readonly DiffHunk[] }) {
  return (
    <p className="passage" dir="auto">
      {hunks.map(({ kind, text }, index) => {
        const Tag = kind === 'insert' ? 'ins' : kind === 'delete' ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes
        return <Tag key={index}>{escapeBidi(text)}</Tag>;
      })}
    </p>
  );
});
