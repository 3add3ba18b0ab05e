import { findFirstStop, stopPrefixLength } from '../../../core/text/stops.ts';
import type { FrameHole, ModelToken } from '../../model.ts';

/** Turns tokens into text as they arrive: whole characters only, and nothing that could still become a stop text. */
export interface TextOutput {
  /** Takes one more token; reports how much of it was kept if a stop text is complete. */
  push(bytes: Uint8Array, token?: Omit<ModelToken, 'text'>): { readonly stopped: boolean; readonly keptText: string };
  /** Ends the text: held-back characters are emitted after all. */
  flush(): void;
}

type EmitText = (text: string, tokens: readonly ModelToken[] | undefined) => void;

interface HeldToken {
  text: string;
  readonly token: Omit<ModelToken, 'text'> | undefined;
}

/** Removed from the start of a hole's text; free text loses only the space that was already there. */
const BLANK_LEAD = /^\s+/;
const SPACE_LEAD = /^ /;
const NO_LEAD = /^/;

/** The text of one hole. Holes of a frame obey rules that free text does not. */
export function createHoleOutput(
  { stop = [], lineBreak }: FrameHole,
  { framed, pendingSpace }: { readonly framed: boolean; readonly pendingSpace: string },
  emit: EmitText,
): TextOutput {
  const leadPattern = framed ? BLANK_LEAD : pendingSpace === '' ? NO_LEAD : SPACE_LEAD;
  return createTextOutput(stop, leadPattern, (text, tokens) =>
    emit(lineBreak === undefined ? text : text.replaceAll('\n', lineBreak), tokens),
  );
}

/** `leadPattern` matches the start of the text that is not emitted. */
export function createTextOutput(stops: readonly string[], leadPattern: RegExp, emit: EmitText): TextOutput {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let heldTokens: HeldToken[] = [];
  let hasText = false;

  function push(bytes: Uint8Array, token?: Omit<ModelToken, 'text'>) {
    const decoded = decoder.decode(bytes, { stream: true });
    const text = hasText ? decoded : decoded.replace(leadPattern, '');
    hasText ||= text !== '';
    heldTokens.push({ text, token });
    const heldText = heldTokens.map((item) => item.text).join('');
    const stopIndex = findFirstStop(heldText, stops);
    if (stopIndex < 0) {
      release(heldText.length - stopPrefixLength(heldText, stops));
      return { stopped: false, keptText: text };
    }
    const keptText = text.slice(0, Math.max(0, stopIndex - (heldText.length - text.length)));
    truncateTo(stopIndex);
    release(stopIndex);
    heldTokens = [];
    return { stopped: true, keptText };
  }

  /** Emits the tokens within the first `length` characters, except those that have no text yet. */
  function release(length: number): void {
    let [end, count] = [0, 0];
    while (count < heldTokens.length && end + heldTokens[count]!.text.length <= length)
      end += heldTokens[count++]!.text.length;
    if (end === 0) return;
    const released = heldTokens.splice(0, count);
    const tokens = released.flatMap(({ text, token }) => (token ? [{ text, ...token }] : []));
    emit(released.map(({ text }) => text).join(''), tokens.length > 0 ? tokens : undefined);
  }

  function truncateTo(length: number): void {
    let remaining = length;
    for (const item of heldTokens) {
      item.text = item.text.slice(0, remaining);
      remaining -= item.text.length;
    }
    while (heldTokens.length > 0 && heldTokens[heldTokens.length - 1]!.text === '') heldTokens.pop();
  }

  function flush(): void {
    const last = decoder.decode();
    if (last !== '') heldTokens.push({ text: last, token: undefined });
    release(Number.POSITIVE_INFINITY);
  }

  return { push, flush };
}
