import { expect, test } from 'vitest';
import { fuzzRuns, seeded } from '../../../../test/support/random.ts';
import { codeUnitAt, type Rope, replaceIn, ropeOf, sliceOf } from './rope.ts';

test('[W8] a rope equals its string and stays balanced, seeds from 1', () => {
  for (let seed = 1; seed <= Math.min(fuzzRuns(20), 2000); seed++) {
    const random = seeded(seed);
    let text = 'seed '.repeat(random.below(4000));
    let rope = ropeOf(text);
    for (let step = 0; step < 60; step++) {
      const from = random.below(text.length + 1);
      const longest = random.below(10) === 0 ? text.length : 2500;
      const to = Math.min(text.length, from + random.below(random.below(3) * longest + 1));
      const insert = '0123456789'.repeat(random.below(random.pick([2, 40, 400]))).slice(random.below(9));
      const before = rope;
      const previous = text;
      text = text.slice(0, from) + insert + text.slice(to);
      rope = replaceIn(rope, from, to, insert);
      const [a, b] = [random.below(text.length + 1), random.below(text.length + 1)];
      if (sliceOf(rope, 0, text.length) !== text) throw new Error(`seed ${seed}: the text differs`);
      if (sliceOf(rope, a, b) !== text.slice(a, Math.max(a, b))) throw new Error(`seed ${seed}: a part differs`);
      if (text !== '' && codeUnitAt(rope, a >> 1) !== text.charCodeAt(a >> 1)) throw new Error(`seed ${seed}: unit`);
      if (sliceOf(before, 0, previous.length) !== previous) throw new Error(`seed ${seed}: the earlier text changed`);
      expect(imbalance(rope)).toBeLessThan(2);
    }
  }
});

/** The largest difference in height between siblings. */
function imbalance(rope: Rope): number {
  if (!('left' in rope)) return 0;
  const difference = Math.abs(rope.left.height - rope.right.height);
  return Math.max(difference, imbalance(rope.left), imbalance(rope.right));
}
