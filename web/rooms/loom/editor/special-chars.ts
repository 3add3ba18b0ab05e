import { highlightSpecialChars } from '@codemirror/view';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';

/** Spells out bidi control characters, as elsewhere on the page, and shows other invisible characters as a dot. */
export const specialChars = highlightSpecialChars({
  addSpecialChars: /[\u202a-\u202c\u2068]/,
  render(code, description, dot) {
    const char = String.fromCodePoint(code);
    const replacement = escapeBidi(char);
    const element = document.createElement('span');
    element.className = 'cm-specialChar';
    element.textContent = replacement === char ? dot : replacement;
    element.title = description ?? '';
    element.setAttribute('aria-label', description ?? replacement);
    return element;
  },
});
