import { expect, test } from 'vitest';
import { linePath, MEASURE_NAMES, MEASURES, measureX } from './measures.ts';

test('[X11] every measure says what its value tells, and where it would tell something else', () => {
  for (const name of MEASURE_NAMES) {
    const sentences = [0, 1].map((value) => MEASURES[name].tell(value));
    expect(new Set(sentences).size, name).toBe(2);
    for (const sentence of sentences) expect(sentence, name).toMatch(/\. .*0\.\d0/);
  }
});

test('[X11] a line is broken where nothing was measured', () => {
  const rounds = [1, 2, 3, 4].map((round) => ({ round, value: round === 3 ? null : 0.5 }));
  expect(linePath(rounds, measureX(rounds, 30), () => 1)).toBe('M0.0 1.0L10.0 1.0M30.0 1.0');
});
