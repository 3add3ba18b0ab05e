import { useCallback, useMemo, useState } from 'react';
import type { DialogueStatus, DraftItem } from '../../../../src/client/index.ts';
import { textSimilarity } from '../../../../src/core/dialogue/view/away.ts';
import { isWaiting } from '../../../../src/core/runs/wait.ts';
import { useSelected, useStore } from '../../../data/store.ts';
import { clock } from '../../../ui/time.tsx';
import { marksOf, sheetsOf } from '../drafts/buffer.ts';
import type { LiveDialogue } from '../live-dialogue.ts';
import { type LiveDraft, readLiveDraft } from './live-draft.ts';
import { buildStrip } from './strip.ts';

/** The similarity from which a draft shares the mark of the next newer one. */
const MIN_SIMILARITY = 0.85;

/** The drafts and signals of the open turn, and what the mind does now. */
export function useTurnData(dialogue: LiveDialogue, status: DialogueStatus) {
  const buffer = useStore(dialogue.buffer);
  const now = Math.max(useStore(clock), Date.now());
  const [isAlike] = useState(createSimilarityCheck);
  const { run, iter } = status;
  const marks = useMemo(() => marksOf(buffer, iter), [buffer, iter]);
  const { sheets } = useMemo(() => sheetsOf(marks, isAlike), [marks, isAlike]);
  const replies = useMemo(
    () => marks.flatMap(({ kind, draft }) => (kind === 'reply' && draft ? [draft] : [])),
    [marks],
  );
  const isRunning = run?.state === 'running' && run.interrupted === undefined;
  const waiting = isRunning && run.waiting && isWaiting(run.waiting, now) ? run.waiting : undefined;
  const hasReply = replies.length > 0;
  // What is written is shown by parts of their own: a word more draws no turn anew.
  const readLive = useCallback(
    () => (isRunning ? readLiveDraft(dialogue.liveTexts.get(), status.self, hasReply) : undefined),
    [dialogue, status.self, isRunning, hasReply],
  );
  const liveSince = useSelected(dialogue.liveTexts, () => readLive()?.since);
  const isDrafting = useSelected(dialogue.liveTexts, () => readLive()?.draft !== undefined);
  const aheadKind = waiting ? 'waiting' : isDrafting ? 'writing' : undefined;
  const strip = useMemo(
    () =>
      buildStrip({
        marks,
        sheets,
        ahead: aheadKind && { iter: Math.max(iter, marks[0]?.iter ?? 0) + 1, index: buffer.total + 1, kind: aheadKind },
        isSmall: (each) => buffer.small.has(each),
        isInWindow: (index) => status.turn?.window.includes(index) ?? true,
      }),
    [marks, sheets, aheadKind, iter, buffer, status.turn?.window],
  );
  return { buffer, marks, replies, strip, liveSince, isDrafting, readLive, waiting, isRunning };
}

export type TurnData = ReturnType<typeof useTurnData>;

/** What the mind writes, for a part of the page that shows the words. */
export function useLiveDraft(dialogue: LiveDialogue, { readLive }: TurnData): LiveDraft | undefined {
  useStore(dialogue.liveTexts);
  return readLive();
}

/** Drafts never change, so each pair is compared only once. */
function createSimilarityCheck(): (a: DraftItem, b: DraftItem) => boolean {
  const cache = new Map<string, boolean>();
  return (a, b) => {
    const cacheKey = `${a.ts} ${a.index} ${b.index}`;
    const isMatch = cache.get(cacheKey) ?? textSimilarity(a.text, b.text) >= MIN_SIMILARITY;
    cache.set(cacheKey, isMatch);
    return isMatch;
  };
}
