import { expect, test } from 'vitest';
import { passageOffset } from './target.ts';

test('[I28] what is selected on the page is found in the text as it was written', () => {
  const text = 'A **pond**, and a pond\nby the wall.';
  expect(passageOffset(text, { words: 'pond', nth: 0 })).toBe(4);
  expect(passageOffset(text, { words: 'pond', nth: 1 })).toBe(18);
  expect(passageOffset(text, { words: ' pond\nby', nth: 0 })).toBe(4);
  // Words before it that are not of the text, such as a name, do not lead astray.
  expect(passageOffset(text, { words: 'wall', nth: 3 })).toBe(30);
  expect(passageOffset(text, { words: 'roses', nth: 0 })).toBeUndefined();
});
