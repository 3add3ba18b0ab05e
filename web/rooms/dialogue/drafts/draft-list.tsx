import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import type { DialogueStatus, DraftItem } from '../../../../src/client/index.ts';
import { textSimilarity } from '../../../../src/core/dialogue/view/away.ts';
import { linkTo } from '../../../../src/core/link.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { useStore } from '../../../data/store.ts';
import { currentTarget, explainTarget } from '../../../explain/target.ts';
import { useActions } from '../../../shell/actions.ts';
import { visitCount } from '../../../shell/address.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import type { LiveDialogue } from '../live-dialogue.ts';
import { type IterationMark, marksOf, sheetsOf } from './buffer.ts';
import { type DraftActions, DraftSheet } from './draft-sheet.tsx';
import { Rail } from './rail.tsx';
import { useSeenTracking } from './seen-tracking.ts';
import { sentencesOf } from './sentences.tsx';
import { Signals } from './signals.tsx';

/** The similarity from which a draft folds into the next newer one. */
const MIN_SIMILARITY = 0.85;

export interface SelectedPassage {
  readonly turn: number;
  readonly draft: number;
  readonly sentence?: string | undefined;
}

interface DraftListProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly area: RefObject<HTMLElement | null>;
  readonly selection: SelectedPassage | undefined;
  readonly target: number | undefined;
  accept(draft: DraftItem, text?: string): Promise<unknown>;
  onSelect(selection: SelectedPassage): void;
}

