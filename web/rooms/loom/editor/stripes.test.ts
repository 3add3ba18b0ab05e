import { expect, test } from 'vitest';
import { stripesOf } from './stripes.ts';

/** Lines of ten characters, 29 pixels high. */
const lineAt = (at: number) => {
  const top = Math.floor(at / 10) * 29;
  return { top, bottom: top + 29, middle: top + 14.5, share: (at % 10) / 10 };
};
const by = (hue: number, from: number, to: number) => ({ from, textFrom: from, to, hue, isOwn: hue === 0 });

test('[W15] a line that two authors share belongs to the one who has more of it', () => {
  expect(stripesOf([by(0, 0, 18), by(3, 18, 40)], lineAt)).toEqual([
    { hue: 0, isOwn: true, top: 0, bottom: 58 },
    { hue: 3, isOwn: false, top: 58, bottom: 145 },
  ]);
  expect(stripesOf([by(0, 0, 12), by(3, 12, 35)], lineAt).map(({ top, bottom }) => [top, bottom])).toEqual([
    [0, 29],
    [29, 116],
  ]);
});

test('[W15] the last line of a paragraph belongs to who wrote it, however short it is', () => {
  const next = { ...by(0, 13, 30), textFrom: 20 };
  expect(stripesOf([by(3, 0, 13), next], lineAt).map(({ top, bottom }) => [top, bottom])).toEqual([
    [0, 58],
    [58, 116],
  ]);
});

test('[W15] a few words inside a line have no stripe of their own', () => {
  expect(stripesOf([by(0, 0, 12), by(3, 12, 14), by(0, 14, 25)], lineAt)).toEqual([
    { hue: 0, isOwn: true, top: 0, bottom: 87 },
  ]);
});
