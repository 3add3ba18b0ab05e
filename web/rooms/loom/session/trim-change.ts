import type { TextChange } from '../../../../src/core/loom/weave/weave.ts';
import { commonEnds } from '../common-ends.ts';

/** A change without what it leaves as it is; undefined when that is all of it. */
export function trimChange({ from, to, insert }: TextChange, oldText: string): TextChange | undefined {
  const { prefix, suffix } = commonEnds(oldText, insert);
  if (prefix + suffix === oldText.length && oldText.length === insert.length) return undefined;
  return { from: from + prefix, to: to - suffix, insert: insert.slice(prefix, insert.length - suffix) };
}
