import type { EditorView } from '@codemirror/view';
import type { AuthoredRange } from './author-colours.ts';

/** A line of the text as it is wrapped on the page, from the top of everything that scrolls. */
export interface VisualLine {
  readonly top: number;
  readonly bottom: number;
  readonly middle: number;
  /** How far into the line the offset is, from 0 to 1. */
  readonly share: number;
}

/** A stripe in the margin beside the lines of one author. */
export interface Stripe {
  readonly hue: number;
  readonly isOwn: boolean;
  readonly top: number;
  readonly bottom: number;
}

export type LineAt = ((at: number) => VisualLine) & {
  /** Where the page begins in what scrolls, and how far inside it the text does. */
  readonly page: { readonly left: number; readonly inside: number };
};

/** Measures on which line offsets are, each once. Call it where the layout may be read. */
export function measureLines(view: EditorView): LineAt {
  const box = view.scrollDOM.getBoundingClientRect();
  const content = view.contentDOM.getBoundingClientRect();
  const style = getComputedStyle(view.contentDOM);
  const inside = Number.parseFloat(style.paddingLeft);
  const width = content.width - inside - Number.parseFloat(style.paddingRight);
  const [textLeft, shift] = [content.left + inside, view.scrollDOM.scrollTop - box.top];
  const measured = new Map<number, VisualLine>();

  function measure(at: number): VisualLine {
    const position = Math.min(at, view.state.doc.length);
    const coords = view.coordsAtPos(position, 1);
    if (coords) {
      const [top, bottom] = [coords.top + shift, coords.bottom + shift];
      const middle = Math.round((top + bottom) / 2);
      return { top: middle - 14.5, bottom: middle + 14.5, middle, share: (coords.left - textLeft) / width };
    }
    // Out of view, so how it wraps does not matter.
    const block = view.lineBlockAt(position);
    const top = block.top + view.documentTop + shift;
    const isBelow = position > view.viewport.to;
    const middle = Math.round(isBelow ? top + block.height : top);
    return { top: middle, bottom: middle, middle, share: 0 };
  }

  const lineAt = (at: number): VisualLine => {
    let line = measured.get(at);
    if (!line) {
      line = measure(at);
      measured.set(at, line);
    }
    return line;
  };
  return Object.assign(lineAt, { page: { left: content.left - box.left, inside } });
}

/** A line that two authors share belongs to the one who has more of it. */
export function stripesOf(ranges: readonly AuthoredRange[], lineAt: (at: number) => VisualLine): Stripe[] {
  const stripes: Stripe[] = [];
  let nextTop: number | undefined;
  for (const [index, { to, textFrom, hue, isOwn }] of ranges.entries()) {
    const top = nextTop ?? lineAt(textFrom).top;
    const next = ranges[index + 1];
    const end = lineAt(to);
    const nextStart = next?.from === to ? lineAt(next.textFrom) : undefined;
    const isShared = nextStart?.top === end.top;
    const bottom = isShared && end.share <= 0.5 ? end.top : end.bottom;
    nextTop = isShared ? bottom : nextStart?.top;
    const last = stripes.at(-1);
    if (bottom - top < 10) continue;
    if (last && last.hue === hue && last.isOwn === isOwn && last.bottom >= top)
      stripes[stripes.length - 1] = { ...last, bottom };
    else stripes.push({ hue, isOwn, top, bottom });
  }
  return stripes;
}
