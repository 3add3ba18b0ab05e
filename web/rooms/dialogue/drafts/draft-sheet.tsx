import { useMemo, useState } from 'react';
import { diffWords } from '../../../../src/core/text/diff.ts';
import { useActions } from '../../../shell/actions.ts';
import { Elsewhere } from '../../../transfer/buttons.tsx';
import { numeral } from '../../../ui/numeral.ts';
import { Difference } from '../../../ui/text/diff.tsx';
import { Time } from '../../../ui/time.tsx';
import { EditDraft } from '../../draft-editor.tsx';
import type { Draft } from '../queries.ts';
import type { Sheet } from './buffer.ts';
import { beginning, Sentences } from './sentences.tsx';
import { Since } from './signals.tsx';

export interface SheetActions {
  accept(draft: Draft, text?: string): Promise<unknown>;
  touch(draft: Draft, sentence?: string): void;
  compare(draft: Draft): void;
  edit(draft: Draft | undefined): void;
}

interface DraftSheetProps {
  readonly sheet: Sheet;
  readonly isCurrent: boolean;
  readonly isSmall: boolean;
  readonly inWindow: boolean;
  /** What it is compared with, while it is. */
  readonly against: Draft | undefined;
  readonly others: readonly number[];
  onAgainst(index: number): void;
  readonly isEditing: boolean;
  /** The address of its turn in this dialogue. */
  readonly path: string;
  /** Where an edit of it is kept. */
  readonly keep: string;
  readonly lit: string | undefined;
  readonly actions: SheetActions;
  readonly isTarget: boolean;
}

/** A reply on its own sheet, with what it is, how it compares, and what can be done with it. */
export function DraftSheet({ sheet, isCurrent, against, isEditing, actions, ...rest }: DraftSheetProps) {
  const { reply: draft, since, alike } = sheet;
  const [unfolded, setUnfolded] = useState(false);
  useActions(
    'This dialogue',
    [draft, ...alike].map((each) => ({
      name: `Accept draft ${each.index}`,
      many: true as const,
      act: () => void actions.accept(each),
    })),
  );
  return (
    <li>
      <Since marks={since} onAccept={(word) => void actions.accept(word)} />
      <article
        className={rest.isTarget ? 'draft target' : 'draft'}
        id={`draft-${draft.index}`}
        data-draft={draft.index}
        data-place={`${rest.path}.${draft.index}`}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={`Draft ${draft.index}`}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <Facts draft={draft} isSmall={rest.isSmall} inWindow={rest.inWindow} href={`${rest.path}.${draft.index}`} />
        <div className="draft-text">
          {isEditing ? (
            <EditDraft
              index={draft.index}
              drafted={draft.text}
              keep={rest.keep}
              label={`Draft ${draft.index} as you accept it`}
              does={{ same: `Accept #${draft.index}`, edited: `Accept #${draft.index} with these edits` }}
              looks={{ field: 'passage', acts: 'draft-acts', send: 'act accept' }}
              onSend={(text) => actions.accept(draft, text)}
              onLeave={() => actions.edit(undefined)}
            />
          ) : against ? (
            <Compared draft={draft} against={against} others={rest.others} onAgainst={rest.onAgainst} />
          ) : (
            <Whole draft={draft} lit={rest.lit} onTouch={(sentence) => actions.touch(draft, sentence)} />
          )}
          {!isEditing && (
            <p className="draft-acts">
              <button type="button" className="act accept" title="a" onClick={() => void actions.accept(draft)}>
                Accept #{draft.index}
              </button>
              <button type="button" className="act" title="e" onClick={() => actions.edit(draft)}>
                Edit, then accept
              </button>
              {rest.others.length > 0 && (
                <button
                  type="button"
                  className="act"
                  title="d"
                  aria-pressed={!!against}
                  onClick={() => actions.compare(draft)}
                >
                  {against ? 'As it is' : 'Difference'}
                </button>
              )}
              <button type="button" className="act" title="w" onClick={() => actions.touch(draft)}>
                Where from
              </button>
              <Elsewhere link={`${rest.path}.${draft.index}`} />
            </p>
          )}
          {alike.length > 0 && (
            <button type="button" className="act" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
              {alike.length === 1 ? 'One like it' : `${alike.length} like it`}: {named(alike)}
            </button>
          )}
        </div>
      </article>
      {unfolded &&
        alike.map((each) => (
          <article
            key={each.index}
            className="draft is-alike"
            id={`draft-${each.index}`}
            data-draft={each.index}
            data-place={`${rest.path}.${each.index}`}
            tabIndex={-1}
            aria-label={`Draft ${each.index}`}
          >
            <Facts draft={each} isSmall={rest.isSmall} inWindow href={`${rest.path}.${each.index}`} />
            <div className="draft-text">
              <Difference hunks={diffWords(draft.text, each.text)} />
              <p className="draft-acts">
                <span className="soft">as it differs from #{draft.index}</span>
                <button type="button" className="act" onClick={() => void actions.accept(each)}>
                  Accept #{each.index}
                </button>
                <button type="button" className="act" onClick={() => actions.touch(each)}>
                  Where from
                </button>
                <Elsewhere link={`${rest.path}.${each.index}`} />
              </p>
            </div>
          </article>
        ))}
    </li>
  );
}

