import { readFileSync } from 'node:fs';
import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { StoreUnavailable } from '../../log/event-log.ts';
import { unusable } from '../directory.ts';
import { sentenceOf } from './issue-sentence.ts';

const LARGEST = 1024 * 1024;

/** A YAML file after its schema: what it says, and in which line. */
export interface YamlFile<T> {
  readonly data: T;
  /** An error that names the line of a key; of its parent where the key is not written. */
  wrong(path: readonly PropertyKey[], why: string): StoreUnavailable;
}

/** What a file says, or in which line it is wrong. */
export function parseYaml<Schema extends z.ZodType>(
  path: string,
  text: string,
  schema: Schema,
): YamlFile<z.output<Schema>> {
  if (text.length > LARGEST) throw wrongAt(path, undefined, 'the file is larger than 1 MiB');
  const lines = new LineCounter();
  const document = parse(path, text, lines);
  const [error] = document.errors;
  if (error) throw wrongAt(path, lines.linePos(error.pos[0]).line, error.message);
  const wrong = (keys: readonly PropertyKey[], why: string) => wrongAt(path, lineOf(document, lines, keys), why);
  const input = plainOf(document, path) ?? {};
  const parsed = schema.safeParse(input);
  if (parsed.success) return { data: parsed.data, wrong };
  const { keys, sentence } = sentenceOf(parsed.error.issues[0] as z.core.$ZodIssue, schema, input);
  throw wrong(keys, sentence);
}

/** A file that is not there says nothing. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw unusable(path, error);
  }
}

function parse(path: string, text: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false });
  } catch (error) {
    if (error instanceof RangeError) throw wrongAt(path, undefined, 'it is nested too deeply');
    throw error;
  }
}

function plainOf(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw wrongAt(path, undefined, 'it uses aliases (*name), which are not allowed here; write the value out');
  }
}

function lineOf(document: Document, lines: LineCounter, keys: readonly PropertyKey[]): number | undefined {
  for (let at = [...keys] as (string | number)[]; at.length > 0; at = at.slice(0, -1)) {
    const parent = at.length > 1 ? document.getIn(at.slice(0, -1), true) : document.contents;
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(at.at(-1))) : undefined;
    const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return undefined;
}

function wrongAt(path: string, line: number | undefined, why: string): StoreUnavailable {
  const where = line === undefined ? path : `${path}, line ${line}`;
  return new StoreUnavailable(
    `${where}: ${why.replace(/([^.?])$/, '$1.')} Mend the file, or move it away to go on with what holds without it.`,
  );
}
