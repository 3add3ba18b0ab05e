import { addressOfLink, readLink } from '../../src/core/link.ts';
import { createStore } from '../data/store.ts';

/** A text that somebody wants to know the cause of. */
export interface Asked {
  readonly link: string;
  /** One character of it. */
  readonly offset?: number | undefined;
  /** A part of it as it is shown, and how many times the same words stand before it there. */
  readonly passage?: { readonly words: string; readonly nth: number } | undefined;
}

export const asked = createStore<Asked | undefined>(undefined);

/** Shows who wrote a text, from which call, on what, under which terms, with the proof. */
export function openExplain(link: string, offset?: number): void {
  asked.set({ link, offset });
}

/** What is under the hand: selected, or marked, or what the room marks by itself, or what the address names. */
export function underHand(): Asked | undefined {
  const selection = getSelection();
  const isChosen = selection && !selection.isCollapsed && selection.toString().trim() !== '';
  const chosen = isChosen ? placeOf(selection.getRangeAt(0).startContainer) : undefined;
  if (chosen && selection && chosen.dataset.offset === undefined) {
    return { link: linkOf(chosen), passage: passageIn(chosen, selection.getRangeAt(0)) };
  }
  const marked = placeOf(document.activeElement) ?? inRoom('[data-place][tabindex="0"]');
  const address = readLink(location.pathname + location.hash);
  const element = marked ?? (address?.at === undefined ? inRoom('[data-place]') : undefined);
  if (!element) return address && { link: addressOfLink(address) };
  const { offset } = element.dataset;
  return { link: linkOf(element), ...(offset && { offset: Number(offset) }) };
}

function inRoom(selector: string): HTMLElement | undefined {
  return document.querySelector<HTMLElement>(`main ${selector}`) ?? undefined;
}

/** The element that says which place of the workspace it shows; an editor also says which character. */
function placeOf(node: Node | null): HTMLElement | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('[data-place]') ?? undefined;
}

function linkOf({ dataset }: HTMLElement): string {
  return dataset.place ?? '';
}

function passageIn(element: HTMLElement, range: Range): Asked['passage'] {
  const words = range.toString();
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(range.startContainer, range.startOffset);
  return { words, nth: timesIn(before.toString(), words) };
}

/** Where a passage begins in the text as it was written; undefined where it is not there letter for letter. */
export function offsetOf(text: string, { words, nth }: NonNullable<Asked['passage']>): number | undefined {
  const [line = ''] = words.trim().split('\n', 1);
  let found = -1;
  for (let i = 0; i <= nth; i++) {
    const next = text.indexOf(line, found + 1);
    if (next < 0) break;
    found = next;
  }
  return found < 0 || line === '' ? undefined : found;
}

function timesIn(text: string, words: string): number {
  return text.split(words).length - 1;
}
