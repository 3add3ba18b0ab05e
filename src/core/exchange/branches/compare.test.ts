import { expect, test } from 'vitest';
import { exchangeWith } from '../../../../test/support/domain/exchange.ts';
import { human } from '../../../../test/support/domain/given.ts';
import type { Event } from '../../events/event.ts';
import { buildMindInput } from '../rounds/inputs.ts';
import type { Exchange } from '../state.ts';
import { compareExchanges } from './compare.ts';

/** Two branches with two common rounds, then one of their own each. */
function branches() {
  const pool = exchangeWith();
  pool.when(human, 'run', { rounds: 5 });
  pool.round('the sea is wide', 1);
  pool.round('the sky is high', 2);
  const events = pool.when(human, 'branch', { set: { audit_every: 3 }, rounds: 2 }) as Event[];
  const fork = events.find(({ type }) => type === 'thread.created')?.thread as string;
  pool.round('a garden needs water', 3);
  const original = pool.state();
  pool.go(fork);
  pool.round('my boat is slow', 3);
  pool.round('water for the garden', 4);
  return { left: original, right: pool.state() };
}

test('[X9] two branches are compared from their first difference, with their clusters matched', () => {
  const { left, right } = branches();
  const { common, first_difference, clusters, rounds, terms } = compareExchanges(left, right);
  expect([common, terms]).toEqual([2, ['audit_every']]);
  expect(first_difference).toEqual({ round: 3, a: ['a garden needs water'], b: ['my boat is slow'] });
  const pairs = clusters.map(({ a, b, match }) => [a?.id ?? null, b?.id ?? null, match]);
  expect(pairs).toEqual(
    expect.arrayContaining([
      [1, 1, 'same'],
      [2, 2, 'same'],
      [3, 4, 'alike'],
      [null, 3, null],
    ]),
  );
  expect(rounds.map(({ a, b }) => [a !== null, b !== null])).toEqual([
    [true, true],
    [true, true],
    [true, true],
    [false, true],
  ]);
});

test('[X9] equal branches have no first difference', () => {
  const { left } = branches();
  expect(compareExchanges(left, left)).toMatchObject({ common: 3, first_difference: null, terms: [] });
});

test('[X3] a branch starts on its own terms and announces them in its first input', () => {
  const pool = exchangeWith();
  pool.when(human, 'run', { rounds: 1 });
  pool.round();
  const events = pool.when(human, 'branch', { set: { audit_every: 3 }, reason: 'Shorter.', rounds: 2 }) as Event[];
  pool.go(events.find(({ type }) => type === 'thread.created')?.thread as string);
  const announcedTerms = (state: Exchange) =>
    buildMindInput(state, 0, 1).terms.filter(({ id }) => id.startsWith('announced'));
  expect(announcedTerms(pool.state())).toMatchObject([
    { id: 'announced_2', from: 2, text: expect.stringContaining('audit_every: 3') },
  ]);
  pool.round();
  expect(announcedTerms(pool.state())).toEqual([]);
});