function Facts({
  draft,
  isSmall,
  inWindow,
  href,
}: {
  readonly draft: Draft;
  readonly isSmall: boolean;
  readonly inWindow: boolean;
  readonly href: string;
}) {
  const { index, chars, after, status, confidence, same_as, ts } = draft;
  return (
    <p className="facts">
      <b>
        <a href={href} data-in-page title="The address of this draft">
          #{index}
        </a>
      </b>
      <span>
        <Time ts={ts} />
      </span>
      <span>{numeral(chars)} characters</span>
      {after > 1 && <span>after {after} iterations</span>}
      {same_as !== undefined && <span>same as #{same_as}</span>}
      {status && <span>{status === 'final' ? 'called final' : 'still working'}</span>}
      {confidence !== undefined && <span>{Math.round(confidence * 100)}% sure</span>}
      {isSmall && <span title="Written by the small built-in model">small</span>}
      {!inWindow && <span title="The mind is no longer shown this one">out of its sight</span>}
    </p>
  );
}

function Whole({
  draft,
  lit,
  onTouch,
}: {
  readonly draft: Draft;
  readonly lit: string | undefined;
  onTouch(sentence: string): void;
}) {
  const [isWhole, setWhole] = useState(false);
  const start = isWhole ? undefined : beginning(draft.text);
  return (
    <>
      <Sentences text={start === undefined ? draft.text : `${start} …`} lit={lit} onTouch={onTouch} />
      {start !== undefined && (
        <button type="button" className="act" onClick={() => setWhole(true)}>
          Show all {numeral(draft.chars)} characters
        </button>
      )}
    </>
  );
}

function Compared({
  draft,
  against,
  others,
  onAgainst,
}: {
  readonly draft: Draft;
  readonly against: Draft;
  readonly others: readonly number[];
  onAgainst(index: number): void;
}) {
  // Always from the older to the newer: what was added since is what is underlined.
  const [older, newer] = against.index < draft.index ? [against, draft] : [draft, against];
  const hunks = useMemo(() => diffWords(older.text, newer.text), [older, newer]);
  const isSame = hunks.every(({ kind }) => kind === 'equal');
  return (
    <>
      <p className="soft compared">
        {isSame ? 'No difference' : 'Difference'} between #{draft.index} and{' '}
        <select
          aria-label={`Compare draft ${draft.index} with`}
          value={against.index}
          onChange={(event) => onAgainst(Number(event.target.value))}
        >
          {others.map((index) => (
            <option key={index} value={index}>
              #{index}
            </option>
          ))}
        </select>
      </p>
      <Difference hunks={hunks} />
    </>
  );
}

function named(drafts: readonly Draft[]): string {
  const shown = drafts.slice(0, 6).map(({ index }) => `#${index}`);
  return shown.join(' ') + (drafts.length > 6 ? ' …' : '');
}
