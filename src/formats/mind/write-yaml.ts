/* How texts and lists are written into what minds read: as YAML that is read back as it was. */

/** The beginning of a list, with what it is about. */
export function listHeader(indent: string, name: string, note: string, length: number): readonly string[] {
  return length > 0 ? [`${indent}${name}:`, `${indent}  # ${note}`] : [`${indent}${name}: []`];
}

/** Anything but a tab and a line feed that YAML would change or not take as it is. */
const UNSAFE = /[[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]--[\t\n]]/v;
/** Lines of nothing but blanks, and a line feed at either end, mean something else to a block. */
const AMBIGUOUS = /^$|^\n|\n$|(^|\n)[ \t]+(\n|$)/;

/** A block where it can say the text exactly, quotation marks where not. A block's last line feed is its own. */
export function yamlText(text: string, indent: string, comment?: string): string {
  const note = comment === undefined ? '' : `  # ${comment}`;
  if (UNSAFE.test(text) || AMBIGUOUS.test(text)) return `${quote(text)}${note}`;
  // A text that begins with a blank needs to be told how deep the block is.
  const depth = text.startsWith(' ') || text.startsWith('\t') ? '2' : '';
  return `|${depth}${note}\n${text.replace(/^(?=[^\n])/gm, indent)}`;
}

export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
