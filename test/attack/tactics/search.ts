import type { Tactic } from '../tactic.ts';
import { hostileString } from '../values.ts';
import { inParallel, repeat } from '../waiting.ts';

const WORDS = [
  '-',
  'a-b',
  'well-known',
  '"',
  '"a',
  '*',
  'a*',
  '-a',
  '--',
  'a -b',
  '^',
  'a OR b',
  'NEAR(a)',
  ':',
  "'",
  '(',
  ')',
  '{}',
  '\\',
  '%',
  '_',
  'ä',
  '\u0000',
  '😀',
  '"a" "b',
  '-"a b"',
  '+a',
  'a:b',
  'AND',
  '.',
  ',',
  '#1',
  '@bee',
  '!',
  '~',
];

/** The syntax of three indexes, in the words of a search. */
export const search: Tactic = {
  name: 'search',
  rules: '[I5] [W26]',
  async run({ house, random, scale, intruder }) {
    const mallory = await intruder();
    const { hall, loom } = house.places;
    const all = [...WORDS, ...repeat(20 * scale, () => hostileString(random, house).slice(0, 400))];
    await inParallel(all, 4, async (words) => {
      const q = encodeURIComponent(words.toWellFormed());
      await mallory.get(`/api/search?q=${q}`);
      await mallory.get(`/api/search?q=${q}&thread=${hall}&limit=1&cursor=${q.slice(0, 60)}`);
      await mallory.get(`/api/threads/${loom}/found?words=${q}`);
      await mallory.get(`/api/threads/${loom}/nodes?like=${q}`);
    });
  },
};
