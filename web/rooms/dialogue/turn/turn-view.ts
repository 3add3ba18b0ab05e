import type { DraftItem } from '../../../../src/client/index.ts';
import { useShownMark } from './shown.ts';
import type { StripMark } from './strip.ts';
import type { TurnData } from './turn-data.ts';

interface ViewOptions {
  readonly turn: number | undefined;
  readonly isAtEnd: boolean;
  /** The reader went to a place on the strip, or began to edit or compare. */
  onPick(): void;
}

/** What of the turn is shown, what an action would act on, and how to show something else. */
export function useTurnView({ strip, replies }: TurnData, { turn, isAtEnd, onPick }: ViewOptions) {
  const { shown, comparison, select, compare, edit, isEditing, follow } = useShownMark(turn, strip, isAtEnd);
  const shownAt = shown ? strip.indexOf(shown) : -1;
  const reply = strip.slice(0, shownAt + 1).findLast(({ kind }) => kind === 'reply')?.draft;
  const find = (index: number | undefined) => replies.find((each) => each.index === index);
  const [first, second] = [find(comparison?.first), find(comparison?.second)];
  const compared = first && second ? { first, second } : undefined;
  const newest = strip.findLast(({ kind }) => kind === 'reply' || kind === 'writing');
  const isFollowing = shown !== undefined && shown === newest;
  // What is accepted was there long enough to be looked at: never a draft that has just appeared (I13).
  const looked = isFollowing ? (replies.find(({ seen }) => seen) ?? replies[0]) : (reply ?? replies[0]);

  const iterOf = ({ index }: DraftItem) =>
    strip.find((mark) => mark.draft?.index === index || mark.alike.some((each) => each.index === index))?.iter ?? 0;
  function compareDrafts(from: number, to: number): void {
    compare({ first: from, second: to });
    onPick();
  }

  /** Goes to a place; while two drafts are compared, it becomes the second of them. */
  function pick(iter: number): void {
    const mark = strip.find((each) => each.iter === iter);
    if (!mark) return;
    if (!compared) {
      select(iter);
      onPick();
    } else if (mark.kind === 'reply' && mark.draft && mark.draft.index !== compared.first.index)
      compareDrafts(compared.first.index, mark.draft.index);
  }

  function goTo(index: number): boolean {
    const mark = strip.find((each) => isAbout(each, index));
    if (!mark) return false;
    select(mark.iter);
    onPick();
    return true;
  }

  /** Goes to the draft before or after the shown one. */
  function move(by: number): boolean {
    const places = strip.filter(({ kind }) => kind === 'reply' || kind === 'writing');
    const at = places.findIndex((mark) => (mark.draft ?? mark) === (reply && !isWriting(shown) ? reply : shown));
    const next = places[at + by];
    if (next) pick(next.iter);
    return next !== undefined;
  }

  return {
    shown,
    /** The draft that is shown, or that stood when the shown signal came. */
    reply: isWriting(shown) ? undefined : reply,
    /** The draft that actions act on. */
    current: compared ? (compared.second.index > compared.first.index ? compared.second : compared.first) : looked,
    compared,
    /** Nothing newer than what is shown has been written. */
    isNewest: newest === undefined || isFollowing || reply === newest.draft,
    isEditing,
    iterOf,
    pick,
    goTo,
    move,
    follow,
    edit(draft: DraftItem): void {
      edit(iterOf(draft));
      onPick();
    },
    stopEditing: () => edit(undefined),
    compareDrafts,
    stopComparing: () => compare(undefined),
    /** Compares a draft with the one before it, or the one after the first. */
    compareWithNext(draft: DraftItem): void {
      const at = replies.indexOf(draft);
      const other = replies[at + 1] ?? replies[at - 1];
      if (other) compareDrafts(Math.min(other.index, draft.index), Math.max(other.index, draft.index));
    },
  };
}

export type TurnView = ReturnType<typeof useTurnView>;

function isWriting(mark: StripMark | undefined): boolean {
  return mark?.kind === 'writing';
}

function isAbout({ draft, alike }: StripMark, index: number): boolean {
  return draft?.index === index || alike.some((each) => each.index === index);
}
