import { expect, test } from 'vitest';
import type { ThreadRow } from '../../src/client/index.ts';
import { KINDS } from '../ui/kinds.ts';
import { STEPS } from './steps.ts';

const row = (from: string, cursor: string, about: object = {}) =>
  ({ last: { ts: '', from, cursor }, about }) as ThreadRow;
const isDone = (kind: string, now: ThreadRow, initial = row('muse', 't.5')) =>
  STEPS.find((step) => step.kind === kind)?.isDone?.(now, initial, 'ana');

test('[I16] the tour has one step for each kind of thread and one for everything else', () => {
  expect(STEPS.map(({ kind }) => kind)).toEqual([...KINDS.map(({ kind }) => kind), undefined]);
});

test.each(['conversation', 'loom'])('[I16] the step in a %s is done once I have written there', (kind) => {
  expect(isDone(kind, row('ana', 't.6'))).toBe(true);
  expect(isDone(kind, row('muse', 't.6'))).toBe(false);
  expect(isDone(kind, row('ana', 't.5'), row('ana', 't.5'))).toBe(false);
});

test('[I16] the step in a dialogue is done once I have accepted a draft', () => {
  expect(isDone('dialogue', row('mind_0', 't.6', { turn: 1 }))).toBe(false);
  expect(isDone('dialogue', row('ana', 't.7'))).toBe(true);
});

test('[I16] the step in an exchange is done once I have answered the audit', () => {
  expect(isDone('exchange', row('auditor', 't.6'))).toBe(false);
  expect(isDone('exchange', row('auditor', 't.6', { audit: 1, awaiting: 'audit' }))).toBe(false);
  expect(isDone('exchange', row('ana', 't.7', { audit: 1 }))).toBe(true);
});
