/*
 * A reader for just the YAML a mind writes: a few keys, each with a text or a list of texts.
 *
 * A full YAML parser would support more than needed (aliases, numbers, any depth) and takes seconds for some texts of
 * 256 KiB. This one reads every line once and builds nothing but texts, whatever the input. It accepts literally what
 * YAML would call an error in a plain text, such as ": " within it.
 */
import { FIELD_NAMES, MAX_THOUGHTS, type MindOutputFields, throwTooManyThoughts, UnreadableOutput } from './fields.ts';
import { type LineCursor, readBlock, readFlowList, readPlain, readQuoted, skipIndented } from './yaml-text.ts';

const KEY = /^( *)(["']?)([A-Za-z_][\w-]*)\2 *:(?= |$)/;
const KNOWN_FIELDS: ReadonlySet<string> = new Set(FIELD_NAMES);

export function readMindYaml(text: string): MindOutputFields {
  const cursor: LineCursor = { all: text.split('\n'), index: 0 };
  const base = indentOf(cursor.all[0] as string);
  const fields: { -readonly [Name in keyof MindOutputFields]: MindOutputFields[Name] } = {};
  while (cursor.index < cursor.all.length) {
    const line = cursor.all[cursor.index] as string;
    if (isBlank(line)) {
      cursor.index++;
      continue;
    }
    if (/^(---|\.\.\.)\s*$/.test(line)) break;
    const keyMatch = KEY.exec(line);
    if (keyMatch?.[1]?.length !== base) throw misplacedLine(cursor.index, line);
    const name = keyMatch[3] as string;
    const rest = line.slice(keyMatch[0].length);
    cursor.index++;
    if (!KNOWN_FIELDS.has(name)) {
      skipIndented(cursor, base);
      continue;
    }
    if (Object.hasOwn(fields, name)) throw new UnreadableOutput(`"${name}" is there twice.`);
    if (name === 'thoughts') fields.thoughts = readThoughts(cursor, rest, base);
    else fields[name as 'draft'] = readScalar(cursor, rest, base, name);
  }
  return fields;
}

/** Reads a text in any of YAML's forms; null if there is none. */
function readScalar(cursor: LineCursor, rest: string, indent: number, name: string): string | null {
  const value = rest.trimStart();
  switch (value[0]) {
    case '|':
    case '>':
      return readBlock(cursor, value, indent);
    case '"':
    case "'":
      return readQuoted(cursor, value, name);
    case '[':
    case '{':
      throw new UnreadableOutput(
        `"${name}" is a list or a mapping, and should be one text.`,
        'Quote it if it begins with a bracket.',
      );
    case '&':
    case '*':
    case '!':
      throw new UnreadableOutput(
        `"${name}" begins with "${value[0]}", which has a meaning of its own in YAML.`,
        `Use "${name}: |".`,
      );
    case '#':
      // Otherwise "draft: #4 is best" would count as silence.
      throw new UnreadableOutput(`All of "${name}" is behind a "#", which makes it a comment.`, `Use "${name}: |".`);
    default:
      return readPlainValue(cursor, value, indent, name);
  }
}

function readPlainValue(cursor: LineCursor, value: string, indent: number, name: string): string | null {
  const text = readPlain(cursor, value, indent);
  if (value === '' && /^(- |-$)/m.test(text))
    throw new UnreadableOutput(`"${name}" is a list, and should be one text.`);
  return text === '' || text === '~' || text === 'null' ? null : text;
}

function readThoughts(cursor: LineCursor, rest: string, indent: number): readonly string[] {
  const value = rest.trim();
  if (value.startsWith('[')) return readFlowList(cursor, value);
  if (value !== '' && !value.startsWith('#')) return [readScalar(cursor, rest, indent, 'thoughts') ?? ''];
  const thoughts: string[] = [];
  let dashColumn: number | undefined;
  for (; cursor.index < cursor.all.length; ) {
    const line = cursor.all[cursor.index] as string;
    if (isBlank(line)) {
      cursor.index++;
      continue;
    }
    const dash = /^( *)-(?= |$)/.exec(line);
    const column = dash?.[1]?.length ?? -1;
    if (!dash || column < indent) {
      if (indentOf(line) > indent && thoughts.length === 0) return [readPlain(cursor, '', indent)];
      break;
    }
    dashColumn ??= column;
    if (thoughts.length === MAX_THOUGHTS) throwTooManyThoughts();
    if (column !== dashColumn) throw misplacedLine(cursor.index, line);
    cursor.index++;
    const item = line.slice(dash[0].length);
    if (/^ *-( |$)/.test(item))
      throw new UnreadableOutput('"thoughts" is a list of lists, and should be one of texts.');
    thoughts.push(readScalar(cursor, item, column, 'thoughts') ?? '');
  }
  return thoughts;
}

function misplacedLine(lineIndex: number, line: string): UnreadableOutput {
  const message = `Line ${lineIndex + 1} is not in its place: ${JSON.stringify(line.trim().slice(0, 60))}.`;
  return new UnreadableOutput(message, 'Indent every line of a text that follows "|".');
}

function isBlank(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
