import type { ProviderPiece } from './pieces.ts';

export const isBlank = (text: string) => text.trim() === '';

export type StopFilter = (piece: ProviderPiece) => ProviderPiece;

/** Ends a choice before the first of these texts, for a server that was not asked to. What may begin one is held back. */
export function createStopFilter(stops: readonly string[]): StopFilter {
  let buffer = '';
  let hasStopped = false;

  return (piece) => {
    const { text = '', tokens, finish, ...rest } = piece;
    if (hasStopped) return rest;
    buffer += text;
    const positions = stops.map((stop) => buffer.indexOf(stop)).filter((position) => position >= 0);
    if (positions.length > 0) {
      hasStopped = true;
      return { ...rest, text: buffer.slice(0, Math.min(...positions)), finish: { reason: 'stop' } };
    }
    const heldLength = finish ? 0 : stopPrefixLength(buffer, stops);
    const output = buffer.slice(0, buffer.length - heldLength);
    buffer = buffer.slice(buffer.length - heldLength);
    // Tokens that are not this text would mislead.
    return { ...rest, text: output, ...(finish && { finish }), ...(tokens && output === text && { tokens }) };
  };
}

/** How much of the end of a text may be the beginning of a stop text. */
function stopPrefixLength(text: string, stops: readonly string[]): number {
  const maxLength = Math.max(0, ...stops.map((stop) => stop.length - 1));
  for (let length = Math.min(maxLength, text.length); length > 0; length--) {
    const end = text.slice(text.length - length);
    if (stops.some((stop) => stop.startsWith(end))) return length;
  }
  return 0;
}
