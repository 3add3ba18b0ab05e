import { useState } from 'react';
import type { DraftItem } from '../../../../src/client/index.ts';
import { diffWords } from '../../../../src/core/text/diff.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DiffText } from '../../../ui/text/diff.tsx';
import { DraftEditor } from '../../draft-editor.tsx';
import { TextActions } from '../../text-actions.tsx';
import { excerptOf, Sentences } from '../drafts/sentences.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import styles from './sheet.module.css';
import { SignalNote, SinceNotes } from './signal-notes.tsx';
import { rangeOf, type StripMark } from './strip.ts';

export interface DraftActions {
  accept(draft: DraftItem, text?: string): Promise<unknown>;
  /** Shows where a draft, or a sentence of it, came from. */
  explain(draft: DraftItem, sentence?: string): void;
  stopEditing(): void;
}

interface DraftPageProps {
  readonly dialogue: LiveDialogue;
  readonly mark: StripMark;
  /** The draft that stood when this was signalled, if it is a signal. */
  readonly reply: DraftItem | undefined;
  /** What the mind did after this draft, oldest first. */
  readonly since: readonly StripMark[];
  /** The link to the turn. */
  readonly path: string;
  readonly turn: number;
  readonly highlight: string | undefined;
  readonly isEditing: boolean;
  readonly actions: DraftActions;
}

/** One draft to read, or a signal with the draft it is about. */
export function DraftPage({ dialogue, mark, reply, since, path, turn, highlight, isEditing, actions }: DraftPageProps) {
  const draft = mark.kind === 'reply' ? mark.draft : reply;
  return (
    <>
      {mark.kind !== 'reply' && <SignalNote mark={mark} onAccept={(word) => void actions.accept(word)} />}
      {draft && (
        <article
          key={draft.index}
          className={styles.draft}
          id={`draft-${draft.index}`}
          data-draft={draft.index}
          data-place={`${path}.${draft.index}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the draft that has the focus
          tabIndex={0}
          aria-label={`Draft ${draft.index}`}
        >
          {isEditing ? (
            <DraftEditor
              formLabel={`Edit draft ${draft.index}`}
              original={draft.text}
              draftKey={`${dialogue.id}.${turn}.${draft.index}`}
              label={`Draft ${draft.index} as you accept it`}
              submitLabels={{
                same: `Accept draft ${draft.index}`,
                edited: `Accept draft ${draft.index} with your edits`,
              }}
              classNames={{ field: styles.editor, acts: styles.editorActions }}
              onSend={(text) => actions.accept(draft, text)}
              onCancel={actions.stopEditing}
            />
          ) : (
            <DraftText draft={draft} highlight={highlight} onSelect={(sentence) => actions.explain(draft, sentence)} />
          )}
        </article>
      )}
      {draft && !isEditing && (
        <AlikeDrafts draft={draft} alike={mark.kind === 'reply' ? mark.alike : []} path={path} actions={actions} />
      )}
      {mark.kind === 'reply' && <SinceNotes marks={since} onAccept={(word) => void actions.accept(word)} />}
    </>
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
        <Button kind="quiet" onClick={() => setExpanded(true)}>
          Show all {formatNumber(draft.chars)} characters
        </Button>
      )}
    </>
  );
}

/** Older drafts with nearly the same text: how each differs, on demand. */
function AlikeDrafts({
  draft,
  alike,
  path,
  actions,
}: {
  readonly draft: DraftItem;
  readonly alike: readonly DraftItem[];
  readonly path: string;
  readonly actions: DraftActions;
}) {
  const [isOpen, setOpen] = useState(false);
  if (alike.length === 0) return null;
  return (
    <div className={styles.alike}>
      <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {alike.length === 1 ? 'One like it' : `${alike.length} like it`}: {rangeOf(alike.map(({ index }) => index))}
      </Button>
      {isOpen &&
        alike.map((each) => (
          <article
            key={each.index}
            className={styles.draft}
            id={`draft-${each.index}`}
            data-draft={each.index}
            data-place={`${path}.${each.index}`}
            tabIndex={-1}
            aria-label={`Draft ${each.index}`}
          >
            <p className={styles.note}>
              Draft {each.index}, compared with draft {draft.index}
            </p>
            <DiffText hunks={diffWords(draft.text, each.text)} />
            <p className={styles.row}>
              <Button onClick={() => void actions.accept(each)}>Accept draft {each.index}</Button>
              <TextActions link={`${path}.${each.index}`} text={each.text} onSource={() => actions.explain(each)} />
            </p>
          </article>
        ))}
    </div>
  );
}
