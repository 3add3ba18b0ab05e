import { asText, isObject, own, text } from '../fields.ts';
import type { Value } from '../json.ts';

/*
 * Patches as diff-match-patch writes them into JSON: hunks of [operation, text]
 * with the place they begin at in the text so far. A file's own patches fit
 * exactly; a hunk that does not is looked for nearby, and refused if not found.
 */

export interface Hunk {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

export function hunksOf(patch: Value | undefined): readonly Hunk[] | undefined {
  if (patch === undefined || patch === null || patch === '') return [];
  if (!Array.isArray(patch)) return undefined;
  const hunks: Hunk[] = [];
  for (const hunk of patch) {
    const diffs = own(hunk, 'diffs');
    if (!Array.isArray(diffs)) return undefined;
    const before: string[] = [];
    const after: string[] = [];
    for (const diff of diffs) {
      const pair = diffOf(diff);
      if (pair === undefined) return undefined;
      const [operation, part] = pair;
      if (operation <= 0) before.push(part);
      if (operation >= 0) after.push(part);
    }
    const at = own(hunk, 'start2') ?? own(hunk, 'start1');
    hunks.push({ at: typeof at === 'number' && at >= 0 ? at : 0, before: before.join(''), after: after.join('') });
  }
  return hunks;
}

/** The text with every hunk in it, or undefined where one does not fit. */
export function applyHunks(document: string, hunks: readonly Hunk[]): string | undefined {
  let result = document;
  for (const { at, before, after } of hunks) {
    const place = result.startsWith(before, at) ? at : nearest(result, before, at);
    if (place < 0) return undefined;
    result = result.slice(0, place) + after + result.slice(place + before.length);
  }
  return result;
}

/** What is added at the very end by a patch that does nothing else; undefined for any other patch. */
export function appendedBy(
  hunks: readonly Hunk[],
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

function diffOf(diff: Value): readonly [number, string] | undefined {
  const operation = Array.isArray(diff) ? diff[0] : own(diff, '0');
  const part = Array.isArray(diff) ? asText(diff[1]) : isObject(diff) ? text(diff, '1') : undefined;
  return typeof operation === 'number' && part !== undefined ? [operation, part] : undefined;
}

function nearest(document: string, wanted: string, at: number): number {
  const after = document.indexOf(wanted, at);
  const before = document.lastIndexOf(wanted, at);
  if (after < 0 || before < 0) return Math.max(after, before);
  return after - at < at - before ? after : before;
}
