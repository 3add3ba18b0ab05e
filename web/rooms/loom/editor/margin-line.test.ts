import { expect, test } from 'vitest';
import { type MarginMark, marksForLine } from './margin-line.ts';

const mark = (at: number, text = '1/3'): MarginMark => {
  return { at, key: `b${at}`, text, label: `Branch at ${at}.`, className: 'branch', node: `n${at}`, act: 'branch' };
};
const line = [mark(0), mark(10), mark(20), mark(30)];
const shown = (...given: Parameters<typeof marksForLine>) =>
  marksForLine(...given).map(({ text, mark: { at } }) => `${text}@${at}`);

test('[W22] all marks of a line are shown while there is room', () => {
  expect(shown(line, 200, undefined)).toEqual(['1/3@0', '1/3@10', '1/3@20', '1/3@30']);
});

test('[W22] without room for all, the counter of the node with the caret is shown and the others are counted', () => {
  expect(shown(line, 100, undefined)).toEqual(['1/3@0', '+3@10']);
  expect(shown(line, 100, 35)).toEqual(['1/3@30', '+3@0']);
  expect(shown(line, 40, 25)).toEqual(['1/3@20']);
  expect(marksForLine(line, 40, 25)[0]?.mark.label).toBe('Branch at 20. 3 more in this line: move the caret there.');
});

test('[W22] what is no counter of branches is always shown', () => {
  const version: MarginMark = { ...mark(10, 'edited ×1'), key: 'v', act: 'version' };
  expect(shown([mark(0), mark(10), version], 60, 35)).toEqual(['1/3@10', 'edited ×1@10']);
});
