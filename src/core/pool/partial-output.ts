/** What can be read of a mind's answer while it is still being written. */
export interface PartialOutput {
  readonly thoughts: readonly string[];
  readonly draft?: string;
}

const KEYS = /^(thoughts|draft|confidence|status|clear):(.*)$/;
/** The beginning of a key that may still be on its way. */
const HALF_KEY = /^[a-z]{1,10}:?$/;

/**
 * Reads the beginning of a mind's answer, for the eye: YAML as it is asked for, JSON as some models write it, and prose,
 * which is a draft (D28). The finished answer is read by `formats/mind`, which alone decides what is stored.
 */
export function readPartialOutput(text: string): PartialOutput {
  const body = text.replace(/^\s*```[a-z]*[ \t]*\n/, '').replace(/\n```\s*$/, '');
  if (/^\s*\{/.test(body)) return readPartialJson(body);
  const lines = body.split('\n');
  const first = lines.findIndex((line) => KEYS.test(line));
  if (first >= 0) {
    const isHalfKey = HALF_KEY.test(lines.at(-1) ?? '') && !KEYS.test(lines.at(-1) ?? '');
    return readPartialYaml(lines.slice(first, isHalfKey ? -1 : undefined));
  }
  return body.trim() === '' || HALF_KEY.test(body.trim()) ? { thoughts: [] } : { thoughts: [], draft: body };
}

function readPartialYaml(lines: readonly string[]): PartialOutput {
  const thoughts: string[] = [];
  let draft: string | undefined;
  let key: string | undefined;
  for (const line of lines) {
    const [, nextKey, rest = ''] = KEYS.exec(line) ?? [];
    if (nextKey !== undefined) {
      key = nextKey;
      if (key === 'draft') draft = withoutMarks(rest);
    } else if (key === 'draft') {
      draft = join(draft ?? '', line.replace(/^ {1,2}/, ''));
    } else if (key === 'thoughts') {
      const item = /^ {0,4}- ?(.*)$/.exec(line);
      if (item) thoughts.push(withoutMarks(item[1] ?? ''));
      else if (thoughts.length > 0) thoughts.push(join(thoughts.pop() ?? '', line.trim()));
    }
  }
  const written = thoughts.map((thought) => thought.trim()).filter(Boolean);
  return draft === undefined || draft.trim() === ''
    ? { thoughts: written }
    : { thoughts: written, draft: draft.trim() };
}

/** The text of a line behind its key, without what introduces a block or quotes it. */
function withoutMarks(text: string): string {
  const bare = text.trim();
  if (/^[|>][+-]?\d?$/.test(bare)) return '';
  return /^(["']).*\1$/.test(bare) && bare.length > 1 ? bare.slice(1, -1) : bare;
}

function join(before: string, line: string): string {
  return before === '' ? line : `${before}\n${line}`;
}

/** Strings by the key they stand under; an unfinished one ends where the text does. */
function readPartialJson(text: string): PartialOutput {
  const thoughts: string[] = [];
  let draft: string | undefined;
  let key: string | undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === '"') {
      const end = endOfString(text, at + 1);
      const value = unescapeJson(text.slice(at + 1, end));
      if (depth === 1 && /^\s*:/.test(text.slice(end + 1, end + 8))) key = value;
      else if (key === 'thoughts' && depth <= 2) thoughts.push(value);
      else if (key === 'draft' && depth === 1) draft = value;
      at = end;
    }
  }
  return draft === undefined ? { thoughts } : { thoughts, draft };
}

function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at, text.length);
}

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text.replace(/\\(?:u[0-9a-f]{0,3})?$/i, '')}"`) as string;
  } catch {
    return text; // Line breaks inside a string, for example: the final reading is more careful.
  }
}
