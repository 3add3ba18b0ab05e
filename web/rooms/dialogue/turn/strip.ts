import type { DraftItem } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import type { IterationMark, ReplySheet } from '../drafts/buffer.ts';

/** A place on the draft strip: a draft with those nearly equal to it, or equal signals in a row. */
export interface StripMark {
  /** The newest iteration it stands for; it names the place. */
  readonly iter: number;
  readonly kind: IterationMark['kind'] | 'writing' | 'waiting';
  /** Newest first. */
  readonly marks: readonly IterationMark[];
  /** Under the mark. */
  readonly label: string;
  /** What a screen reader says. */
  readonly name: string;
  /** More about it: length, cadence, confidence. */
  readonly details: string;
  readonly draft?: DraftItem;
  /** Older drafts with nearly the same text, newest first. */
  readonly alike: readonly DraftItem[];
  /** From 1 to 4: the share of the strip it takes. */
  readonly length: number;
}

const MAX_LENGTH = 4;

interface StripFacts {
  /** Iterations, newest first. */
  readonly marks: readonly IterationMark[];
  readonly sheets: readonly ReplySheet[];
  /** What the mind does now, in its next iteration. */
  readonly ahead: { readonly iter: number; readonly index: number; readonly kind: 'writing' | 'waiting' } | undefined;
  readonly isSmall: (iter: number) => boolean;
  readonly isInWindow: (index: number) => boolean;
}

/** The marks of the strip, oldest first. */
export function buildStrip({ marks, sheets, ahead, isSmall, isInWindow }: StripFacts): readonly StripMark[] {
  const alikeByReply = new Map(sheets.map(({ reply, alike }) => [reply.index, alike]));
  const folded = new Set(sheets.flatMap(({ alike }) => alike.map(({ index }) => index)));
  const longest = Math.max(1, ...marks.map(({ kind, draft }) => (kind === 'reply' ? (draft?.chars ?? 0) : 0)));
  const strip: StripMark[] = [];
  for (const mark of [...marks].reverse()) {
    const { kind, draft, iter } = mark;
    if (kind === 'reply' && draft) {
      if (folded.has(draft.index)) continue;
      const alike = alikeByReply.get(draft.index) ?? [];
      const length = 1 + (MAX_LENGTH - 1) * Math.sqrt(draft.chars / longest);
      const details = describeDraft(draft, alike, isSmall(iter), isInWindow(draft.index));
      const finalNote = draft.status === 'final' ? ' · final' : '';
      const label = `${rangeOf([...alike.map(({ index }) => index), draft.index])}${finalNote}`;
      strip.push({ iter, kind, marks: [mark], label, name: nameOf(label, alike), details, draft, alike, length });
      continue;
    }
    const last = strip.at(-1);
    const joined = last?.kind === kind && kind !== 'word' ? [mark, ...last.marks] : [mark];
    if (joined.length > 1) strip.pop();
    strip.push({
      iter,
      kind,
      marks: joined,
      ...describeSignal(mark, joined),
      alike: [],
      length: 1,
      ...(draft && { draft }),
    });
  }
  if (ahead) {
    const label = `${ahead.index} · ${ahead.kind}`;
    const name = `Draft ${label}`;
    strip.push({
      iter: ahead.iter,
      kind: ahead.kind,
      marks: [],
      label,
      name,
      details: '',
      alike: [],
      length: MAX_LENGTH,
    });
  }
  return strip;
}

/** What is written under the mark is part of its name. */
function nameOf(label: string, alike: readonly DraftItem[]): string {
  return `${alike.length > 0 ? 'Drafts' : 'Draft'} ${label}`;
}

/** "1–3", "1, 3" */
export function rangeOf(indices: readonly number[]): string {
  const sorted = [...indices].sort((a, b) => a - b);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  if (first === last) return String(first);
  return last - first === sorted.length - 1 ? `${first}–${last}` : sorted.join(', ');
}

function describeDraft(draft: DraftItem, alike: readonly DraftItem[], isSmall: boolean, isInWindow: boolean): string {
  const { chars, after, confidence, same_as, status } = draft;
  return [
    `${formatNumber(chars)} characters`,
    after > 1 && `after ${after} iterations`,
    status && (status === 'final' ? 'called final' : 'still working'),
    confidence !== undefined && `${Math.round(confidence * 100)}% sure`,
    same_as !== undefined && `same as ${same_as}`,
    alike.length > 0 && `nearly the same as ${rangeOf(alike.map(({ index }) => index))}`,
    isSmall && 'written by the small built-in model',
    !isInWindow && 'the mind no longer sees it',
  ]
    .filter(Boolean)
    .join(' · ');
}

function describeSignal(
  { kind, iter, draft }: IterationMark,
  marks: readonly IterationMark[],
): Pick<StripMark, 'label' | 'name' | 'details'> {
  const times = marks.length > 1 ? ` ×${marks.length}` : '';
  const details = marks.length > 1 ? `iterations ${marks.at(-1)?.iter} to ${iter}` : `iteration ${iter}`;
  switch (kind) {
    case 'soft':
      return { label: `+1${times}`, name: `+1${times}`, details: `ready to send · ${details}` };
    case 'word': {
      const word = draft?.text.trim() ?? '';
      return { label: word, name: `Word ${word}`, details };
    }
    case 'failed':
      return { label: `failed${times}`, name: `Failed${times}`, details };
    case 'empty':
      return {
        label: `nothing${times}`,
        name: `Nothing${times}`,
        details: `the model’s answer was empty · ${details}`,
      };
    default:
      return { label: `silence${times}`, name: `Silence${times}`, details: `no draft · ${details}` };
  }
}

/** What of a strip fits: its end, or the surroundings of the selected mark, between what is folded on either side. */
export function windowOfStrip(
  count: number,
  selectedAt: number,
  capacity: number,
  hasMoreBefore: boolean,
): { readonly from: number; readonly to: number } {
  const room = Math.max(3, capacity);
  if (count + (hasMoreBefore ? 1 : 0) <= room) return { from: 0, to: count };
  if (selectedAt >= count - (room - 1)) return { from: count - (room - 1), to: count };
  const inside = room - 2;
  const from = Math.max(0, Math.min(selectedAt - Math.floor(inside / 2), count - inside));
  const isAtStart = from === 0 && !hasMoreBefore;
  return { from, to: Math.min(count, from + (isAtStart ? room - 1 : inside)) };
}
