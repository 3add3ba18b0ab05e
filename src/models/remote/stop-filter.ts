import { findFirstStop, stopPrefixLength } from '../../core/text/stops.ts';
import type { ProviderPiece } from './pieces.ts';

export const isBlank = (text: string) => text.trim() === '';

export type StopFilter = (piece: ProviderPiece) => ProviderPiece;

/**
 * Ends a choice before the first of these texts, for a server that was not asked to. A possible start of one is held
 * back.
 */
export function createStopFilter(stops: readonly string[]): StopFilter {
  let buffer = '';
  let hasStopped = false;

  return (piece) => {
    const { text = '', tokens, finish, ...rest } = piece;
    if (hasStopped) return rest;
    buffer += text;
    const stopIndex = findFirstStop(buffer, stops);
    if (stopIndex >= 0) {
      hasStopped = true;
      return { ...rest, text: buffer.slice(0, stopIndex), finish: { reason: 'stop' } };
    }
    const heldLength = finish ? 0 : stopPrefixLength(buffer, stops);
    const output = buffer.slice(0, buffer.length - heldLength);
    buffer = buffer.slice(buffer.length - heldLength);
    // Tokens that differ from this text would mislead.
    return { ...rest, text: output, ...(finish && { finish }), ...(tokens && output === text && { tokens }) };
  };
}
