import { formatLink, parseLink } from '../../src/core/link.ts';
import { createStore } from '../data/store.ts';

/** A text to explain. */
export interface ExplainTarget {
  readonly link: string;
  /** The offset of one character in the text. */
  readonly offset?: number | undefined;
  /** A part of the text as displayed; `nth` counts how often the same words occur before it. */
  readonly passage?: { readonly words: string; readonly nth: number } | undefined;
}

export const explainTarget = createStore<ExplainTarget | undefined>(undefined);

/** Shows who wrote a text, from which call, on what, under which terms, with the proof. */
export function openExplain(link: string, offset?: number): void {
  explainTarget.set({ link, offset });
}

/** The text to act on: the selection, or the focused one, or the room's current one, or the one in the address. */
export function currentTarget(): ExplainTarget | undefined {
  const selection = getSelection();
  const hasSelection = selection && !selection.isCollapsed && selection.toString().trim() !== '';
  const selected = hasSelection ? placeElementOf(selection.getRangeAt(0).startContainer) : undefined;
  if (selected && selection && selected.dataset.offset === undefined) {
    return { link: linkOf(selected), passage: passageOf(selected, selection.getRangeAt(0)) };
  }
  const focused = placeElementOf(document.activeElement) ?? findInRoom('[data-place][tabindex="0"]');
  const address = parseLink(location.pathname + location.hash);
  const element = focused ?? (address?.at === undefined ? findInRoom('[data-place]') : undefined);
  if (!element) return address && { link: formatLink(address) };
  const { offset } = element.dataset;
  return { link: linkOf(element), ...(offset && { offset: Number(offset) }) };
}

function findInRoom(selector: string): HTMLElement | undefined {
  return document.querySelector<HTMLElement>(`main ${selector}`) ?? undefined;
}

/** The element that carries the place it shows (`data-place`); an editor also carries a character offset. */
function placeElementOf(node: Node | null): HTMLElement | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('[data-place]') ?? undefined;
}

function linkOf({ dataset }: HTMLElement): string {
  return dataset.place ?? '';
}

function passageOf(element: HTMLElement, range: Range): ExplainTarget['passage'] {
  const words = range.toString();
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(range.startContainer, range.startOffset);
  return { words, nth: countOccurrences(before.toString(), words) };
}

/** The offset of a passage in the source text; undefined if the source does not contain it letter for letter. */
export function passageOffset(text: string, { words, nth }: NonNullable<ExplainTarget['passage']>): number | undefined {
  const [line = ''] = words.trim().split('\n', 1);
  let found = -1;
  for (let i = 0; i <= nth; i++) {
    const next = text.indexOf(line, found + 1);
    if (next < 0) break;
    found = next;
  }
  return found < 0 || line === '' ? undefined : found;
}

function countOccurrences(text: string, words: string): number {
  return text.split(words).length - 1;
}
