import { expect, test } from 'vitest';
import type { ThreadRow, WireUsage } from '../../src/client/index.ts';
import { needSentence, needsOf, remainingBudget } from './needs.ts';

const last = { ts: '2026-11-16T06:00:00.000Z', from: 'alpha', cursor: 't.9' };
const row = (id: string, kind: ThreadRow['kind'], more: Partial<ThreadRow> = {}): ThreadRow => ({
  id,
  title: id,
  kind,
  creator: 'ana',
  created: last.ts,
  done: false,
  paused: false,
  last,
  ...more,
});
const needs = (rows: readonly ThreadRow[], seen: number | undefined = 5, usage?: WireUsage) =>
  needsOf({ rows, me: 'ana', readUpTo: () => seen, usage }).map((need) => [
    needSentence(need, (_, id) => id),
    need.link,
    need.quiet ?? false,
  ]);
const cards = (rows: readonly ThreadRow[]) =>
  needsOf({ rows, me: 'ana', readUpTo: () => 5 }).map(({ by, facts, quote, action }) => ({ by, facts, quote, action }));

test('[I31] a dialogue needs the person when its run is held, when the mind is done, and quietly when a draft lies there', () => {
  const about = (state: object) => row('d', 'dialogue', { about: { turn: 2, draft: 4, ...state } });
  expect(needs([about({ attention: 'needs_you', held: 'The budget is used up. Resume it to go on.' })])).toEqual([
    ['The mind stopped after draft 4: the budget is used up', '/dialogue/d#2.4', false],
  ]);
  expect(needs([about({ attention: 'needs_you' })])).toEqual([['The mind finished draft 4', '/dialogue/d#2.4', false]]);
  expect(needs([about({ attention: 'needs_you', empty: true })])).toEqual([
    ['The mind gave an empty answer after draft 4', '/dialogue/d#2.4', false],
  ]);
  expect(needs([about({ attention: 'publishable' })])).toEqual([
    ['The mind says draft 4 could be sent', '/dialogue/d#2.4', true],
  ]);
  expect(needs([about({ attention: 'thinking' })])).toEqual([
    ['The mind wrote draft 4 and has stopped', '/dialogue/d#2.4', true],
  ]);
  expect(needs([{ ...about({ attention: 'thinking' }), working: true }])).toEqual([]);
  expect(needs([row('d', 'dialogue', { about: { attention: 'idle', turn: null } })])).toEqual([]);
});

test('[I31] an exchange needs the person for a restart, for an answer, for an audit that was not read', () => {
  const about = (state: object) => row('x', 'exchange', { about: { phase: 'structured', ...state } });
  const audit = { audit: 3, seq: 8, ts: last.ts };
  expect(needs([about({ attention: 'needs_you', restart: 1, why: 'The pool asks for a restart.' })])).toEqual([
    ['The minds ask for a restart', '/exchange/x', false],
  ]);
  const request = { by: 'gull', text: 'The question is wrong.' };
  const asking = about({ attention: 'needs_you', restart: 1, request, round: 4 });
  expect(needs([asking])).toEqual([['gull asks for a restart', '/exchange/x', false]]);
  expect(cards([asking])).toEqual([
    { by: 'gull', facts: 'paused after round 4', quote: 'The question is wrong.', action: { kind: 'restart' } },
  ]);
  const waits = { attention: 'needs_you', awaiting: 3, why: 'Audit 3 waits for your answer.', audit };
  expect(needs([about(waits)])).toEqual([['auditor asks for your answer to audit 3', '/exchange/x#audit.3', false]]);
  const unread = about({ attention: 'running', audit });
  expect(needs([unread])).toEqual([['auditor wrote audit 3', '/exchange/x#audit.3', false]]);
  expect(needs([unread], 8)).toEqual([]);
  expect(needsOf({ rows: [unread], me: 'ana', readUpTo: () => undefined })).toEqual([]);
});

