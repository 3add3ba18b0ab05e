import { settledLength } from './blocks.ts';

/**
 * Splits a text each time it has grown: into parts that no later word can change, which are the same each time, and the
 * rest. So that a long text costs no more with each word than a short one.
 */
export function createSplitter(): (text: string) => readonly string[] {
  let settled: readonly string[] = [];
  let settledText = '';
  return (text) => {
    if (!text.startsWith(settledText)) [settled, settledText] = [[], ''];
    const rest = text.slice(settledText.length);
    const length = settledLength(rest);
    if (length === 0) return [...settled, rest];
    settled = [...settled, rest.slice(0, length)];
    settledText = text.slice(0, settledText.length + length);
    return [...settled, rest.slice(length)];
  };
}
