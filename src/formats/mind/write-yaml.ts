/* Writes texts and lists into the input of minds, as YAML that reads back unchanged. */

/** The first lines of a list, with a comment that describes it. */
export function listHeader(indent: string, name: string, note: string, length: number): readonly string[] {
  return length > 0 ? [`${indent}${name}:`, `${indent}  # ${note}`] : [`${indent}${name}: []`];
}

/** Characters other than tab and line feed that YAML would change or reject. */
const UNSAFE = /[[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]--[\t\n]]/v;
/** Blank lines with spaces, or a line feed at either end, would not survive in a block. */
const AMBIGUOUS = /^$|^\n|\n$|(^|\n)[ \t]+(\n|$)/;

/** A block if it can represent the text exactly, otherwise a quoted string. A block adds its own final line feed. */
export function yamlText(text: string, indent: string, comment?: string): string {
  const note = comment === undefined ? '' : `  # ${comment}`;
  if (UNSAFE.test(text) || AMBIGUOUS.test(text)) return `${quote(text)}${note}`;
  // A text that begins with whitespace needs an explicit indentation indicator.
  const depth = text.startsWith(' ') || text.startsWith('\t') ? '2' : '';
  return `|${depth}${note}\n${text.replace(/^(?=[^\n])/gm, indent)}`;
}

export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
