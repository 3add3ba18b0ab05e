import { useMemo, useState } from 'react';
import type { DraftItem } from '../../../../src/client/index.ts';
import { diffWords } from '../../../../src/core/text/diff.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { useActions } from '../../../shell/actions.ts';
import { TransferButtons } from '../../../transfer/buttons.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { DiffText } from '../../../ui/text/diff.tsx';
import { Time } from '../../../ui/time.tsx';
import { DraftEditor } from '../../draft-editor.tsx';
import type { ReplySheet } from './buffer.ts';
import { excerptOf, Sentences } from './sentences.tsx';
import { Signals } from './signals.tsx';

export interface DraftActions {
  accept(draft: DraftItem, text?: string): Promise<unknown>;
  select(draft: DraftItem, sentence?: string): void;
  compare(draft: DraftItem): void;
  edit(draft: DraftItem | undefined): void;
}

interface DraftSheetProps {
  readonly sheet: ReplySheet;
  readonly isCurrent: boolean;
  readonly isSmall: boolean;
  readonly inWindow: boolean;
  /** The draft to compare with, if any. */
  readonly against: DraftItem | undefined;
  readonly others: readonly number[];
  onCompareWith(index: number): void;
  readonly isEditing: boolean;
  /** The link to the draft's turn in this dialogue. */
  readonly path: string;
  /** The key under which an unsent edit is kept. */
  readonly storageKey: string;
  readonly highlight: string | undefined;
  readonly actions: DraftActions;
  readonly isTarget: boolean;
}

/** A reply on its own sheet, with its details, its comparison and its actions. */
export function DraftSheet({ sheet, isCurrent, against, isEditing, actions, ...rest }: DraftSheetProps) {
  const { reply: draft, since, alike } = sheet;
  const [isUnfolded, setUnfolded] = useState(false);
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
      <Signals marks={since} onAccept={(word) => void actions.accept(word)} />
      <article
        className={rest.isTarget ? 'draft target' : 'draft'}
        id={`draft-${draft.index}`}
        data-draft={draft.index}
        data-place={`${rest.path}.${draft.index}`}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={`Draft ${draft.index}`}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <DraftFacts
          draft={draft}
          isSmall={rest.isSmall}
          inWindow={rest.inWindow}
          href={`${rest.path}.${draft.index}`}
        />
        <div className="draft-text">
          {isEditing ? (
            <DraftEditor
              index={draft.index}
              original={draft.text}
              draftKey={rest.storageKey}
              label={`Draft ${draft.index} as you accept it`}
              submitLabels={{ same: `Accept #${draft.index}`, edited: `Accept #${draft.index} with these edits` }}
              classNames={{ field: 'passage', acts: 'draft-acts', send: 'act accept' }}
              onSend={(text) => actions.accept(draft, text)}
              onCancel={() => actions.edit(undefined)}
            />
          ) : against ? (
            <DraftComparison draft={draft} against={against} others={rest.others} onCompareWith={rest.onCompareWith} />
          ) : (
            <DraftText
              draft={draft}
              highlight={rest.highlight}
              onSelect={(sentence) => actions.select(draft, sentence)}
            />
          )}
          {!isEditing && (
            <p className="draft-acts">
              <button type="button" className="act accept" title="a" onClick={() => void actions.accept(draft)}>
                Accept #{draft.index}
              </button>
              <ActionButton title="e" onClick={() => actions.edit(draft)}>
                Edit, then accept
              </ActionButton>
              {rest.others.length > 0 && (
                <ActionButton title="d" aria-pressed={!!against} onClick={() => actions.compare(draft)}>
                  {against ? 'As it is' : 'Difference'}
                </ActionButton>
              )}
              <ActionButton title="w" onClick={() => actions.select(draft)}>
                Source
              </ActionButton>
              <TransferButtons link={`${rest.path}.${draft.index}`} />
            </p>
          )}
          {alike.length > 0 && (
            <ActionButton aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
              {alike.length === 1 ? 'One like it' : `${alike.length} like it`}: {formatIndices(alike)}
            </ActionButton>
          )}
        </div>
      </article>
      {isUnfolded &&
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
            <DraftFacts draft={each} isSmall={rest.isSmall} inWindow href={`${rest.path}.${each.index}`} />
            <div className="draft-text">
              <DiffText hunks={diffWords(draft.text, each.text)} />
              <p className="draft-acts">
                <span className="soft">as it differs from #{draft.index}</span>
                <ActionButton onClick={() => void actions.accept(each)}>Accept #{each.index}</ActionButton>
                <ActionButton onClick={() => actions.select(each)}>Source</ActionButton>
                <TransferButtons link={`${rest.path}.${each.index}`} />
              </p>
            </div>
          </article>
        ))}
    </li>
  );
}

function DraftFacts({
  draft,
  isSmall,
  inWindow,
  href,
}: {
  readonly draft: DraftItem;
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
      <span>{formatNumber(chars)} characters</span>
      {after > 1 && <span>after {after} iterations</span>}
      {same_as !== undefined && <span>same as #{same_as}</span>}
      {status && <span>{status === 'final' ? 'called final' : 'still working'}</span>}
      {confidence !== undefined && <span>{Math.round(confidence * 100)}% sure</span>}
      {isSmall && <span title="Written by the small built-in model">small</span>}
      {!inWindow && <span title="The mind is no longer shown this one">out of its sight</span>}
    </p>
  );
}

function DraftText({
  draft,
  highlight,
  onSelect,
}: {
  readonly draft: DraftItem;
  readonly highlight: string | undefined;
  onSelect(sentence: string): void;
}) {
  const [isExpanded, setExpanded] = useState(false);
  const excerpt = isExpanded ? undefined : excerptOf(draft.text);
  return (
    <>
      <Sentences text={excerpt === undefined ? draft.text : `${excerpt} …`} highlight={highlight} onSelect={onSelect} />
      {excerpt !== undefined && (
        <ActionButton onClick={() => setExpanded(true)}>Show all {formatNumber(draft.chars)} characters</ActionButton>
      )}
    </>
  );
}

function DraftComparison({
  draft,
  against,
  others,
  onCompareWith,
}: {
  readonly draft: DraftItem;
  readonly against: DraftItem;
  readonly others: readonly number[];
  onCompareWith(index: number): void;
}) {
  // Always from the older to the newer draft, so that additions are underlined.
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
          onChange={(event) => onCompareWith(Number(event.target.value))}
        >
          {others.map((index) => (
            <option key={index} value={index}>
              #{index}
            </option>
          ))}
        </select>
      </p>
      <DiffText hunks={hunks} />
    </>
  );
}

function formatIndices(drafts: readonly DraftItem[]): string {
  const shown = drafts.slice(0, 6).map(({ index }) => `#${index}`);
  return shown.join(' ') + (drafts.length > 6 ? ' …' : '');
}
