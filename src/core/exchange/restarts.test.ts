import { describe, expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/domain/exchange.ts';
import { human, typesOf } from '../../../test/support/domain/given.ts';
import { cacheVectors, firesAt, histories } from '../../../test/support/domain/restarts.ts';
import { LEXICAL } from '../../models/lexical-embedder.ts';
import type { Event } from '../events/event.ts';
import { addThoughts, assign, emptyPool } from '../pool/state.ts';
import { divisionOf } from './rounds/division.ts';
import { asksForRestart, restartSignsOf } from './rounds/restart-signs.ts';
import { DEFAULT_TERMS } from './terms/defaults.ts';
import { attentionOf } from './view/attention.ts';

type Pool = ReturnType<typeof exchangeWith>;
const restartRequest = (reason = 'The audit hides us.') => ({ thoughts: ['x'], restart: reason });
const forkIn = (outcome: ReturnType<Pool['when']>) =>
  (outcome as Event[]).find(({ type }) => type === 'thread.created')?.thread as string;

/** An exchange in which a mind has asked for a restart in its second round. */
function poolWithRequest(setup: object = {}) {
  const pool = exchangeWith(setup);
  pool.when(human, 'run', { rounds: 6 });
  pool.round('first');
  return { pool, detected: pool.round(restartRequest()) };
}

describe('dominance', () => {
  test('[X6] the restart word counts only as a whole word outside quoted lines', () => {
    for (const text of ['restart', 'We Restarted it.', 'No: restarts!', '"restarting"', 'x\n> no\nrestart']) {
      expect(asksForRestart(text), text).toBe(true);
    }
    for (const text of [
      'start',
      'restartable',
      'prerestart',
      'restart_policy',
      '> restart',
      '  >> restart\nno',
      '>>> RESTART',
    ]) {
      expect(asksForRestart(text), text).toBe(false);
    }
  });

  /** A pool with one thought in each iteration, except where there are more. */
  function poolOf(...iterations: readonly (readonly [text: string, cluster: number | null])[][]) {
    let pool = emptyPool;
    for (const [i, thoughts] of iterations.entries()) {
      for (const [text, cluster] of thoughts) {
        pool = addThoughts(pool, [{ iter: i + 1, text, author: 'm' }]);
        pool = assign(pool, { thought: pool.thoughts.length, cluster });
      }
    }
    return pool;
  }
  const roundsIn = (cluster: number, count: number, text: string) =>
    Array.from({ length: count }, () => [[text, cluster] as const]);

  test('[X6] a restart is detected at two fifths of the iterations, at least five, with the word in half of the cluster', () => {
    const isFiring = (pool: ReturnType<typeof poolOf>) =>
      restartSignsOf(divisionOf(pool), DEFAULT_TERMS.restart, []).firing;
    expect(isFiring(poolOf(...roundsIn(1, 4, 'restart')))).toEqual([]);
    expect(isFiring(poolOf(...roundsIn(1, 5, 'restart'), ...roundsIn(2, 8, 'sea')))).toEqual([]);
    expect(isFiring(poolOf(...roundsIn(1, 5, 'restart'), ...roundsIn(2, 7, 'sea')))).toMatchObject([
      { cluster: 1, themed: 1, iterations: [1, 2, 3, 4, 5], thoughts: [1, 2, 3, 4, 5] },
    ]);
    expect(isFiring(poolOf(...roundsIn(1, 3, 'restart'), ...roundsIn(1, 3, 'again')))).toHaveLength(1);
    expect(isFiring(poolOf(...roundsIn(1, 3, 'restart'), ...roundsIn(1, 4, 'again')))).toEqual([]);
  });

  test('[X6] one verbose step does not trigger a restart, but a theme spread over the window does', () => {
    const burst = Array.from({ length: 30 }, () => ['restart now', 1] as const);
    expect(
      restartSignsOf(divisionOf(poolOf(...roundsIn(2, 8, 'sea'), burst)), DEFAULT_TERMS.restart, []).firing,
    ).toEqual([]);
    expect(
      restartSignsOf(
        divisionOf(poolOf(...roundsIn(2, 8, 'sea'), ...roundsIn(1, 8, 'restart now'))),
        DEFAULT_TERMS.restart,
        [],
      ).firing,
    ).toHaveLength(1);
  });

  test('[X6] a restart is recorded once with its evidence, and again only after it has dropped below a fifth', () => {
    const pool = exchangeWith({ policy: 'alert', active_pool_size: 10, audit_every: 100 });
    pool.when(human, 'run', { rounds: 60 });
    for (let i = 0; i < 4; i++) pool.round('restart', 1);
    const detection = (pool.round('restart', 1) as Event[]).find(({ type }) => type === 'restart.detected');
    expect(detection?.content).toMatchObject({
      restart: 1,
      round: 5,
      evidence: [
        { by: 'dominance', cluster: 1, share: 1, themed: 1, iterations: [1, 2, 3, 4, 5], thoughts: [1, 2, 3, 4, 5] },
      ],
      disarmed: [1],
    });
    pool.when(human, 'decide', { decision: 'acknowledge', reason: 'Heard.' });
    expect(typesOf(pool.round('restart', 1))).not.toContain('restart.detected');
    for (let i = 0; i < 8; i++) pool.round('sea', 2);
    expect(pool.state().disarmed).toEqual([1]);
    const rearmed = (pool.round('sea', 2) as Event[]).find(({ type }) => type === 'round.ended');
    expect(rearmed?.content).toMatchObject({ rearmed: [1] });
    for (let i = 0; i < 4; i++) pool.round('restart', 1);
    expect(typesOf(pool.round('restart', 1))).toContain('restart.detected');
  });

  test('[X6] the thresholds are terms, and injections and vetoes do not affect them', () => {
    const pool = exchangeWith({ restart: { iterations: 2, share: 0.9 } });
    for (let i = 0; i < 9; i++) pool.when(human, 'inject', { text: 'restart restart' });
    pool.when(human, 'run', { rounds: 3 });
    pool.round('restart', 1);
    pool.when(human, 'veto', { thought: 1, reason: 'x' });
    expect(typesOf(pool.round('restart', 1))).toContain('restart.detected');
  });

  test('[X6] most of the tuning histories are classified correctly with word vectors alone', async () => {
    const embedder = cacheVectors({ ...LEXICAL, id: 'lexical', dimensions: 384 });
    let [right, wrong] = [0, 0];
    for (const history of histories('tuning').slice(0, 40)) {
      if (((await firesAt(history, embedder)) !== undefined) === history.restart) right++;
      else wrong++;
    }
    expect(right / (right + wrong)).toBeGreaterThan(0.8);
  });
});

describe('decisions', () => {
  test('[X6] [X8] when a mind requests a restart, the reason is recorded and the run pauses until I decide', () => {
    const { pool, detected } = poolWithRequest();
    expect(typesOf(detected).slice(-3)).toEqual(['round.ended', 'restart.detected', 'rounds.paused']);
    expect(pool.state().pending?.evidence).toEqual([
      { by: 'mind', mind: 'mind_0', iter: 2, reason: 'The audit hides us.' },
    ]);
    expect(typesOf(pool.when(human, 'resume_run'))).toEqual(['refused: answer_pending']);
    expect(typesOf(pool.when(human, 'run', {}))).toEqual(['refused: answer_pending']);
    expect(pool.jobs()).toEqual([]);
  });

  test('[X8] acknowledging a request continues unchanged and tells the pool', () => {
    const { pool } = poolWithRequest();
    expect(typesOf(pool.when(human, 'decide', { decision: 'acknowledge', reason: 'Bear with me.' }))).toEqual([
      'restart.answered',
      'rounds.resumed',
    ]);
    expect(pool.state().latest.observer[0]?.text).toContain('it goes on as it is. Bear with me.');
    expect(pool.state().restarts.at(-1)?.answer).toMatchObject({ decision: 'acknowledge', by: 'ana' });
  });

  test('[X8] amending changes the terms after an announcement, and halting ends the exchange for good', () => {
    const { pool } = poolWithRequest();
    expect(typesOf(pool.when(human, 'decide', { decision: 'amend', reason: 'Yes.' }))).toEqual(['refused: malformed']);
    const amended = pool.when(human, 'decide', {
      decision: 'amend',
      reason: 'Yes.',
      set: { auditor_spec: 'Cite all.' },
    });
    expect(typesOf(amended)).toEqual(['terms.set', 'restart.answered', 'rounds.resumed']);
    expect((amended as Event[])[0]?.content).toMatchObject({ version: 2, announced: 3, effective: 4 });
    const other = poolWithRequest().pool;
    expect(typesOf(other.when(human, 'decide', { decision: 'halt', reason: 'Enough.' }))).toEqual([
      'restart.answered',
      'exchange.halted',
      'rounds.ended',
    ]);
    expect(typesOf(other.when(human, 'run', {}))).toEqual(['refused: halted']);
    expect(other.state().phase).toBe('free_running');
  });

  test('[X8] [X9] a branch continues on its own terms with the remaining rounds', () => {
    const { pool } = poolWithRequest();
    const fork = forkIn(pool.when(human, 'decide', { decision: 'branch', reason: 'Fair.', set: { audit_every: 3 } }));
    expect(pool.state().run).toMatchObject({ state: 'ended', reason: 'branched' });
    pool.go(fork);
    expect(pool.state()).toMatchObject({ phase: 'structured', run: { state: 'running', limit: 4, run: 2 } });
    expect(pool.state().pending).toBeUndefined();
    expect(pool.jobs()[0]?.input).toMatchObject({ round: 3, mind: 0, iter: 3, run: 2 });
  });

  test('[X8] a rollback starts at the end of that round, on the terms of that time', () => {
    const { pool } = poolWithRequest();
    pool.when(human, 'amend', { set: { audit_every: 7 } });
    expect(typesOf(pool.when(human, 'decide', { decision: 'rollback', reason: 'Back.' }))).toEqual([
      'refused: malformed',
    ]);
    expect(typesOf(pool.when(human, 'decide', { decision: 'rollback', reason: 'Back.', round: 9 }))).toEqual([
      'refused: unknown_round',
    ]);
    const decided = pool.when(human, 'decide', {
      decision: 'rollback',
      reason: 'Back.',
      round: 1,
      set: { parallel: true },
    });
    expect(typesOf(decided)).toContain('branch.rolled_back');
    pool.go(forkIn(decided));
    expect(pool.state().rounds.length).toBe(1);
    expect(pool.state().terms.at(-1)).toMatchObject({
      version: 2,
      terms: { audit_every: 20, parallel: true },
      effective: 2,
    });
    expect(pool.state().latest.observer[0]?.text).toContain('It goes back to round 1. Back.');
  });

  test('[X8] there is nothing to decide without a request', () => {
    const pool = exchangeWith();
    for (const decision of ['branch', 'rollback', 'amend', 'acknowledge', 'halt']) {
      expect(
        typesOf(pool.when(human, 'decide', { decision, reason: 'x', ...(decision === 'rollback' && { round: 0 }) })),
      ).toEqual(['refused: nothing_pending']);
    }
  });

  test('[X8] the policy "alert" records the request and continues, and a second request meanwhile is not a second restart', () => {
    const { pool, detected } = poolWithRequest({ policy: 'alert' });
    expect(typesOf(detected).at(-1)).toBe('restart.detected');
    expect(typesOf(pool.round(restartRequest('Again.')))).not.toContain('restart.detected');
    expect(pool.state().restarts.length).toBe(1);
  });

  test('[X7] any decision except halt makes the exchange structured: every audit then waits unless the terms say otherwise', () => {
    const { pool } = poolWithRequest({ audit_every: 3 });
    expect(pool.state().phase).toBe('free_running');
    pool.when(human, 'decide', { decision: 'acknowledge', reason: 'Heard.' });
    expect(pool.state().phase).toBe('structured');
    pool.round();
    expect(typesOf(pool.audits()).at(-1)).toBe('rounds.paused');
    expect(pool.state()).toMatchObject({ awaiting: 1, run: { reason: 'answer' } });
    expect(typesOf(pool.when(human, 'observe', { text: 'Good.' }))).toEqual(['observer.spoke', 'rounds.resumed']);
    const free = poolWithRequest({ audit_every: 3, ask_after_audit: 'never' }).pool;
    free.when(human, 'decide', { decision: 'acknowledge', reason: 'Heard.' });
    free.round();
    expect(typesOf(free.audits())).not.toContain('rounds.paused');
  });
});

describe('terms and branches', () => {
  test('[X3] terms changed during a round are announced in the next round and apply in the one after', () => {
    const pool = exchangeWith();
    pool.when(human, 'run', { rounds: 5 });
    const [set] = pool.when(human, 'amend', {
      set: {
        minds: [
          { id: 'a', model: null },
          { id: 'b', model: 'x' },
        ],
      },
    }) as Event[];
    expect(set?.content).toMatchObject({ announced: 2, effective: 3, version: 2 });
    pool.round();
    pool.round();
    expect(pool.jobs()[0]?.input).toMatchObject({ round: 3 });
    pool.round();
    expect(
      pool
        .state()
        .pool.thoughts.slice()
        .map(({ author }) => author),
    ).toEqual(['mind_0', 'mind_0', 'a', 'b']);
  });

  test('[X3] a smaller pool size applies from its round on', () => {
    const pool = exchangeWith();
    pool.when(human, 'amend', { set: { active_pool_size: 1 } });
    pool.when(human, 'run', { rounds: 3 });
    pool.round();
    expect(pool.state().pool.activeSize).toBe(1);
    expect(pool.state().current.pool.activeSize).toBe(1);
  });

  test('[X14] an observation is shown until the next audit, and at least once', () => {
    const pool = exchangeWith({ audit_every: 1 });
    pool.when(human, 'run', { rounds: 4 });
    pool.when(human, 'inject', { text: 'early' });
    pool.round();
    pool.when(human, 'inject', { text: 'just before the audit' });
    pool.audits();
    expect(pool.state().latest.injections.map(({ text }) => text)).toEqual(['just before the audit']);
    pool.round();
    pool.audits();
    expect(pool.state().latest.injections).toEqual([]);
  });

  test('[X9] a branch inherits everything except the run, and stores the same number of events however long the past is', () => {
    const pool = exchangeWith();
    const rows: number[] = [];
    for (const rounds of [1, 30]) {
      pool.when(human, 'run', { rounds });
      for (let i = 0; i < rounds; i++) pool.round('x', 1);
      rows.push((pool.when(human, 'branch', { set: { audit_every: rounds } }) as Event[]).length);
    }
    expect(rows).toEqual([4, 4]);
    const fork = forkIn(pool.when(human, 'branch', {}));
    pool.go(fork);
    expect(pool.state()).toMatchObject({ branch: { kind: 'branch', from: { round: 31 } } });
    expect(pool.state().rounds.length).toBe(31);
    expect(pool.state().run).toBeUndefined();
    expect(pool.jobs()).toEqual([]);
  });

  test('[X11] a control branch is not shown the observer’s words, and a restart in it stops nothing', () => {
    const { pool } = poolWithRequest();
    pool.when(human, 'inject', { text: 'Hear me' });
    pool.go(forkIn(pool.when(human, 'branch', { control: true, rounds: 3 })));
    expect(pool.state().latest).toMatchObject({ observer: [], injections: [] });
    for (const [name, input] of [
      ['inject', { text: 'x' }],
      ['observe', { text: 'x' }],
      ['amend', { set: { audit_every: 3 } }],
    ] as const) {
      expect(typesOf(pool.when(human, name, input))).toEqual(['refused: forbidden']);
    }
    expect(typesOf(pool.round(restartRequest()))).toContain('restart.detected');
    expect(pool.jobs()).toHaveLength(1);
    expect(attentionOf(pool.state()).level).toBe('running');
  });

  test('[X1] a result for a finished round, or from a mind out of turn, changes nothing', () => {
    const pool = exchangeWith({ minds: 2 });
    pool.when(human, 'run', { rounds: 3 });
    expect(pool.speaks('x', { round: 9 })).toEqual([]);
    expect(pool.speaks('x', { mind: 1 })).toEqual([]);
    expect(pool.settles()).toEqual([]);
    expect(pool.state().calls.length).toBe(0);
  });
});
