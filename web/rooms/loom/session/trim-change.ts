import type { TextChange } from '../../../../src/core/loom/weave/weave.ts';
import { commonEnds } from '../common-ends.ts';

/** Removes the unchanged ends of a change; undefined if nothing changes. */
export function trimChange({ from, to, insert }: TextChange, oldText: string): TextChange | undefined {
  const { prefix, suffix } = commonEnds(oldText, insert);
  if (prefix + suffix === oldText.length && oldText.length === insert.length) return undefined;
  return { from: from + prefix, to: to - suffix, insert: insert.slice(prefix, insert.length - suffix) };
}
