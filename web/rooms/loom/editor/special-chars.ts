import { highlightSpecialChars } from '@codemirror/view';
import { visible } from '../../../ui/text/visible.ts';

/** What turns text around is spelled out as everywhere on the page; what cannot be seen at all is a dot. */
export const specialChars = highlightSpecialChars({
  addSpecialChars: /[\u202a-\u202c\u2068]/,
  render(code, description, dot) {
    const char = String.fromCodePoint(code);
    const spelled = visible(char);
    const shown = document.createElement('span');
    shown.className = 'cm-specialChar';
    shown.textContent = spelled === char ? dot : spelled;
    shown.title = description ?? '';
    shown.setAttribute('aria-label', description ?? spelled);
    return shown;
  },
});
