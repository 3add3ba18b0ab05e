import { asText, getField, getText, isObject } from '../fields.ts';
import type { JsonValue } from '../json.ts';

/*
 * Patches as diff-match-patch writes them into JSON: hunks of [operation, text]
 * with their start in the text so far. A file's own patches fit exactly; a hunk
 * that does not is searched nearby, and refused if not found.
 */

export interface PatchHunk {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

export function parseHunks(patch: JsonValue | undefined): readonly PatchHunk[] | undefined {
  if (patch === undefined || patch === null || patch === '') return [];
  if (!Array.isArray(patch)) return undefined;
  const hunks: PatchHunk[] = [];
  for (const hunk of patch) {
    const diffs = getField(hunk, 'diffs');
    if (!Array.isArray(diffs)) return undefined;
    const before: string[] = [];
    const after: string[] = [];
    for (const diff of diffs) {
      const pair = parseDiff(diff);
      if (pair === undefined) return undefined;
      const [operation, diffText] = pair;
      if (operation <= 0) before.push(diffText);
      if (operation >= 0) after.push(diffText);
    }
    const at = getField(hunk, 'start2') ?? getField(hunk, 'start1');
    hunks.push({ at: typeof at === 'number' && at >= 0 ? at : 0, before: before.join(''), after: after.join('') });
  }
  return hunks;
}

/** Applies every hunk; undefined if one does not fit. */
export function applyHunks(document: string, hunks: readonly PatchHunk[]): string | undefined {
  let result = document;
  for (const { at, before, after } of hunks) {
    const index = result.startsWith(before, at) ? at : nearestIndex(result, before, at);
    if (index < 0) return undefined;
    result = result.slice(0, index) + after + result.slice(index + before.length);
  }
  return result;
}

/** The text that a patch appends if it does nothing else; undefined for any other patch. */
export function appendedText(
  hunks: readonly PatchHunk[],
  length: number,
  endsWith: (tail: string) => boolean,
): string | undefined {
  if (hunks.length === 0) return '';
  const [hunk] = hunks;
  if (hunks.length !== 1 || hunk === undefined) return undefined;
  const { at, before, after } = hunk;
  if (at + before.length !== length || !after.startsWith(before) || !endsWith(before)) return undefined;
  return after.slice(before.length);
}

function parseDiff(diff: JsonValue): readonly [number, string] | undefined {
  const operation = Array.isArray(diff) ? diff[0] : getField(diff, '0');
  const diffText = Array.isArray(diff) ? asText(diff[1]) : isObject(diff) ? getText(diff, '1') : undefined;
  return typeof operation === 'number' && diffText !== undefined ? [operation, diffText] : undefined;
}

function nearestIndex(document: string, needle: string, at: number): number {
  const after = document.indexOf(needle, at);
  const before = document.lastIndexOf(needle, at);
  if (after < 0 || before < 0) return Math.max(after, before);
  return after - at < at - before ? after : before;
}
