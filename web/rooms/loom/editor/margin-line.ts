/** A mark in the margin next to the start of a node. */
export interface MarginMark {
  readonly at: number;
  readonly key: string;
  readonly text: string;
  /** Shorter labels for narrower margins, the longest first; an empty one leaves only the tick. */
  readonly briefs?: readonly string[];
  readonly label: string;
  readonly className: string;
  readonly node: string;
  readonly act: 'branch' | 'version' | 'offered' | 'none';
  readonly to?: string;
}

export interface PlacedMark {
  readonly mark: MarginMark;
  readonly text: string;
  readonly top: number;
  readonly left: number;
}

export interface LabelledMark {
  readonly mark: MarginMark;
  readonly text: string;
}

const LETTER_WIDTH = 7.2;

/**
 * The marks of one line with their labels. If they do not all fit side by side, only one branch counter is shown: that
 * of the node with the caret, else the first. The others are counted.
 */
export function marksForLine(marks: readonly MarginMark[], edge: number, caret: number | undefined): LabelledMark[] {
  const withText = (mark: MarginMark) => {
    const texts = [mark.text, ...(mark.briefs ?? [])];
    return { mark, text: texts.find((text) => widthOf(text) <= edge) ?? texts.at(-1)! };
  };
  const allMarks = marks.map(withText);
  const counters = marks.filter(({ act }) => act === 'branch');
  const neededWidth = allMarks.reduce((sum, { text }) => sum + widthOf(text), 0);
  if (neededWidth <= edge || counters.length < 2) return allMarks;
  const atCaret = caret === undefined ? undefined : counters.findLast(({ at }) => at <= caret);
  const visibleCounter = atCaret ?? counters[0];
  const hidden = counters.filter((mark) => mark !== visibleCounter);
  const visibleMarks = marks
    .filter((mark) => !hidden.includes(mark))
    .map((mark) => withText(mark === visibleCounter ? withHiddenCount(mark, hidden.length) : mark));
  const restMark = hiddenCountMark(hidden[0]!, hidden.length);
  const usedWidth = visibleMarks.reduce((sum, { text }) => sum + widthOf(text), widthOf(restMark.text));
  return usedWidth <= edge ? [...visibleMarks, { mark: restMark, text: restMark.text }] : visibleMarks;
}

/** The approximate width of a mark with this text. */
export function widthOf(text: string): number {
  return text.length * LETTER_WIDTH + 12;
}

function withHiddenCount(mark: MarginMark, hidden: number): MarginMark {
  return hidden === 0 ? mark : { ...mark, label: `${mark.label} ${hidden} more in this line: move the caret there.` };
}

function hiddenCountMark({ at, node, key }: MarginMark, hidden: number): MarginMark {
  const label = `${hidden} more in this line. Click to go to the next.`;
  return { at, node, key: `r${key}`, text: `+${hidden}`, label, className: 'rest', act: 'none' };
}