test('[X19] an audit that I answered counts as read; one that came after my answer does not', () => {
  const audit = { audit: 3, seq: 8, ts: last.ts };
  const about = (answered: number) => row('x', 'exchange', { about: { attention: 'running', audit, answered } });
  expect(needs([about(3)])).toEqual([]);
  expect(needs([about(2)])).toEqual([['auditor wrote audit 3', '/exchange/x#audit.3', false]]);
});

test('[I31] a conversation needs the person who was asked, for its drafts, and when agents stopped', () => {
  const asked = { ana: { event: 'e7', seq: 7, by: 'alpha', as: 'task', ts: last.ts } } as const;
  expect(needs([row('c', 'conversation', { wants: { asked } })])).toEqual([
    ['alpha gave you a task', '/threads/c#e7', false],
  ]);
  expect(needs([row('c', 'conversation', { wants: { asked } })], 7)).toEqual([]);
  expect(needs([row('c', 'conversation', { wants: { asked: { bea: asked.ana } } })])).toEqual([]);
  const drafts = { count: 2, event: 'e8', by: 'beta', ts: last.ts };
  expect(needs([row('c', 'conversation', { wants: { drafts, stopped: 1 } })]).map(([words]) => words)).toEqual([
    'beta wrote a draft that waits for your approval',
    'Agents stopped at a limit',
  ]);
});

test('[I31] a need says who asks, what it is about, and what can be done at once', () => {
  const about = {
    attention: 'needs_you',
    turn: 2,
    draft: 4,
    by: 'quill',
    text: 'The lake.',
    words: 1,
    confidence: 0.85,
  };
  const audit = { audit: 1, seq: 8, ts: last.ts, by: 'sage', text: 'Which colour?' };
  const drafts = { count: 3, event: 'e8', by: 'beta', ts: last.ts, index: 7, text: 'No.' };
  expect(
    cards([
      row('d', 'dialogue', { about }),
      row('x', 'exchange', { about: { attention: 'needs_you', awaiting: 1, round: 3, audit } }),
      row('c', 'conversation', { wants: { drafts } }),
    ]),
  ).toEqual([
    { by: 'quill', facts: '1 word, 85% sure', quote: 'The lake.', action: { kind: 'accept', turn: 2, draft: 4 } },
    { by: 'sage', facts: 'after round 3', quote: 'Which colour?', action: { kind: 'answer', audit: 1 } },
    { by: 'beta', facts: '2 more wait', quote: 'No.', action: { kind: 'post', index: 7, event: 'e8' } },
  ]);
});

test('[M7] a budget is told when nine tenths of it are used, the workspace’s and a thread’s own', () => {
  const used = { calls: 1, failures: 0, promptTokens: 900, generatedTokens: 50, cost: 0.2 };
  const usage = {
    total: used,
    models: [],
    threads: [{ thread: 'c', ...used }],
    days: [],
    budgets: { workspace: { tokens: 1000 }, thread: {}, run: {} },
    currency: 'EUR',
  };
  expect(needs([row('c', 'conversation')], 5, usage)).toEqual([
    ['The budget of the workspace is nearly used: 50 of 1,000 tokens left', '/settings#budget', false],
  ]);
  const own = row('c', 'conversation', { budget: { money: 0.1 } });
  expect(needs([own], 5, { ...usage, budgets: { ...usage.budgets, workspace: {} } })).toEqual([
    ['The budget of this thread is used up: €0 of €0.10 left', '/threads/c', false],
  ]);
  expect(remainingBudget({}, used)).toBeUndefined();
});

test('[I31] what cannot wait comes first, the newest of it at the top', () => {
  const at = (id: string, ts: string, about: object) =>
    row(id, 'dialogue', { about: { turn: 1, draft: 1, ...about }, last: { ...last, ts } });
  const all = [
    at('quiet', '2026-11-16T09:00:00Z', { attention: 'publishable' }),
    at('old', '2026-11-16T07:00:00Z', { attention: 'needs_you' }),
    at('new', '2026-11-16T08:00:00Z', { attention: 'needs_you' }),
  ];
  expect(needsOf({ rows: all, me: 'ana', readUpTo: () => 0 }).map(({ row }) => row?.id)).toEqual([
    'new',
    'old',
    'quiet',
  ]);
});
