import { describe, expect, test } from 'vitest';
import { clockwork, exchangeWith } from '../../../test/support/domain/exchange.ts';
import { human, typesOf } from '../../../test/support/domain/given.ts';
import type { Event } from '../events/event.ts';
import { exchange } from './exchange.ts';
import { buildAuditInput, buildMindInput } from './rounds/inputs.ts';
import { auditTerms, currentTerms } from './state.ts';
import { exchangeStatus } from './view/view.ts';

/* Every way out that a message names (X17), one test each. */

type Pool = ReturnType<typeof exchangeWith>;
const HAIKU = 'One haiku, no numbers.';
const failAudit = (pool: Pool, problem: object = { error: 'Timed out.' }) => pool.audits('', { result: problem });
const forkOf = (outcome: ReturnType<Pool['when']>) =>
  (outcome as Event[]).find(({ type }) => type === 'thread.created')?.thread as string;

/** An exchange whose first audit, after round 2, has failed three times. */
function poolWithFailedAudit(setup: object = {}) {
  const pool = exchangeWith({ audit_every: 2, ...setup });
  pool.when(human, 'run', { rounds: 6 });
  pool.round();
  pool.round();
  for (let i = 0; i < 3; i++) failAudit(pool);
  return pool;
}

describe('a failing auditor', () => {
  test('[X17] the message names three ways to continue', () => {
    expect(poolWithFailedAudit().state().run).toMatchObject({
      reason: 'auditor',
      why: 'The auditor failed 3 times. The last error: Timed out. Resume to try again, amend the auditor’s specification or model, or skip this audit.',
    });
  });

  test('[X17] resuming tries the audit again', () => {
    const pool = poolWithFailedAudit();
    pool.when(human, 'resume_run');
    expect(pool.jobs()[0]).toMatchObject({ kind: 'exchange.audit', input: { attempt: 1 } });
    expect(typesOf(pool.audits())).toContain('audit.written');
  });

  test('[X17] amending applies the new instructions and model to this audit, and the role shows them', () => {
    const pool = poolWithFailedAudit();
    pool.when(human, 'amend', { set: { auditor_spec: HAIKU, auditor_model: 'other', audit_every: 9 } });
    // Other terms wait for their round, as ever.
    expect(auditTerms(pool.state()).terms).toMatchObject({
      ...{ auditor_spec: HAIKU, auditor_model: 'other', audit_every: 2 },
    });
    const spec = buildAuditInput(pool.state()).terms.find(({ id }) => id === 'auditor_spec');
    expect(spec).toMatchObject({ text: HAIKU, hash: HAIKU });
    pool.when(human, 'resume_run');
    const [written, role] = pool.audits('Moss on the old wall', { prompt: HAIKU }) as Event[];
    expect(written).toMatchObject({ type: 'audit.written', content: { coverage: { share: 0 } } });
    expect(role).toMatchObject({ type: 'auditor.role', content: { text: HAIKU } });
  });

  test('[X17] terms amended before the audit was due apply to it after it has failed', () => {
    const pool = exchangeWith({ audit_every: 2 });
    pool.when(human, 'run', { rounds: 6 });
    pool.round();
    pool.when(human, 'amend', { set: { auditor_spec: HAIKU } });
    pool.round();
    expect(auditTerms(pool.state()).terms.auditor_spec).not.toBe(HAIKU);
    failAudit(pool);
    expect(auditTerms(pool.state()).terms.auditor_spec).toBe(HAIKU);
  });

  test('[X17] an audit in progress keeps the role that it started with', () => {
    const pool = exchangeWith({ audit_every: 1, auditor_spec: 'Old.' });
    pool.when(human, 'run', { rounds: 2 });
    pool.round();
    pool.when(human, 'amend', { set: { auditor_spec: HAIKU } });
    expect((pool.audits('x', { prompt: 'Old.' }) as Event[])[1]?.content).toMatchObject({ text: 'Old.' });
  });

  test('[X17] skipping continues the rounds without the audit, tells the pool why and keeps the schedule', () => {
    const pool = poolWithFailedAudit();
    expect(typesOf(pool.when(human, 'skip_audit', { reason: 'Its model is away.' }))).toEqual([
      'audit.skipped',
      'rounds.resumed',
    ]);
    expect(buildMindInput(pool.state(), 0, 1).latest.observer).toEqual([
      '[OBSERVER] Audit 1 was skipped. Its model is away.',
    ]);
    expect(exchangeStatus(pool.state())).toMatchObject({ audit_due: false, next_audit: 2 });
    expect(typesOf(pool.when(human, 'skip_audit', { reason: 'And the next.' }))).toEqual(['refused: idle']);
    pool.round();
    expect(pool.jobs()[0]).toMatchObject({ kind: 'exchange.mind' });
    pool.round();
    expect(pool.jobs()[0]).toMatchObject({ kind: 'exchange.audit', input: { audit: 1, round: 4 } });
    expect(typesOf(pool.audits())).toContain('audit.written');
  });

  test('[X17] skipping the last audit ends the run, and its result is late if it still arrives', () => {
    const pool = exchangeWith({ audit_every: 1 });
    pool.when(human, 'run', { rounds: 1 });
    pool.round();
    expect(typesOf(pool.when(human, 'skip_audit', { reason: 'Enough.' }))).toEqual(['audit.skipped', 'rounds.ended']);
    expect(typesOf(pool.audits())).toEqual(['call.late']);
  });

  test('[X17] skipping in a control branch shows the pool nothing', () => {
    const pool = exchangeWith({ audit_every: 1 });
    pool.go(forkOf(pool.when(human, 'branch', { control: true, rounds: 2 })));
    pool.round();
    for (let i = 0; i < 3; i++) failAudit(pool);
    expect(pool.state().run?.why).toMatch(/Resume to try again, or skip this audit\.$/);
    pool.when(human, 'skip_audit', { reason: 'Its model is away.' });
    expect(pool.state()).toMatchObject({ run: { state: 'running' }, latest: { observer: [] } });
  });

  test('[X17] I can branch with new instructions after amending the same ones', () => {
    const pool = poolWithFailedAudit();
    pool.when(human, 'amend', { set: { auditor_spec: HAIKU } });
    pool.go(forkOf(pool.when(human, 'branch', { set: { auditor_spec: HAIKU }, rounds: 2 })));
    expect(auditTerms(pool.state()).terms.auditor_spec).toBe(HAIKU);
    expect(currentTerms(pool.state()).terms.auditor_spec).toBe(HAIKU);
    expect(pool.jobs()[0]).toMatchObject({ kind: 'exchange.audit' });
    expect(typesOf(pool.audits('Moss'))).toContain('audit.written');
  });

  test.each([0, 1, 2])(
    '[X17] I can roll back to round %i with new instructions after amending the same ones',
    (round) => {
      const pool = poolWithFailedAudit();
      pool.when(human, 'amend', { set: { auditor_spec: HAIKU } });
      pool.go(forkOf(pool.when(human, 'rollback', { round, set: { auditor_spec: HAIKU } })));
      pool.when(human, 'run', { rounds: 2 });
      while (pool.jobs()[0]?.kind !== 'exchange.audit') pool.round();
      expect(auditTerms(pool.state()).terms.auditor_spec).toBe(HAIKU);
      expect(typesOf(pool.audits('Moss'))).toContain('audit.written');
    },
  );

  test('[X17] a branch on unchanged terms is allowed, and amending says from when the terms apply', () => {
    const pool = poolWithFailedAudit();
    expect(typesOf(pool.when(human, 'branch', { set: { audit_every: 2 } }))).toEqual([
      'thread.created',
      'branch.begun',
      'thread.forked',
    ]);
    pool.when(human, 'amend', { set: { audit_every: 5 } });
    expect(pool.when(human, 'amend', { set: { audit_every: 5 } })).toMatchObject({
      message: 'The terms already say this, from round 4 on. Nothing was changed.',
    });
  });
});

