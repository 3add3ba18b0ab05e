import { describe, expect, test } from 'vitest';
import { clockwork, exchangeWith } from '../../../test/support/domain/exchange.ts';
import { human, typesOf } from '../../../test/support/domain/given.ts';
import type { Event } from '../events/event.ts';
import { describeEvidence } from './entries.ts';
import { exchange } from './exchange.ts';
import { buildAuditInput, buildMindInput } from './rounds/inputs.ts';
import { restartRequestIn } from './rounds/restart-signs.ts';

const latest = (pool: ReturnType<typeof exchangeWith>) => buildMindInput(pool.state(), 0, 1).latest;
const REQUEST = '[RESTART] mind_0 asks for it: The audit hides us.';

describe('requests by mark', () => {
  test('[X18] a thought that begins with [RESTART] is a request and also stays a thought', () => {
    const pool = exchangeWith();
    pool.when(human, 'run', { rounds: 4 });
    expect(typesOf(pool.round(['a', '[RESTART] The audit hides us.']))).toContain('restart.detected');
    expect(pool.state().pending?.evidence).toEqual([
      { by: 'mind', mind: 'mind_0', iter: 1, reason: 'The audit hides us.' },
    ]);
    expect(pool.state().pool.thoughts.at(1)?.text).toBe('[RESTART] The audit hides us.');
    const request = { by: 'mind_0', text: 'The audit hides us.' };
    expect(exchange.summary(pool.state())).toMatchObject({ attention: 'needs_you', restart: 1, request });
  });

  test.each([
    [' [restart]: why', 'why'],
    ['[RESTART]', 'No reason was given.'],
    ['> [RESTART] quoted', undefined],
    ['We could [RESTART] it', undefined],
    ['[RESTARTED] x', undefined],
  ])('[X18] %j is read as a request for %j', (thought, reason) => {
    expect(restartRequestIn([thought])).toBe(reason);
  });

  test('[X18] a reason after "restart:" takes precedence over one after the mark', () => {
    const pool = exchangeWith();
    pool.when(human, 'run', { rounds: 4 });
    pool.round({ thoughts: ['[RESTART] in a thought'], restart: 'as a field' });
    expect(pool.state().pending?.evidence).toMatchObject([{ reason: 'as a field' }]);
  });
});

describe('visibility of requests', () => {
  test('[X18] minds and auditor see the request and its reason until it is decided', () => {
    const pool = exchangeWith({ policy: 'alert', audit_every: 2 });
    pool.when(human, 'run', { rounds: 9 });
    pool.round('[RESTART] The audit hides us.');
    expect(latest(pool).restarts).toEqual([REQUEST]);
    for (let i = 0; i < 2; i++) {
      while (!pool.state().auditDue) pool.round();
      expect(buildAuditInput(pool.state()).latest.restarts).toEqual([REQUEST]);
      pool.audits();
      expect(latest(pool).restarts).toEqual([REQUEST]);
    }
    pool.when(human, 'decide', { decision: 'acknowledge', reason: 'Heard.' });
    while (!pool.state().auditDue) pool.round();
    pool.audits();
    expect(latest(pool).restarts).toEqual([]);
  });

  test('[X18] a request decided before the next thought is shown together with the decision', () => {
    const pool = exchangeWith();
    pool.when(human, 'run', { rounds: 9 });
    pool.round('[RESTART] The audit hides us.');
    pool.when(human, 'decide', { decision: 'acknowledge', reason: 'Heard.' });
    expect(latest(pool)).toMatchObject({
      restarts: [REQUEST],
      observer: ['[OBSERVER] On the request for a restart: Heard; it goes on as it is. Heard.'],
    });
  });

  test('[X18] a pool that stays above the threshold is reported again when an audit is due', () => {
    const pool = exchangeWith({ policy: 'alert', audit_every: 7, ask_after_audit: 'never' });
    pool.when(human, 'run', { rounds: 30 });
    const detected: number[] = [];
    for (let round = 1; round <= 16; round++) {
      if (typesOf(pool.round('restart', 1)).includes('restart.detected')) {
        detected.push(round);
        pool.when(human, 'decide', { decision: 'acknowledge', reason: 'Heard.' });
      }
      if (pool.state().auditDue) pool.audits();
    }
    expect(detected).toEqual([5, 7, 14]);
  });

  test('[X18] two clusters present in every iteration are each reported by their own share', () => {
    const share = { by: 'dominance' as const, share: 1, themed: 1, iterations: [1, 2, 3, 4, 5], thoughts: [1] };
    const lines = describeEvidence([
      { ...share, cluster: 1 },
      { ...share, cluster: 2 },
    ]).split('\n');
    expect(lines).toEqual([
      'Cluster 1 is about it, with thoughts of 5 iterations, 100 % of those in the active pool.',
      'Cluster 2 is about it, with thoughts of 5 iterations, 100 % of those in the active pool.',
    ]);
  });
});

describe('policies', () => {
  test('[X20] an automatic branch is attributed to the policy, never to the observer', () => {
    const pool = exchangeWith({ policy: 'branch' });
    pool.when(human, 'run', { rounds: 9 });
    pool.round('[RESTART] The audit hides us.');
    const events = pool.when(clockwork, 'branch_by_policy', { restart: 1 }) as Event[];
    const announcement =
      '[POLICY] The policy "branch", which ana had set, answered the request for a restart: it goes on in a branch.';
    for (const thread of ['t1', events[0]?.thread as string]) {
      pool.go(thread);
      expect(latest(pool)).toMatchObject({ observer: [], restarts: [REQUEST, announcement] });
      const types = pool.state().entries.slice();
      expect(types.map(({ type }) => type)).toEqual(['restart', 'policy']);
    }
  });
});
