import { CONTROL_CHARS, escapeTemplateMarks, LINE_BREAK } from '../../core/text/sanitize.ts';

interface QuoteSource {
  readonly from: string;
  /** The author changed the text after it was first read (T35). */
  readonly isEdited?: boolean;
}

/**
 * Text by people, agents and models goes into a prompt as data (M9). Every line starts with a bar, so nothing inside
 * can look like the end of the quotation or like an instruction outside it.
 */
export function quote(text: string, { from, isEdited = false }: QuoteSource): string {
  const name = sanitizeName(from);
  const lines = text.replace(CONTROL_CHARS, '\ufffd').split(LINE_BREAK);
  const body = lines.map((line) => (line === '' ? BAR : `${BAR} ${escapeTemplateMarks(line)}`));
  const heading = isEdited ? `what ${name} wrote and edited later` : `what ${name} wrote`;
  return [`[${heading}]`, ...body, `[end of what ${name} wrote]`].join('\n');
}

const BAR = '|';

function sanitizeName(from: string): string {
  const name = from.replace(/[^\p{L}\p{N} ._@#-]/gu, '').trim();
  return name === '' ? 'someone' : Array.from(name).slice(0, 64).join('');
}
