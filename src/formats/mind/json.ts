import { FIELD_NAMES, MAX_THOUGHTS, type MindOutputFields, throwTooManyThoughts, UnreadableOutput } from './fields.ts';

const MAX_DEPTH = 32;

/** Reads the same fields from a JSON object and ignores any text after it. */
export function readMindJson(text: string): MindOutputFields {
  const end = objectEnd(text);
  let value: Readonly<Record<string, unknown>>;
  try {
    value = JSON.parse(text.slice(0, end), keepLiteral as (key: string, value: unknown) => unknown);
  } catch (error) {
    throw new UnreadableOutput(`It is not valid JSON: ${(error as Error).message}.`);
  }
  const fields: { -readonly [Name in keyof MindOutputFields]: MindOutputFields[Name] } = {};
  for (const name of FIELD_NAMES) {
    if (!Object.hasOwn(value, name)) continue;
    if (name === 'thoughts') fields.thoughts = thoughtsOf(value[name]);
    else fields[name] = textOf(value[name], name);
  }
  return fields;
}

/** Keeps numbers exactly as written (D10). */
function keepLiteral(_: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? (context.source ?? String(value)) : value;
}

function thoughtsOf(value: unknown): readonly string[] {
  if (value === null) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.length > MAX_THOUGHTS) throwTooManyThoughts();
  if (Array.isArray(value)) return value.map((item) => textOf(item, 'thoughts') ?? '');
  throw new UnreadableOutput('"thoughts" is no list of texts.');
}

function textOf(value: unknown, name: string): string | null {
  if (value === null || typeof value === 'string') return value;
  throw new UnreadableOutput(`"${name}" is no ${name === 'thoughts' ? 'list of texts' : 'text'}.`);
}

/** Finds the end of the outermost object; rejects deep nesting before parsing anything. */
function objectEnd(text: string): number {
  let depth = 0;
  for (let i = text.indexOf('{'); i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
    } else if (c === '{' || c === '[') {
      if (++depth > MAX_DEPTH) throw new UnreadableOutput(`It is nested more than ${MAX_DEPTH} levels deep.`);
    } else if ((c === '}' || c === ']') && --depth === 0) return i + 1;
  }
  throw new UnreadableOutput('The JSON object is not closed.');
}