describe('other messages', () => {
  test('[X17] a halted exchange says that it can continue in a branch or after a rollback', () => {
    for (const way of ['branch', 'rollback'] as const) {
      const pool = exchangeWith();
      pool.when(human, 'run', { rounds: 1 });
      pool.round();
      pool.when(human, 'halt', { reason: 'Enough.' });
      expect(pool.when(human, 'run')).toMatchObject({
        message: 'ana halted this exchange: Enough. Branch it or roll it back to continue.',
      });
      pool.go(forkOf(pool.when(human, way, way === 'rollback' ? { round: 1 } : {})));
      expect(typesOf(pool.when(human, 'run', { rounds: 1 }))).toEqual(['rounds.started']);
    }
  });

  test.each([
    ['branch', {}],
    ['rollback', { round: 1 }],
    ['amend', { set: { audit_every: 3 } }],
    ['acknowledge', {}],
    ['halt', {}],
  ])('[X17] a restart request says that "%s" decides it', (decision, more) => {
    const pool = exchangeWith();
    pool.when(human, 'run', { rounds: 4 });
    pool.round();
    pool.round({ thoughts: ['x'], restart: 'Other terms.' });
    expect(pool.when(human, 'resume_run')).toMatchObject({
      message: expect.stringContaining('branch, rollback, amend, acknowledge or halt'),
    });
    expect(typesOf(pool.when(human, 'decide', { decision, reason: 'So be it.', ...more }))).toContain(
      'restart.answered',
    );
    expect(pool.state().pending).toBeUndefined();
  });

  test('[X17] an exhausted budget says that resuming grants it again and stopping ends the run', () => {
    for (const way of ['resume_run', 'stop_run'] as const) {
      const pool = exchangeWith({ budget: { rounds: 1 } });
      pool.when(human, 'run', { rounds: 5 });
      pool.round();
      expect(pool.state().run?.why).toMatch(/Resume with the same budget again, or stop the rounds\.$/);
      pool.when(human, way);
      expect(pool.state().run?.state).toBe(way === 'stop_run' ? 'ended' : 'running');
    }
  });

  test('[X17] rounds in progress say that others can start after a pause or a stop', () => {
    for (const way of ['pause_run', 'stop_run'] as const) {
      const pool = exchangeWith();
      pool.when(human, 'run', { rounds: 5 });
      expect(pool.when(human, 'run')).toMatchObject({
        message: 'Rounds are already running. Pause or stop them first.',
      });
      pool.when(human, way);
      expect(typesOf(pool.when(human, 'run', { rounds: 1 })).at(-1)).toBe('rounds.started');
    }
  });
});

