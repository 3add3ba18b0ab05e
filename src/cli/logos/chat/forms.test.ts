import { expect, onTestFinished, test } from 'vitest';
import { exchangesOf, roundSteps } from '../../../../test/support/servers/exchange-samples.ts';
import { openTestServer } from '../../../../test/support/servers/server.ts';
import type { Exchange } from '../../../core/exchange/state.ts';
import { modeState } from '../../../core/workspace.ts';
import { formFor } from './forms.ts';

/** A pool that has asked for a restart after its second round. */
async function restarting() {
  const server = await openTestServer();
  onTestFinished(server.close);
  const { make } = exchangesOf(server.engine);
  const id = await make(
    ['run', { rounds: 9 }],
    ...roundSteps(1, 'the sea'),
    ...roundSteps(2, 'the sky', { restart: 'Other terms.' }),
  );
  const exchange = async (thread = id) => {
    const loaded = await server.engine.state(thread);
    return modeState('exchange', (loaded as NonNullable<typeof loaded>).state) as Exchange;
  };
  /** A key, then the answers to what it asks for. */
  async function press(key: string, ...answers: string[]) {
    const form = formFor(key, await exchange());
    expect(form?.questions).toHaveLength(answers.length);
    return form?.send(server.client().thread(id), answers);
  }
  return { exchange, press };
}

test('[X13] [X17] s skips an audit that is due, with a reason', async () => {
  const { exchange, press } = await restarting();
  await press('k', WHY);
  expect((await exchange()).auditDue).toBe(true);
  await press('s', 'Its model is away.');
  expect(await exchange()).toMatchObject({
    auditDue: false,
    latest: { observer: [{}, { text: expect.stringContaining('away') }] },
  });
});

const WHY = 'Fair enough.';

test.each<[string, string, readonly string[], object]>([
  ['b', 'branch', ['audit_every=3', WHY], { state: 'ended', reason: 'branched' }],
  ['b', 'branch', ['', WHY], { state: 'ended', reason: 'branched' }],
  ['l', 'rollback', ['1', WHY], { state: 'ended', reason: 'rolled_back' }],
  ['m', 'amend', ['audit_every=3', WHY], { state: 'running' }],
  ['k', 'acknowledge', [WHY], { state: 'running' }],
  ['h', 'halt', [WHY], { state: 'ended', reason: 'halted' }],
])('[X8] [X13] while the pool asks for a restart, %s decides %s', async (key, decision, answers, run) => {
  const { exchange, press } = await restarting();
  await press(key, ...answers);
  const { pending, restarts, run: after } = await exchange();
  expect(pending).toBeUndefined();
  expect(restarts.at(-1)?.answer).toMatchObject({ decision, reason: WHY });
  expect(after).toMatchObject(run);
});

test('[X8] [X13] what was typed wrong is said in a sentence, and decides nothing', async () => {
  const { exchange, press } = await restarting();
  await expect(async () => press('l', 'two', WHY)).rejects.toThrow('not the number of a round');
  await expect(async () => press('l', '7', WHY)).rejects.toThrow('no round 7');
  await expect(async () => press('m', '', WHY)).rejects.toThrow('Give the terms to change');
  await expect(async () => press('m', 'audit_evry=3', WHY)).rejects.toThrow('audit_evry');
  await expect(async () => press('k', ' ')).rejects.toThrow('Give a reason');
  expect((await exchange()).pending?.restart).toBe(1);
});

test('[X13] without a request l goes back, m amends and h halts; k means nothing', async () => {
  const { exchange, press } = await restarting();
  await press('k', WHY);
  for (const key of ['k', 'b']) expect(formFor(key, await exchange())).toBeUndefined();
  await press('m', 'audit_every=5 policy=alert', '');
  expect((await exchange()).terms.at(-1)?.terms).toMatchObject({ audit_every: 5, policy: 'alert' });
  await press('l', '1', 'Once more.');
  expect((await exchange()).run).toMatchObject({ state: 'ended', reason: 'rolled_back' });
  await press('h', 'Enough.');
  expect((await exchange()).halted?.reason).toBe('Enough.');
  expect(formFor('b', await exchange())).toBeDefined();
});
