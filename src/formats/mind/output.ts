import { extractAnswer } from './extract.ts';
import { type MindOutputFields, SILENCE_HINT, UnreadableOutput } from './fields.ts';
import { readMindJson } from './json.ts';
import { readMindYaml } from './yaml.ts';

/** The parsed output, or the reason it could not be read. Nothing throws: all model output is hostile (D21). */
export type MindOutput = ParsedOutput | MalformedOutput;

/** The problem, and a hint for the model alone (D11). */
export interface MalformedOutput {
  readonly malformed: string;
  readonly mend?: string;
}

export interface ParsedOutput {
  readonly thoughts: readonly string[];
  readonly draft?: string;
  readonly confidence?: number;
  readonly status?: 'working' | 'final';
  readonly clear?: true;
  readonly restart?: string;
  /** The output is all prose, so it became the draft (D28). */
  readonly unstructured?: true;
  /** Characters that no store keeps were replaced by U+FFFD (L15). */
  readonly cleaned?: true;
}

const MAX_BYTES = 256 * 1024;
/** Reading costs time per line, so lines are limited as well as bytes. */
const MAX_LINES = 8192;

export function parseMindOutput(raw: string): MindOutput {
  if (Buffer.byteLength(raw) > MAX_BYTES) {
    return { malformed: `It is longer than ${MAX_BYTES / 1024} KiB.` };
  }
  if (countLines(raw) > MAX_LINES) return { malformed: `It has more than ${MAX_LINES} lines.` };
  try {
    const answer = extractAnswer(raw.replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
    // An empty answer is silence (D28).
    if (answer.kind === 'nothing') return { thoughts: [] };
    if (answer.kind === 'prose') return { ...checkFields({ draft: answer.text }), unstructured: true };
    return checkFields(answer.kind === 'json' ? readMindJson(answer.text) : readMindYaml(answer.text));
  } catch (error) {
    if (error instanceof UnreadableOutput) return { malformed: error.message, ...(error.mend && { mend: error.mend }) };
    throw error;
  }
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) lines++;
  }
  return lines;
}

function checkFields(fields: MindOutputFields): ParsedOutput {
  if (Object.keys(fields).length === 0) {
    throw new UnreadableOutput('It has no "thoughts" and no other key that is read.', SILENCE_HINT);
  }
  const rawThoughts = (fields.thoughts ?? []).map((text) => text.trim()).filter((text) => text !== '');
  const thoughts = rawThoughts.map(toStorable);
  const rawDraft = fields.draft?.trimEnd() ?? '';
  const draft = toStorable(rawDraft);
  const rawRestart = fields.restart?.trim() ?? '';
  const restart = toStorable(rawRestart);
  const confidence = confidenceOf(fields.confidence);
  const status = fields.status?.trim().toLowerCase();
  const isCleaned = draft !== rawDraft || restart !== rawRestart || thoughts.some((text, i) => text !== rawThoughts[i]);
  return {
    thoughts,
    ...(draft.trim() !== '' && { draft }),
    ...(confidence !== undefined && { confidence }),
    ...((status === 'working' || status === 'final') && { status }),
    ...(fields.clear?.trim().toLowerCase() === 'true' && { clear: true as const }),
    ...(restart !== '' && { restart }),
    ...(isCleaned && { cleaned: true as const }),
  };
}

/** A confidence outside of 0 to 1 is ignored. */
function confidenceOf(text: string | null | undefined): number | undefined {
  if (!text || !/^\s*[\d.]+\s*$/.test(text)) return undefined;
  const value = Number(text);
  return value >= 0 && value <= 1 ? value : undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

function toStorable(text: string): string {
  return text.toWellFormed().replace(CONTROLS, '\ufffd');
}