/** The growing list of drafts, with their signals. */
export function DraftList({ dialogue, status, area, selection, target, accept, onSelect }: DraftListProps) {
  const buffer = useStore(dialogue.buffer);
  const marks = useMemo(() => marksOf(buffer, status.iter), [buffer, status.iter]);
  const [isAlike] = useState(createSimilarityCheck);
  const { sheets, before: marksBefore } = useMemo(() => sheetsOf(marks, isAlike), [marks, isAlike]);
  const [chosenIndex, setChosenIndex] = useState<number>();
  const [comparison, setComparison] = useState<{ readonly draft: number; readonly against: number }>();
  const [editingIndex, setEditingIndex] = useState<number>();
  const replies = marks.flatMap(({ kind, draft }) => (kind === 'reply' && draft ? [draft] : []));
  // Keys act on a draft that was visible long enough to be seen, never on one that has just appeared.
  const latestSeen = replies.find(({ seen }) => seen) ?? replies[0];
  const currentDraft = replies.find(({ index }) => index === chosenIndex) ?? latestSeen;
  const turn = buffer.turn ?? 0;
  const path = linkTo({ id: dialogue.id, kind: 'dialogue' }, String(turn));
  const visit = useStore(visitCount);
  useSeenTracking(area, dialogue, buffer.turn, marks);

  const focusSheet = (index: number): boolean => {
    const sheet = area.current?.querySelector<HTMLElement>(`[id="draft-${index}"]`);
    sheet?.focus({ preventScroll: true });
    sheet?.scrollIntoView({ block: 'nearest' });
    return sheet === document.activeElement;
  };
  const goToSheet = (index: number) => {
    setChosenIndex(index);
    // Focus at once if the sheet exists, so that the next key acts on it; otherwise after it renders.
    if (!focusSheet(index)) requestAnimationFrame(() => focusSheet(index));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is gone to each time somebody goes to it
  useLayoutEffect(() => {
    if (target !== undefined) goToSheet(target);
  }, [target, visit]);

  const actions: DraftActions = {
    accept,
    select: (draft, sentence) => onSelect({ turn, draft: draft.index, sentence }),
    compare: (draft) => setComparison(comparison?.draft === draft.index ? undefined : comparisonFor(draft)),
    edit: (draft) => {
      setEditingIndex(draft?.index);
      if (!draft && currentDraft) goToSheet(currentDraft.index);
    },
  };

  /** Compares with the sheet above, or with the one below for the topmost sheet. */
  function comparisonFor(draft: DraftItem): { draft: number; against: number } | undefined {
    const at = replies.indexOf(draft);
    const other = replies[at - 1] ?? replies[at + 1];
    return other && { draft: draft.index, against: other.index };
  }

  function moveDraft(by: number): void {
    const at = sheets.findIndex(({ reply }) => reply.index === (chosenIndex ?? -1));
    const next = sheets[at < 0 ? 0 : at + by];
    if (next) goToSheet(next.reply.index);
    if (at + by >= sheets.length - 2) void dialogue.showOlder();
  }

  function moveSentence(by: number): void {
    if (!currentDraft) return;
    const sentences = sentencesOf(currentDraft.text).map((sentence) => sentence.trim());
    const at =
      selection?.turn === turn && selection.draft === currentDraft.index
        ? sentences.indexOf(selection.sentence ?? '')
        : -1;
    const next = sentences[at < 0 ? 0 : at + by];
    if (next) actions.select(currentDraft, next);
  }

  /** A draft is explained in the panel; a selected passage, or any other target, in a sheet of its own. */
  function explainCurrent(): void {
    const underCursor = currentTarget();
    const isDraft = underCursor?.link.startsWith(`${path}.`);
    if (underCursor && (underCursor.passage || !isDraft)) explainTarget.set(underCursor);
    else if (currentDraft) actions.select(currentDraft);
  }

  const when = currentDraft !== undefined;
  useActions('This dialogue', [
    { name: 'Accept the draft you look at', keys: ['a'], act: () => void (currentDraft && accept(currentDraft)), when },
    { name: 'Edit it, then accept', keys: ['e'], act: () => currentDraft && actions.edit(currentDraft), when },
    {
      name: 'Compare with the draft above',
      keys: ['d'],
      act: () => currentDraft && actions.compare(currentDraft),
      when,
    },
    { name: 'Where it came from', keys: ['w'], act: explainCurrent, when },
    { name: 'Next sentence, and where it came from', keys: ['ArrowRight'], act: () => moveSentence(1), when },
    { name: 'Previous sentence', keys: ['ArrowLeft'], act: () => moveSentence(-1), when },
    { name: 'Next draft', keys: ['j', 'ArrowDown'], act: () => moveDraft(1), when },
    { name: 'Previous draft', keys: ['k', 'ArrowUp'], act: () => moveDraft(-1), when },
  ]);

  return (
    <div className="buffer">
      <Rail marks={marks} current={currentDraft?.index} onSelect={goToSheet} />
      <ol
        className="sheets"
        aria-label="Drafts, newest first"
        onFocus={({ target }) => {
          const index = target.closest('article[data-draft]')?.getAttribute('data-draft');
          if (index) setChosenIndex(Number(index));
        }}
      >
        {sheets.map((sheet) => {
          const { index, iter } = sheet.reply;
          const against =
            comparison?.draft === index ? replies.find((each) => each.index === comparison.against) : undefined;
          return (
            <DraftSheet
              key={index}
              sheet={sheet}
              isCurrent={index === currentDraft?.index}
              isTarget={index === target}
              isSmall={buffer.small.has(iter)}
              inWindow={status.turn?.window.includes(index) ?? true}
              against={against}
              others={replies.flatMap((each) => (each.index === index ? [] : [each.index]))}
              onCompareWith={(other) => setComparison({ draft: index, against: other })}
              isEditing={editingIndex === index}
              path={path}
              storageKey={`${dialogue.id}.${turn}.${index}`}
              highlight={selection?.turn === turn && selection.draft === index ? selection.sentence : undefined}
              actions={actions}
            />
          );
        })}
        {marksBefore.length > 0 && <EarlySignals marks={marksBefore} accept={accept} />}
        {buffer.drafts.length < buffer.total && (
          <li>
            <ActionButton onClick={() => void dialogue.showOlder()}>
              Show older drafts: {formatNumber(buffer.total - buffer.drafts.length)} more
            </ActionButton>
          </li>
        )}
      </ol>
    </div>
  );
}

/** The mind's signals before its first reply. */
function EarlySignals({
  marks,
  accept,
}: {
  readonly marks: readonly IterationMark[];
  accept(draft: DraftItem): Promise<unknown>;
}) {
  return (
    <li>
      <Signals marks={marks} onAccept={(word) => void accept(word)} />
    </li>
  );
}

/** Drafts never change, so each pair is compared only once. */
function createSimilarityCheck(): (a: DraftItem, b: DraftItem) => boolean {
  const cache = new Map<string, boolean>();
  return (a, b) => {
    const cacheKey = `${a.index} ${b.index}`;
    const isMatch = cache.get(cacheKey) ?? textSimilarity(a.text, b.text) >= MIN_SIMILARITY;
    cache.set(cacheKey, isMatch);
    return isMatch;
  };
}
