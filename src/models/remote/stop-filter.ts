import type { Piece } from './pieces.ts';

export const isBlank = (text: string) => text.trim() === '';

export type StopFilter = (piece: Piece) => Piece;

/** Ends a choice before the first of these texts, for a server that was not asked to. What may begin one is held back. */
export function createStopFilter(stops: readonly string[]): StopFilter {
  let held = '';
  let isOver = false;

  return (piece) => {
    const { text = '', tokens, finish, ...rest } = piece;
    if (isOver) return rest;
    held += text;
    const at = stops.map((stop) => held.indexOf(stop)).filter((found) => found >= 0);
    if (at.length > 0) {
      isOver = true;
      return { ...rest, text: held.slice(0, Math.min(...at)), finish: { reason: 'stop' } };
    }
    const keep = finish ? 0 : longestBeginning(held, stops);
    const passed = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    // Tokens that are not this text would mislead.
    return { ...rest, text: passed, ...(finish && { finish }), ...(tokens && passed === text && { tokens }) };
  };
}

/** How much of the end of a text may be the beginning of a stop text. */
function longestBeginning(text: string, stops: readonly string[]): number {
  const longest = Math.max(0, ...stops.map((stop) => stop.length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(text.length - length);
    if (stops.some((stop) => stop.startsWith(end))) return length;
  }
  return 0;
}
