import type { Token } from '../../model.ts';
import type { Piece } from '../pieces.ts';

export type ThinkingFilter = (piece: Piece) => Piece;

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Some servers leave what a model thinks in its answer, between marks at the very beginning. It is no part of the answer
 * and is taken out, however its pieces fall.
 */
export function createThinkingFilter(): ThinkingFilter {
  let state: 'beginning' | 'thinking' | 'blank' | 'answer' = 'beginning';
  let held = '';
  let heldTokens: readonly Token[] = [];

  function pass(isLast: boolean): Pick<Piece, 'text' | 'thinking'> {
    if (state === 'beginning') {
      const start = held.trimStart();
      if (!isLast && start.length < OPEN.length && OPEN.startsWith(start)) return { text: '' };
      state = start.startsWith(OPEN) ? 'thinking' : 'answer';
    }
    if (state === 'thinking') {
      const end = held.indexOf(CLOSE);
      // Only the end of it can be the beginning of the mark.
      held = end < 0 ? held.slice(-CLOSE.length) : held.slice(end + CLOSE.length);
      if (end < 0) return { text: '', thinking: true };
      state = 'blank';
    }
    if (state === 'blank') {
      held = held.trimStart();
      if (held === '') return { text: '', thinking: true };
      state = 'answer';
    }
    return { text: held };
  }

  return (piece) => {
    const { tokens, text = '', ...rest } = piece;
    if (state === 'answer' || (text === '' && (!piece.finish || held === ''))) return piece;
    held += text;
    heldTokens = [...heldTokens, ...(tokens ?? [])];
    const passed = pass(piece.finish !== undefined);
    if (passed.text === '') return { ...rest, ...passed };
    // Probabilities of what was taken out would mislead.
    const isSame = heldTokens.length > 0 && heldTokens.map((token) => token.text).join('') === passed.text;
    return { ...rest, ...passed, ...(isSame && { tokens: heldTokens }) };
  };
}
