import { expect, test } from 'vitest';
import type {
  AuditItem,
  BranchItem,
  EntryItem,
  RestartItem,
  RoundItem,
  TermsVersionItem,
} from '../../../../src/client/index.ts';
import { type TimelineInput, timelineRows } from './rows.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const drift = { diversity: null, novelty: null, dominance: 0, noise: 1 };
const round = (number: number): RoundItem => ({
  round: number,
  event: `r${number}`,
  ts: at(10 * number),
  drift,
  thoughts: [],
  calls: [],
});
const entry = (type: EntryItem['type'], event: string, after: number, second: number): EntryItem => {
  return { entry: second, type, event, ts: at(second), by: 'human', round: after, text: event, marked: `[X] ${event}` };
};
const past = (more: Partial<TimelineInput>): TimelineInput => ({
  rounds: [],
  audits: [],
  entries: [],
  versions: [],
  restarts: [],
  ...more,
});
const keys = (more: Partial<TimelineInput>) => timelineRows(past(more)).map(({ key }) => key);

test('[X1] [X2] what was said stands below the round it came after, oldest first; both roles belong to their audit', () => {
  const entries = [
    entry('observer', 'said', 2, 26),
    entry('observer_role', 'role 2', 2, 24),
    entry('auditor_role', 'role 1', 2, 23),
    entry('audit', 'audit', 2, 22),
    entry('injection', 'injected', 1, 15),
    entry('injection', 'before all', 0, 2),
  ];
  const audits = [{ event: 'audit', audit: 1 } as AuditItem];
  expect(keys({ rounds: [round(2), round(1)], entries, audits })).toEqual([
    'before all',
    'round 1',
    'injected',
    'round 2',
    'audit',
    'said',
  ]);
  const letter = timelineRows(past({ rounds: [round(2), round(1)], entries, audits })).at(-2);
  expect(letter).toMatchObject({ kind: 'audit', roles: [{ event: 'role 1' }, { event: 'role 2' }] });
});

test('[X3] [X9] changed terms stand where they were announced, the beginning of a branch where it began', () => {
  const versions = [{ version: 2, ts: at(15) } as TermsVersionItem, { version: 1, ts: at(0) } as TermsVersionItem];
  const branch = { kind: 'rollback', from: { thread: 't', round: 1 } } as const;
  const begun = { thread: 'b', title: 'b', created: at(13), branch } as BranchItem;
  const rounds = [round(3), round(2), round(1)];
  expect(keys({ rounds, versions, branchStart: begun })).toEqual(['round 1', 'begun', 'terms 2', 'round 2', 'round 3']);
});

test('[X6] a restart is told with what it rests on; what is older than the loaded rounds is left for later', () => {
  const entries = [entry('restart', 'restart', 9, 95), entry('injection', 'long ago', 3, 31)];
  const restarts = [{ restart: 1, round: 9, ts: at(95), evidence: [], policy: 'pause' } as RestartItem];
  const rows = timelineRows(past({ rounds: [round(9), round(8)], entries, restarts }));
  expect(rows.map(({ key }) => key)).toEqual(['round 8', 'round 9', 'restart']);
  expect(rows.at(-1)).toMatchObject({ restart: { restart: 1 } });
});

test('[I14] [X19] the first word after an audit that asks is its answer, a later one is not', () => {
  const entries = [
    entry('observer', 'more', 1, 14),
    entry('observer', 'answer', 1, 13),
    entry('audit', 'audit', 1, 12),
    entry('observer', 'early', 0, 1),
  ];
  const audits = [{ event: 'audit', audit: 4, ask: true } as AuditItem];
  const rows = timelineRows(past({ rounds: [round(1)], entries, audits }));
  expect(rows.map((row) => (row.kind === 'entry' ? row.answers : row.kind))).toEqual([
    undefined,
    'round',
    'audit',
    4,
    undefined,
  ]);
});
