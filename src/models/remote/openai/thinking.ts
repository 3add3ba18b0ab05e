import type { ModelToken } from '../../model.ts';
import type { ProviderPiece } from '../pieces.ts';

export type ThinkingFilter = (piece: ProviderPiece) => ProviderPiece;

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Some servers leave a model's thinking in its answer, between tags at the very beginning. It is not part of the
 * answer and is removed, however the text is split into pieces.
 */
export function createThinkingFilter(): ThinkingFilter {
  let state: 'beginning' | 'thinking' | 'blank' | 'answer' = 'beginning';
  let buffer = '';
  let bufferedTokens: readonly ModelToken[] = [];

  function takeText(isLast: boolean): Pick<ProviderPiece, 'text' | 'thinking'> {
    if (state === 'beginning') {
      const trimmed = buffer.trimStart();
      if (!isLast && trimmed.length < OPEN.length && OPEN.startsWith(trimmed)) return { text: '' };
      state = trimmed.startsWith(OPEN) ? 'thinking' : 'answer';
    }
    if (state === 'thinking') {
      const end = buffer.indexOf(CLOSE);
      // Only the end of the buffer can be the start of the closing tag.
      buffer = end < 0 ? buffer.slice(-CLOSE.length) : buffer.slice(end + CLOSE.length);
      if (end < 0) return { text: '', thinking: true };
      state = 'blank';
    }
    if (state === 'blank') {
      buffer = buffer.trimStart();
      if (buffer === '') return { text: '', thinking: true };
      state = 'answer';
    }
    return { text: buffer };
  }

  return (piece) => {
    const { tokens, text = '', ...rest } = piece;
    if (state === 'answer' || (text === '' && (!piece.finish || buffer === ''))) return piece;
    buffer += text;
    bufferedTokens = [...bufferedTokens, ...(tokens ?? [])];
    const output = takeText(piece.finish !== undefined);
    if (output.text === '') return { ...rest, ...output };
    // Probabilities of removed text would mislead.
    const isUnchanged = bufferedTokens.length > 0 && bufferedTokens.map((token) => token.text).join('') === output.text;
    return { ...rest, ...output, ...(isUnchanged && { tokens: bufferedTokens }) };
  };
}
