/** Something that stands in the margin beside where a node begins. */
export interface Mark {
  readonly at: number;
  readonly key: string;
  readonly text: string;
  /** Where the margin is narrow. */
  readonly brief?: string;
  readonly label: string;
  readonly className: string;
  readonly node: string;
  readonly act: 'branch' | 'version' | 'offered' | 'none';
  readonly to?: string;
}

export interface Placed {
  readonly mark: Mark;
  readonly text: string;
  readonly top: number;
  readonly left: number;
}

export interface Shown {
  readonly mark: Mark;
  readonly text: string;
}

const LETTER = 7.2;
const NARROW = 64;

/**
 * The marks of one line with their texts. Where there is no room for all beside each other, of the counters of branches
 * only that of the node with the caret is shown, else the first, and the others are counted.
 */
export function marksOfLine(marks: readonly Mark[], edge: number, caret: number | undefined): Shown[] {
  const shownAs = (mark: Mark) => ({ mark, text: edge < NARROW ? (mark.brief ?? mark.text) : mark.text });
  const all = marks.map(shownAs);
  const counters = marks.filter(({ act }) => act === 'branch');
  const needed = all.reduce((sum, { text }) => sum + widthOf(text), 0);
  if (needed <= edge || counters.length < 2) return all;
  const here = caret === undefined ? undefined : counters.findLast(({ at }) => at <= caret);
  const kept = here ?? counters[0];
  const hidden = counters.filter((mark) => mark !== kept);
  const shown = marks
    .filter((mark) => !hidden.includes(mark))
    .map((mark) => shownAs(mark === kept ? withRest(mark, hidden.length) : mark));
  const rest = restOf(hidden[0]!, hidden.length);
  const used = shown.reduce((sum, { text }) => sum + widthOf(text), widthOf(rest.text));
  return used <= edge ? [...shown, { mark: rest, text: rest.text }] : shown;
}

/** How wide a mark of this text is, about. */
export function widthOf(text: string): number {
  return text.length * LETTER + 12;
}

function withRest(mark: Mark, hidden: number): Mark {
  return hidden === 0 ? mark : { ...mark, label: `${mark.label} ${hidden} more in this line: move the caret there.` };
}

function restOf({ at, node, key }: Mark, hidden: number): Mark {
  const label = `${hidden} more in this line. Click to go to the next.`;
  return { at, node, key: `r${key}`, text: `+${hidden}`, label, className: 'rest', act: 'none' };
}
