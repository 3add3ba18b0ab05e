import { FIELDS, type Fields, MAX_THOUGHTS, tooMany, Unreadable } from './fields.ts';

const MAX_DEPTH = 32;

/** The same fields as a JSON object; what follows it is not looked at. */
export function readJson(text: string): Fields {
  const end = endOf(text);
  let value: Readonly<Record<string, unknown>>;
  try {
    value = JSON.parse(text.slice(0, end), literally as (key: string, value: unknown) => unknown);
  } catch (error) {
    throw new Unreadable(`It is not valid JSON: ${(error as Error).message}.`);
  }
  const fields: { -readonly [Name in keyof Fields]: Fields[Name] } = {};
  for (const name of FIELDS) {
    if (!Object.hasOwn(value, name)) continue;
    if (name === 'thoughts') fields.thoughts = listOf(value[name]);
    else fields[name] = scalarOf(value[name], name);
  }
  return fields;
}

/** Numbers stay as they were written (D10). */
function literally(_: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? (context.source ?? String(value)) : value;
}

function listOf(value: unknown): readonly string[] {
  if (value === null) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.length > MAX_THOUGHTS) tooMany();
  if (Array.isArray(value)) return value.map((item) => scalarOf(item, 'thoughts') ?? '');
  throw new Unreadable('"thoughts" is no list of texts.');
}

function scalarOf(value: unknown, name: string): string | null {
  if (value === null || typeof value === 'string') return value;
  throw new Unreadable(`"${name}" is no ${name === 'thoughts' ? 'list of texts' : 'text'}.`);
}

/** Where the outermost object ends; refuses what is nested too deep before anything is built. */
function endOf(text: string): number {
  let depth = 0;
  for (let i = text.indexOf('{'); i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
    } else if (c === '{' || c === '[') {
      if (++depth > MAX_DEPTH) throw new Unreadable(`It is nested more than ${MAX_DEPTH} levels deep.`);
    } else if ((c === '}' || c === ']') && --depth === 0) return i + 1;
  }
  throw new Unreadable('The JSON object is not closed.');
}
