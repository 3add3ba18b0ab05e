/**
 * What people, agents and models wrote goes into a prompt as data (M9). Every line of it stands behind a bar, so nothing
 * within can look like the end of it, or like an instruction beside it, whatever it says.
 */
export function quote(text: string, { from }: { readonly from: string }): string {
  const name = nameOf(from);
  const lines = withoutControls(text).split(LINE_BREAK);
  const body = lines.map((line) => (line === '' ? BAR : `${BAR} ${disarmed(line)}`));
  return [`[what ${name} wrote]`, ...body, `[end of what ${name} wrote]`].join('\n');
}

const BAR = '|';
/** Everything some reader takes for a new line. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** The marks by which chat templates tell turns apart: a server may read them in any text. */
const MARKS = /<(?=\|)|\|(?=>)|<(?=\/?s>)|\[(?=\/?INST\])|<(?=<\/?SYS>>)|<(?=(?:start|end)_of_turn>)/g;

function withoutControls(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}

function disarmed(line: string): string {
  return line.replace(MARKS, '$& ');
}

function nameOf(from: string): string {
  const name = from.replace(/[^\p{L}\p{N} ._@#-]/gu, '').trim();
  return name === '' ? 'someone' : Array.from(name).slice(0, 64).join('');
}
