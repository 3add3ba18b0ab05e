import { useMemo, useRef } from 'react';
import type { DraftItem } from '../../../../src/client/index.ts';
import { type DiffHunk, diffWords } from '../../../../src/core/text/diff.ts';
import { pluralize } from '../../../../src/core/text/pluralize.ts';
import { useActions } from '../../../shell/actions.ts';
import { Segments } from '../../../ui/controls/segments.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { DiffText } from '../../../ui/text/diff.tsx';
import styles from './comparison.module.css';

export type ComparisonLook = 'inline' | 'sides';

interface ComparisonHeadProps {
  readonly first: DraftItem;
  readonly second: DraftItem;
  /** Oldest first. */
  readonly drafts: readonly DraftItem[];
  readonly look: ComparisonLook;
  onChange(first: number, second: number): void;
  onLook(look: ComparisonLook): void;
}

/** Which two drafts are compared, and how. */
export function ComparisonHead({ first, second, drafts, look, onChange, onLook }: ComparisonHeadProps) {
  const options = (other: DraftItem) =>
    drafts
      .filter(({ index }) => index !== other.index)
      .map(({ index }) => ({ value: String(index), label: `Draft ${index}` }));
  return (
    <header className={styles.head}>
      <b className={styles.title}>Compare</b>
      <Select
        label="First draft"
        isLabelHidden
        value={String(first.index)}
        options={options(second)}
        onChange={(index) => onChange(Number(index), second.index)}
      />
      <span className={styles.with}>with</span>
      <Select
        label="Second draft"
        isLabelHidden
        value={String(second.index)}
        options={options(first)}
        onChange={(index) => onChange(first.index, Number(index))}
      />
      <span className={styles.look}>
        <Segments
          label="How to compare"
          value={look}
          options={[
            { value: 'inline', label: 'Inline' },
            { value: 'sides', label: 'Side by side' },
          ]}
          onChange={onLook}
        />
      </span>
    </header>
  );
}

/** What changed between two drafts, always from the older to the newer one. */
export function ComparisonPage({ first, second, look }: Pick<ComparisonHeadProps, 'first' | 'second' | 'look'>) {
  const [older, newer] = first.index < second.index ? [first, second] : [second, first];
  const hunks = useMemo(() => diffWords(older.text, newer.text), [older, newer]);
  const page = useRef<HTMLElement>(null);
  const changeAt = useRef(-1);
  const showNextChange = () => {
    const changes = page.current?.querySelectorAll('ins, del') ?? [];
    changeAt.current = (changeAt.current + 1) % Math.max(1, changes.length);
    changes[changeAt.current]?.scrollIntoView({ block: 'center' });
  };
  useActions('This dialogue', [{ name: 'Show the next change', keys: ['n'], act: showNextChange }]);
  return (
    <section ref={page} className={styles.page} aria-label={`Drafts ${older.index} and ${newer.index} compared`}>
      <p className={styles.summary}>
        <ChangeSummary hunks={hunks} older={older.index} newer={newer.index} />
      </p>
      {look === 'inline' ? (
        <DiffText hunks={hunks} />
      ) : (
        <div className={styles.sides}>
          <section aria-label={`Draft ${older.index}`}>
            <h3>Draft {older.index}</h3>
            <DiffText hunks={hunks.filter(({ kind }) => kind !== 'insert')} />
          </section>
          <section aria-label={`Draft ${newer.index}`}>
            <h3>Draft {newer.index}</h3>
            <DiffText hunks={hunks.filter(({ kind }) => kind !== 'delete')} />
          </section>
        </div>
      )}
    </section>
  );
}

function ChangeSummary({
  hunks,
  older,
  newer,
}: {
  readonly hunks: readonly DiffHunk[];
  readonly older: number;
  readonly newer: number;
}) {
  const count = (kind: DiffHunk['kind']) =>
    hunks.reduce((sum, hunk) => sum + (hunk.kind === kind ? countWords(hunk.text) : 0), 0);
  const [added, removed] = [count('insert'), count('delete')];
  if (hunks.every(({ kind }) => kind === 'equal')) return `Drafts ${older} and ${newer} are the same.`;
  const size =
    added === removed
      ? 'as long'
      : `${pluralize(Math.abs(added - removed), 'word')} ${added > removed ? 'longer' : 'shorter'}`;
  return (
    <>
      Draft {newer} is {size}: <span className={styles.added}>{pluralize(added, 'word')} added</span>,{' '}
      <span className={styles.removed}>{removed} removed</span>.
    </>
  );
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