describe('answering an audit', () => {
  /** The first audit waits for an answer. */
  function poolAwaitingDecision() {
    const pool = exchangeWith({ audit_every: 1, ask_after_audit: 'always' });
    pool.when(human, 'run', { rounds: 3 });
    pool.round();
    pool.audits();
    expect(exchangeStatus(pool.state())).toMatchObject({
      awaiting: 1,
      run: { why: 'Audit 1 waits for your answer. Resume to continue without one.' },
      attention: { level: 'needs_you', reason: 'Audit 1 waits for your answer. You can also continue without one.' },
    });
    return pool;
  }

  test.each([
    ['an answer', 'observe', { text: 'Good.' }],
    ['resuming without words', 'resume_run', {}],
    ['running more', 'run', { rounds: 1 }],
  ] as const)('[X19] %s continues the rounds', (_, name, input) => {
    const pool = poolAwaitingDecision();
    pool.when(human, name, input);
    expect(pool.state().awaiting).toBeUndefined();
    expect(pool.jobs()[0]).toMatchObject({ kind: 'exchange.mind' });
    expect(exchangeStatus(pool.state()).attention.level).toBe('running');
  });

  test('[X19] "ask_after_audit: never" continues at once, and no later audit asks', () => {
    const pool = poolAwaitingDecision();
    expect(typesOf(pool.when(human, 'amend', { set: { ask_after_audit: 'never' } }))).toEqual([
      'terms.set',
      'rounds.resumed',
    ]);
    expect(pool.state().awaiting).toBeUndefined();
    pool.round();
    expect(typesOf(pool.audits())).not.toContain('rounds.paused');
  });

  test('[X19] after a stop nothing waits for an answer', () => {
    const pool = poolAwaitingDecision();
    pool.when(human, 'stop_run');
    expect(typesOf(pool.when(human, 'run'))).toEqual(['rounds.started']);
    expect(pool.state().awaiting).toBeUndefined();
  });

  test('[X19] an audit that I answered is no longer shown as new, whether or not it asked for an answer', () => {
    const pool = poolAwaitingDecision();
    const readSummary = () => exchange.summary(pool.state()) as { audit?: { audit: number }; answered?: number };
    expect(readSummary()).toMatchObject({ audit: { audit: 1 }, awaiting: 1 });
    expect(readSummary()).not.toHaveProperty('answered');
    pool.when(human, 'observe', { text: 'Noted.' });
    expect(readSummary()).toMatchObject({ audit: { audit: 1 }, answered: 1 });
    pool.when(human, 'amend', { set: { ask_after_audit: 'never' } });
    pool.round();
    pool.audits();
    expect(readSummary()).toMatchObject({ audit: { audit: 2 }, answered: 1 });
    pool.when(human, 'observe', { text: 'This one, too.' });
    expect(readSummary()).toMatchObject({ audit: { audit: 2 }, answered: 2 });
  });
});

