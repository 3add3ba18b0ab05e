import { afterEach, expect, test } from 'vitest';
import { type FakeStep, type Gate, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { createNight } from '../../../test/support/models/night.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const SPECIFICATION = 'Say which thoughts lead, by their numbers.';
const MINUTE = 60_000;
/** Of every hour, so long it answers. */
const UP = 36 * MINUTE;
const THINKS = 4 * MINUTE;

/** Every way of not answering that a provider has in a night. */
const AWAY: readonly FakeStep[] = [
  { fault: 'rate_limited', retry_after: 700 },
  { fault: 'server_error', status: 529, message: 'Overloaded.' },
  { fault: 'server_error', status: 503 },
  { fault: 'rate_limited' },
  { write: async (response) => void response.destroy() },
  { fault: 'web_page' },
];

/** A provider that is away for 40 % of the time, and what it was paid for. */
async function startProvider() {
  const night = createNight();
  const start = night.now();
  const models = await startFakeModels();
  closing.push(models.close);
  const answers: string[] = [];
  let refused = 0;
  models.answer((request) => {
    const at = (night.now() - start) % (60 * MINUTE);
    if (at >= UP) return AWAY[refused++ % AWAY.length] as FakeStep;
    const gate = { after: 0, pass: () => night.thinking(THINKS) } as unknown as Gate;
    // What it writes as it goes away is lost half-way.
    if (at + THINKS > UP) return { text: 'thoughts: [lost]\ndraft: lost', fault: 'cut', after: 2, gate };
    const isAudit = request.body.messages?.[0]?.content.startsWith(SPECIFICATION);
    answers.push(`${answers.length + 1}`);
    const n = answers.length;
    return { text: isAudit ? `Thought [#1] leads (${n}).` : `thoughts: [thought ${n}]\ndraft: reply ${n}`, gate };
  });
  const server = await openRemoteEngine(models.openAiUrl, { night });
  closing.push(server.close);
  return {
    night,
    models,
    server,
    answers,
    hours: () => (night.now() - start) / (60 * MINUTE),
    refusals: () => refused,
  };
}

test('[D31] a dialogue keeps running through a night in which its model is down 40 % of the time', async () => {
  const { night, server, answers, hours, refusals } = await startProvider();
  const thread = await server.create('dialogue');
  await server.send('message', { thread, text: 'Think it over.', run: { iterations: 70 } });
  await night.until(async () => (await server.dialogue(thread)).run?.state !== 'running');

  const { run, iterations } = await server.dialogue(thread);
  expect(run).toMatchObject({ state: 'ended', reason: 'done', done: 70 });
  // None is lost and none is paid twice: the n-th answer is the n-th iteration.
  const drafts = iterations.slice(0).map(({ content }) => content.draft?.text);
  expect(drafts).toEqual(Array.from({ length: 70 }, (_, i) => `reply ${i + 1}`));
  expect(answers.length).toBe(70);
  expect(hours()).toBeGreaterThan(7.5);
  expect(refusals()).toBeGreaterThan(20);
  const waits = (await server.events(thread)).filter(({ type }) => type === 'run.waiting');
  expect(waits.length).toBeGreaterThan(20);
  expect(waits.length).toBeLessThan(200);
  expect(server.faults).toEqual([]);
}, 60_000);

test('[D31] an exchange and its audits keep running through the same night', async () => {
  const { night, server, answers, hours } = await startProvider();
  const minds = ['left', 'right'].map((id) => ({ id, model: null }));
  const terms = { minds, policy: 'alert', audit_every: 5, ask_after_audit: 'never', auditor_spec: SPECIFICATION };
  const thread = await server.create('exchange', terms);
  await server.send('run', { thread, rounds: 30 });
  await night.until(async () => (await server.exchange(thread)).run?.state !== 'running');

  const { run, rounds, calls, audits, pool } = await server.exchange(thread);
  expect(run).toMatchObject({ state: 'ended', reason: 'done', done: 30 });
  expect([rounds.length, calls.length, audits.length]).toEqual([30, 60, 6]);
  expect(answers.length).toBe(66);
  expect(new Set(pool.thoughts.slice(0).map(({ text }) => text)).size).toBe(60);
  expect(hours()).toBeGreaterThan(7);
  const waits = (await server.events(thread)).filter(({ type }) => type === 'rounds.waiting');
  expect(waits.length).toBeGreaterThan(20);
  expect(server.faults).toEqual([]);
}, 60_000);
