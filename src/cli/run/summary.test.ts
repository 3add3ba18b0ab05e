import { expect, test } from 'vitest';
import { summarizeRounds as ofExchange } from '../logos/run.ts';
import { summarizeMindRun as ofDialogue } from '../mind/run.ts';

const spent = { tokens: 1234, money: 0.0042 };
const facts = { run: 2, since: '2030-01-01T00:00:00Z', budget: {}, done: 3 };
const asRounds = (more: object) =>
  ofExchange({ ...facts, rounds: 5, spent: { ...spent, rounds: 3 }, ...more } as never, 'USD');
const asIterations = (more: object) =>
  ofDialogue({ ...facts, iterations: 5, spent: { ...spent, iterations: 3 }, ...more } as never, 'USD');

test('[D31] every summary of a run says what it cost, in an exchange as in a dialogue', () => {
  const cost = '(1,234 tokens, $0.0042)';
  expect(asRounds({ state: 'ended', reason: 'done' })).toBe(`Completed 3 of 5 rounds ${cost}.`);
  expect(asIterations({ state: 'ended', reason: 'done' })).toBe(`completed 3 of 5 iterations ${cost}.`);
  expect(asRounds({ state: 'ended', reason: 'halted' })).toBe(
    `Run 2 ended after 3 of 5 rounds ${cost}: the exchange was halted.`,
  );
  expect(asRounds({ state: 'paused', why: 'The pool asks for a restart.' })).toBe(
    `Run 2 is paused after 3 of 5 rounds ${cost}: The pool asks for a restart.`,
  );
  expect(asRounds({ state: 'running', interrupted: true })).toBe(`Run 2 was interrupted after 3 of 5 rounds ${cost}.`);
});

test('[D31] an exchange that waits for its model says so in its status, as a dialogue does', () => {
  const waiting = { since: '', until: '2130-01-01T00:00:09Z', why: 'The model "m" is rate-limited (429).' };
  expect(asRounds({ state: 'running', waiting })).toMatch(
    /^Run 2 is at 3 of 5 rounds \(.*\)\. Waiting for the model until \d\d:\d\d:\d\d: The model "m" is rate-limited/,
  );
});

test('[D31] a wait that is over is no longer told: the model is being asked again', () => {
  const waiting = { since: '', until: '2001-01-01T00:00:00Z', why: 'Nothing answers.' };
  expect(asRounds({ state: 'running', waiting })).toBe('Run 2 is at 3 of 5 rounds (1,234 tokens, $0.0042).');
  expect(asIterations({ state: 'running', waiting })).not.toContain('Waiting');
});
