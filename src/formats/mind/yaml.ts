/*
 * A reader of just the YAML a mind writes: a few keys, each with a text or a list of texts.
 *
 * A whole YAML parser would do more than is wanted (aliases, numbers, any depth) and takes seconds for some texts of
 * 256 KiB. This one goes over every line once and builds nothing but texts, whatever it is given. What YAML would call
 * an error in a plain text, such as ": " within it, is taken as it stands.
 */
import { FIELDS, type Fields, MAX_THOUGHTS, tooMany, Unreadable } from './fields.ts';
import { blockText, type Lines, listIn, plainText, quotedText, skipIndented } from './yaml-text.ts';

const KEY = /^( *)(["']?)([A-Za-z_][\w-]*)\2 *:(?= |$)/;
const KNOWN: ReadonlySet<string> = new Set(FIELDS);

export function readYaml(text: string): Fields {
  const lines: Lines = { all: text.split('\n'), at: 0 };
  const base = indentOf(lines.all[0] as string);
  const fields: { -readonly [Name in keyof Fields]: Fields[Name] } = {};
  while (lines.at < lines.all.length) {
    const line = lines.all[lines.at] as string;
    if (isBlank(line)) {
      lines.at++;
      continue;
    }
    if (/^(---|\.\.\.)\s*$/.test(line)) break;
    const key = KEY.exec(line);
    if (key?.[1]?.length !== base) throw stray(lines.at, line);
    const name = key[3] as string;
    const rest = line.slice(key[0].length);
    lines.at++;
    if (!KNOWN.has(name)) {
      skipIndented(lines, base);
      continue;
    }
    if (Object.hasOwn(fields, name)) throw new Unreadable(`"${name}" is there twice.`);
    if (name === 'thoughts') fields.thoughts = thoughtsAt(lines, rest, base);
    else fields[name as 'draft'] = scalarAt(lines, rest, base, name);
  }
  return fields;
}

/** A text in any of YAML's forms; null where there is none. */
function scalarAt(lines: Lines, rest: string, indent: number, name: string): string | null {
  const value = rest.trimStart();
  switch (value[0]) {
    case '|':
    case '>':
      return blockText(lines, value, indent);
    case '"':
    case "'":
      return quotedText(lines, value, name);
    case '[':
    case '{':
      throw new Unreadable(
        `"${name}" is a list or a mapping, and should be one text.`,
        'Quote it if it begins with a bracket.',
      );
    case '&':
    case '*':
    case '!':
      throw new Unreadable(
        `"${name}" begins with "${value[0]}", which has a meaning of its own in YAML.`,
        `Use "${name}: |".`,
      );
    case '#':
      // Else "draft: #4 is best" would pass for silence.
      throw new Unreadable(`All of "${name}" is behind a "#", which makes it a comment.`, `Use "${name}: |".`);
    default:
      return plain(lines, value, indent, name);
  }
}

function plain(lines: Lines, value: string, indent: number, name: string): string | null {
  const text = plainText(lines, value, indent);
  if (value === '' && /^(- |-$)/m.test(text)) throw new Unreadable(`"${name}" is a list, and should be one text.`);
  return text === '' || text === '~' || text === 'null' ? null : text;
}

function thoughtsAt(lines: Lines, rest: string, indent: number): readonly string[] {
  const value = rest.trim();
  if (value.startsWith('[')) return listIn(lines, value);
  if (value !== '' && !value.startsWith('#')) return [scalarAt(lines, rest, indent, 'thoughts') ?? ''];
  const thoughts: string[] = [];
  let dashes: number | undefined;
  for (; lines.at < lines.all.length; ) {
    const line = lines.all[lines.at] as string;
    if (isBlank(line)) {
      lines.at++;
      continue;
    }
    const dash = /^( *)-(?= |$)/.exec(line);
    const column = dash?.[1]?.length ?? -1;
    if (!dash || column < indent) {
      if (indentOf(line) > indent && thoughts.length === 0) return [plainText(lines, '', indent)];
      break;
    }
    dashes ??= column;
    if (thoughts.length === MAX_THOUGHTS) tooMany();
    if (column !== dashes) throw stray(lines.at, line);
    lines.at++;
    const item = line.slice(dash[0].length);
    if (/^ *-( |$)/.test(item)) throw new Unreadable('"thoughts" is a list of lists, and should be one of texts.');
    thoughts.push(scalarAt(lines, item, column, 'thoughts') ?? '');
  }
  return thoughts;
}

function stray(at: number, line: string): Unreadable {
  const where = `Line ${at + 1} is not in its place: ${JSON.stringify(line.trim().slice(0, 60))}.`;
  return new Unreadable(where, 'Indent every line of a text that follows "|".');
}

function isBlank(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