describe('an audit that I requested', () => {
  const wait = { why: 'It is asked too often.', until: '2030-01-01T00:00:00.000Z' };
  function poolWithRequestedAudit() {
    const pool = exchangeWith({ audit_every: 9 });
    pool.when(human, 'run', { rounds: 1 });
    pool.round();
    pool.when(human, 'audit_now');
    return pool;
  }
  const reportWait = (pool: Pool, audit = 1) => pool.when(clockwork, 'report_wait', { run: 1, audit, ...wait });

  test('[X1] outside of a run the status says that the audit is being written', () => {
    const { auditing, attention } = exchangeStatus(poolWithRequestedAudit().state());
    expect(auditing).toEqual({ audit: 1 });
    expect(attention).toEqual({ level: 'running', reason: 'Audit 1 is being written.' });
    expect(exchangeStatus(poolWithRequestedAudit().state(), false).attention.level).toBe('idle');
  });

  test('[D31] the status says what the audit waits for until it is written', () => {
    const pool = poolWithRequestedAudit();
    expect(reportWait(pool)).toMatchObject([{ type: 'rounds.waiting', content: { audit: 1, ...wait } }]);
    const { auditing, attention, run } = exchangeStatus(pool.state());
    expect(auditing).toMatchObject({ audit: 1, waiting: wait });
    expect(attention.reason).toBe('Audit 1 waits for the model.');
    expect(run?.waiting).toBeUndefined();
    pool.audits();
    expect(exchangeStatus(pool.state()).auditing).toBeUndefined();
    expect(reportWait(pool)).toEqual([]);
    expect(exchangeStatus(pool.state()).attention.reason).toBe('No rounds are running.');
  });

  test.each(['stop_run', 'pause_run'] as const)(
    '[D31] the audit keeps waiting after %s, and the status says so',
    (ends) => {
      const pool = exchangeWith({ audit_every: 1 });
      pool.when(human, 'run', { rounds: 2 });
      pool.round();
      pool.when(human, 'audit_now');
      reportWait(pool);
      pool.when(human, ends);
      const { auditing, attention } = exchangeStatus(pool.state());
      expect(auditing).toMatchObject({ audit: 1, waiting: wait });
      if (ends === 'stop_run') expect(attention.reason).toBe('Audit 1 waits for the model.');
    },
  );

  test('[X17] I can skip the audit while it waits, and then nothing waits for it', () => {
    const pool = poolWithRequestedAudit();
    reportWait(pool);
    pool.when(human, 'skip_audit', { reason: 'It takes too long.' });
    expect([pool.jobs(), exchangeStatus(pool.state()).auditing]).toEqual([[], undefined]);
    expect(reportWait(pool)).toEqual([]);
  });

  test('[X1] during a round the status says that the audit comes after it', () => {
    const pool = exchangeWith({ audit_every: 9, minds: ['left', 'right'].map((id) => ({ id, model: null })) });
    pool.when(human, 'run', { rounds: 2 });
    pool.speaks('a thought');
    pool.when(human, 'audit_now');
    expect(exchangeStatus(pool.state()).auditing).toEqual({ audit: 1, after_round: true });
  });
});
