import { extract } from './extract.ts';
import { type Fields, SILENT, Unreadable } from './fields.ts';
import { readJson } from './json.ts';
import { readYaml } from './yaml.ts';

/** What a mind wrote, or why nobody can tell. Nothing is thrown: all that comes from a model is hostile (D21). */
export type Output = Written | Malformed;

/** What is wrong with it, and, for the model alone, what to do instead (D11). */
export interface Malformed {
  readonly malformed: string;
  readonly mend?: string;
}

export interface Written {
  readonly thoughts: readonly string[];
  readonly draft?: string;
  readonly confidence?: number;
  readonly status?: 'working' | 'final';
  readonly clear?: true;
  readonly restart?: string;
  /** It is all prose, taken as the draft it must be (D28). */
  readonly unstructured?: true;
  /** Characters that no store keeps were replaced by U+FFFD (L15). */
  readonly cleaned?: true;
}

const MAX_BYTES = 256 * 1024;
/** What is read line by line costs by the line: with both limits no output takes long. */
const MAX_LINES = 8192;

export function parseOutput(raw: string): Output {
  if (Buffer.byteLength(raw) > MAX_BYTES) {
    return { malformed: `It is longer than ${MAX_BYTES / 1024} KiB.` };
  }
  if (linesIn(raw) > MAX_LINES) return { malformed: `It has more than ${MAX_LINES} lines.` };
  try {
    const found = extract(raw.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
    // Who says nothing at all is silent (D28).
    if (found.kind === 'nothing') return { thoughts: [] };
    if (found.kind === 'prose') return { ...checked({ draft: found.text }), unstructured: true };
    return checked(found.kind === 'json' ? readJson(found.text) : readYaml(found.text));
  } catch (error) {
    if (error instanceof Unreadable) return { malformed: error.message, ...(error.mend && { mend: error.mend }) };
    throw error;
  }
}

function linesIn(text: string): number {
  let lines = 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) lines++;
  }
  return lines;
}

function checked(fields: Fields): Written {
  if (Object.keys(fields).length === 0) {
    throw new Unreadable('It has no "thoughts" and no other key that is read.', SILENT);
  }
  const given = (fields.thoughts ?? []).map((text) => text.trim()).filter((text) => text !== '');
  const thoughts = given.map(storable);
  const written = fields.draft?.trimEnd() ?? '';
  const draft = storable(written);
  const reason = fields.restart?.trim() ?? '';
  const restart = storable(reason);
  const confidence = confidenceOf(fields.confidence);
  const status = fields.status?.trim().toLowerCase();
  const cleaned = draft !== written || restart !== reason || thoughts.some((text, i) => text !== given[i]);
  return {
    thoughts,
    ...(draft.trim() !== '' && { draft }),
    ...(confidence !== undefined && { confidence }),
    ...((status === 'working' || status === 'final') && { status }),
    ...(fields.clear?.trim().toLowerCase() === 'true' && { clear: true as const }),
    ...(restart !== '' && { restart }),
    ...(cleaned && { cleaned: true as const }),
  };
}

/** A mark, and no more: one that is not from 0 to 1 is as good as none. */
function confidenceOf(text: string | null | undefined): number | undefined {
  if (!text || !/^\s*[\d.]+\s*$/.test(text)) return undefined;
  const value = Number(text);
  return value >= 0 && value <= 1 ? value : undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

function storable(text: string): string {
  return text.toWellFormed().replace(CONTROLS, '\ufffd');
}
