import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { StoreUnavailable } from '../../log/event-log.ts';
import { describeIssue } from './issue-sentence.ts';

const MAX_FILE_CHARS = 1024 * 1024;

/** A parsed and validated YAML file, with line numbers for errors. */
export interface YamlFile<T> {
  readonly data: T;
  /** An error that names the line of a key, or of its parent if the key is missing. */
  errorAt(path: readonly PropertyKey[], why: string): StoreUnavailable;
}

/** Parses a file, or throws an error that names the line. */
export function parseYaml<Schema extends z.ZodType>(
  path: string,
  text: string,
  schema: Schema,
): YamlFile<z.output<Schema>> {
  if (text.length > MAX_FILE_CHARS) throw fileError(path, undefined, 'the file is larger than 1 MiB');
  const lines = new LineCounter();
  const document = parseYamlDocument(path, text, lines);
  const [error] = document.errors;
  if (error) throw fileError(path, lines.linePos(error.pos[0]).line, error.message);
  const errorAt = (keys: readonly PropertyKey[], why: string) => fileError(path, lineOf(document, lines, keys), why);
  const input = toPlain(document, path) ?? {};
  const parsed = schema.safeParse(input);
  if (parsed.success) return { data: parsed.data, errorAt };
  const { keys, sentence } = describeIssue(parsed.error.issues[0] as z.core.$ZodIssue, schema, input);
  throw errorAt(keys, sentence);
}

function parseYamlDocument(path: string, text: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false });
  } catch (error) {
    if (error instanceof RangeError) throw fileError(path, undefined, 'it is nested too deeply');
    throw error;
  }
}

function toPlain(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw fileError(path, undefined, 'it uses aliases (*name), which are not allowed here; write the value out');
  }
}

function lineOf(document: Document, lines: LineCounter, keys: readonly PropertyKey[]): number | undefined {
  for (let keyPath = [...keys] as (string | number)[]; keyPath.length > 0; keyPath = keyPath.slice(0, -1)) {
    const parent = keyPath.length > 1 ? document.getIn(keyPath.slice(0, -1), true) : document.contents;
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(keyPath.at(-1))) : undefined;
    const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return undefined;
}

function fileError(path: string, line: number | undefined, why: string): StoreUnavailable {
  const where = line === undefined ? path : `${path}, line ${line}`;
  return new StoreUnavailable(
    `${where}: ${why.replace(/([^.?])$/, '$1.')} Fix the file, or move it away to use the defaults.`,
  );
}
