import { expect, test } from 'vitest';
import { describeRun, type RunView } from './describe.ts';

const now = Date.parse('2030-01-01T00:02:00Z');
const run: RunView = {
  ...{ state: 'running', done: 3, rounds: 5, since: '2030-01-01T00:00:00Z', budget: {} },
  spent: { rounds: 3, tokens: 1234, money: 0.0042 },
};

test('[D31] a run is described by its progress, pace, usage and what is left', () => {
  expect(describeRun(run, 'round', now)).toEqual({
    progress: '3 of 5 rounds',
    spent: '1,234 tokens, $0.0042',
    figures: ['1.5 a minute', '1,234 tokens, $0.0042', 'left: 2 rounds'],
    line: ['3 of 5 rounds', '1.5 a minute', '1,234 tokens, $0.0042'],
  });
  const { rounds: _, ...unlimited } = run;
  const unspent = { ...unlimited, done: 1, spent: { rounds: 0, tokens: 0, money: 0 } };
  expect(describeRun(unspent, 'round', now)).toEqual({
    ...{ progress: '1 round', spent: '0 tokens', figures: ['0 tokens'], line: ['1 round', '0 tokens'] },
  });
});

test('[D31] what is left is the least of the limit and the budget, and never below nothing', () => {
  const budget = { rounds: 4, tokens: 1000, money: 0.5, seconds: 3600 };
  const [, , left] = describeRun({ ...run, budget }, 'round', now).figures;
  expect(left).toBe('left: 1 round, 0 tokens, $0.50, 3,480 s');
  expect(describeRun({ ...run, budget }, 'round', now).line.at(-1)).toBe(left);
  expect(describeRun({ ...run, budget: { tokens: 2000 } }, 'round', now).line.at(-1)).toBe('left: 766 tokens');
  const iterations = { ...run, rounds: undefined, iterations: 9, budget: { iterations: 30 } };
  expect(describeRun(iterations, 'iteration', now).figures.at(-1)).toBe('left: 6 iterations');
});

test('[D31] a paused run has no pace and its time starts again; of an ended run nothing is left', () => {
  const budget = { tokens: 2000, seconds: 60 };
  const usage = '1,234 tokens, $0.0042';
  const paused = { ...run, state: 'paused', budget };
  expect(describeRun(paused, 'round', now).figures).toEqual([usage, 'left: 2 rounds, 766 tokens']);
  expect(describeRun({ ...paused, state: 'ended' }, 'round', now).figures).toEqual([usage]);
});

test('[D31] a run that has waited for an hour has no pace', () => {
  expect(describeRun(run, 'round', now + 3_600_000).figures).toEqual(['1,234 tokens, $0.0042', 'left: 2 rounds']);
});

test('[D31] a wait is told while it lasts', () => {
  const waiting = { since: '', until: '2030-01-01T00:02:01Z', why: 'It is asked too often.' };
  expect(describeRun({ ...run, waiting }, 'round', now).waiting).toEqual(waiting);
  expect(describeRun({ ...run, waiting }, 'round', now + 1000)).not.toHaveProperty('waiting');
  expect(describeRun({ ...run, state: 'paused', waiting }, 'round', now)).not.toHaveProperty('waiting');
});
