import { readFileSync, writeFileSync } from 'node:fs';
import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { participantId } from '../core/threads/schema.ts';
import { StoreUnavailable } from '../log/event-log.ts';
import { unusable } from './directory.ts';

/** What heddle.yaml may say. Keys that later parts of Heddle read (models, clients, defaults) are let through. */
const schema = z.looseObject({
  person: z.strictObject({ id: participantId.default('human') }).prefault({}),
  synchronous: z.enum(['FULL', 'NORMAL']).default('FULL'),
  limits: z
    .strictObject({
      burst: z.number().int().positive().exactOptional(),
      per_second: z.number().positive().exactOptional(),
      streams: z.number().int().positive().exactOptional(),
    })
    .default({}),
});
export type Settings = z.infer<typeof schema>;

const FIRST_SETTINGS = `# Settings of this Heddle workspace. Everything here may be left out; what you see is what holds without it.
# Heddle reads this file when it starts. "heddle doctor" says whether it can be read.

# Who you are in threads: the id others see and address you by.
# person:
#   id: human

# FULL: what was acknowledged is on the disk. NORMAL is faster and may lose the last moments in a power cut.
# synchronous: FULL

# What one credential may ask of the server: so many requests at once, then so many a second; so many open streams.
# limits:
#   burst: 20000
#   per_second: 2000
#   streams: 2000
`;

const LARGEST = 1024 * 1024;

/** Reads the workspace's settings, or says in which line they are wrong. */
export function readSettings(path: string): Settings {
  const text = textOf(path);
  const lines = new LineCounter();
  if (text.length > LARGEST) throw wrong(path, undefined, 'the file is larger than 1 MiB');
  const document = parse(path, text, lines);
  const [error] = document.errors;
  if (error) throw wrong(path, lines.linePos(error.pos[0]).line, error.message);
  const parsed = schema.safeParse(plainOf(document, path) ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  throw wrong(path, lineOf(document, lines, issue), saidOf(issue));
}

/** Written once, so that whoever looks for settings finds what there is. */
export function writeFirstSettings(path: string): void {
  try {
    writeFileSync(path, FIRST_SETTINGS, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, error);
  }
}

function textOf(path: string): string {
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
    if (error instanceof RangeError) throw wrong(path, undefined, 'it is nested too deeply');
    throw error;
  }
}

function plainOf(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw wrong(path, undefined, 'it uses aliases (*name), which are not allowed here; write the value out');
  }
}

function lineOf(document: Document, lines: LineCounter, { path, ...issue }: z.core.$ZodIssue): number | undefined {
  const unknown = issue.code === 'unrecognized_keys' ? [issue.keys[0] as string] : [];
  for (let at = [...path, ...unknown] as (string | number)[]; at.length > 0; at = at.slice(0, -1)) {
    const parent = at.length > 1 ? document.getIn(at.slice(0, -1), true) : document.contents;
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(at.at(-1))) : undefined;
    const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return undefined;
}

function saidOf(issue: z.core.$ZodIssue): string {
  const name = issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return `"${[name, issue.keys[0]].filter(Boolean).join('.')}" is not a setting`;
  if (name === '') return 'it must be a list of "name: value" lines';
  return `"${name}" is not acceptable: ${issue.message}`;
}

function wrong(path: string, line: number | undefined, why: string): StoreUnavailable {
  const where = line === undefined ? path : `${path}, line ${line}`;
  return new StoreUnavailable(
    `${where}: ${why.replace(/\.$/, '')}. Mend the file, or move it away to go on with what holds without it.`,
  );
}
