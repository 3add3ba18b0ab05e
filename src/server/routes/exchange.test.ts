import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  auditStep,
  exchangeSamples,
  exchangesOf,
  roundSteps,
  twoRounds,
} from '../../../test/support/servers/exchange-samples.ts';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { exchangeCommands } from '../../core/exchange/commands.ts';
import type { AuditRow, ExchangeComparison, ExchangeStatusView, RoundRow } from '../../core/exchange/view/schema.ts';
import type { RouteResponse } from '../../protocol/routes.ts';
import type { WireError } from '../../protocol/wire.ts';

let server: TestServer;
let exchanges: ReturnType<typeof exchangesOf>;
beforeAll(async () => {
  server = await openTestServer();
  exchanges = exchangesOf(server.engine);
});
afterAll(() => server.close());

const get = <Body>(thread: string, what: string) => bodyOf<Body>(server.send('GET', `/api/threads/${thread}/${what}`));
const post = (thread: string, name: string, body: object, token?: string) =>
  server.send('POST', `/api/threads/${thread}/commands/${name}`, { body, ...(token && { token }) });

test('[X1] [X4] rounds and audits are listed newest first, and citations include what they name', async () => {
  const thread = await exchanges.make(
    ...twoRounds,
    auditStep(1, 'The sea [#1] and nothing [#9].'),
    ...roundSteps(3, 'the land'),
  );
  const { rounds } = await get<{ rounds: RoundRow[] }>(thread, 'rounds?limit=2');
  expect(rounds.map((each) => [each.round, each.thoughts[0]?.text, each.audit])).toEqual([
    [3, 'the land', undefined],
    [2, 'the sky', 1],
  ]);
  const { audits } = await get<{ audits: AuditRow[] }>(thread, 'audits');
  expect(audits[0]).toMatchObject({
    cites: [{ id: 1, text: 'the sea', author: 'mind_0' }],
    unknown: ['9'],
    coverage: { cited: [1], missed: [2], share: 0.5 },
  });
  expect(await get(thread, 'entries?types=audit,observer_role')).toMatchObject({
    entries: [{ type: 'observer_role' }, { type: 'audit', marked: '[AUDIT] The sea [#1] and nothing [#9].' }],
  });
  expect(await get(thread, 'drift')).toMatchObject({
    rounds: [{ round: 1, diversity: 0.5, novelty: 0.25, dominance: 1, noise: 0 }, { round: 2 }, { round: 3 }],
  });
  expect(await get(thread, 'clusters')).toMatchObject({ noise: 0, clusters: [{ id: 3 }, { id: 2 }, { id: 1 }] });
  expect(await get(thread, 'exchange')).toMatchObject({ round: 3, audits: 1, next_audit: 1, phase: 'free_running' });
  const { rounds: none, ...wrong } = await get<{ rounds?: unknown } & WireError>(thread, 'drafts');
  expect([none, wrong.error.code]).toEqual([undefined, 'wrong_kind']);
  expect(wrong.error.message).toContain('is an exchange;');
  const { error } = await bodyOf<WireError>(post(thread, 'commit', {}));
  expect(error.message).toContain('is an exchange; "commit" is for a loom.');
});

test('[X5] an agent can read everything but use none of the observer’s powers', async () => {
  for (const [name, { steps, body }] of Object.entries(exchangeSamples)) {
    const thread = await exchanges.make(...steps);
    const sent = await post(thread, name, body, server.agent);
    expect([name, sent.status]).toEqual([name, 403]);
    expect((await get<ExchangeStatusView>(thread, 'exchange')).halted).toBeUndefined();
  }
  const thread = await exchanges.make(...twoRounds);
  expect((await post(thread, 'fork', {}, server.agent)).status).toBe(403);
  const { roles } = await get<{ roles: { role: string; powers: { commands: string[] }[] }[] }>(thread, 'powers');
  const listed = roles.flatMap(({ powers }) => powers.flatMap(({ commands }) => commands));
  const commands = Object.entries(exchangeCommands).filter(([, { access }]) => (access as string) === 'human');
  expect(listed).toEqual(expect.arrayContaining(commands.map(([name]) => name)));
  expect(Object.keys(exchangeSamples)).toEqual(commands.map(([name]) => name));
});

test.each([
  ['an empty specification', 'amend', { set: { auditor_spec: '   ' } }, 400, 'malformed'],
  ['an oversized prompt', 'amend', { set: { mind_prompt: 'x'.repeat(40_000) } }, 413, 'too_large'],
  ['a misspelt term', 'amend', { set: { audit_evry: 3 } }, 400, 'malformed'],
  ['no terms', 'amend', { set: {} }, 400, 'malformed'],
  ['a round that is not there', 'rollback', { round: 7 }, 404, 'unknown_round'],
  ['a decision on nothing', 'decide', { decision: 'acknowledge', reason: 'x' }, 409, 'nothing_pending'],
  ['no such decision', 'decide', { decision: 'explode', reason: 'x' }, 400, 'malformed'],
  ['a thought that is not there', 'veto', { thought: 99, reason: 'x' }, 404, 'unknown_thought'],
  ['an empty pool', 'audit_now', {}, 409, 'idle'],
  ['nothing held', 'resume_run', {}, 409, 'not_running'],
  ['an empty message', 'inject', { text: '' }, 400, 'malformed'],
])('[X5] %s is refused with a message', async (_, name, body, status, code) => {
  const thread = await exchanges.make();
  const sent = await post(thread, name, body);
  const { error } = await bodyOf<WireError>(sent);
  expect([sent.status, error.code]).toEqual([status, code]);
  expect(error.message).toMatch(/[.?]$/);
  const tree = await get<ExchangeStatusView>(thread, 'exchange');
  expect(tree).toMatchObject({ round: 0, terms: 1 });
});

test('[X9] branches form a tree, and two of them can be compared', async () => {
  const thread = await exchanges.make(...twoRounds, auditStep(1, 'Both [#1, #2].'), ['stop_run', {}]);
  const response = await bodyOf<{ events: { type: string; thread: string }[] }>(
    post(thread, 'rollback', { round: 1, set: { audit_every: 9 }, reason: 'Try again.' }),
  );
  const fork = response.events.find(({ type }) => type === 'thread.created')?.thread as string;
  await exchanges.send(fork, 'run', { rounds: 1 });
  const [spoken, settled] = roundSteps(2, 'the wind');
  await exchanges.send(fork, spoken?.[0] as 'report_thoughts', { ...spoken?.[1], run: 2 });
  await exchanges.send(fork, settled?.[0] as 'settle_round', { ...settled?.[1], run: 2 });
  const { branches } = await get<RouteResponse<'GET /api/threads/:thread/branches'>>(fork, 'branches');
  expect(branches.map((each) => [each.thread, each.forked_from?.thread, each.rounds])).toEqual([
    [thread, undefined, 2],
    [fork, thread, 2],
  ]);
  const { a, common, first_difference, terms, clusters } = await get<ExchangeComparison>(thread, `compare/${fork}`);
  expect([common, first_difference, terms]).toEqual([
    1,
    { round: 2, a: ['the sky'], b: ['the wind'] },
    ['audit_every'],
  ]);
  expect(a).toMatchObject({ rounds: 2, audits: 1 });
  expect(clusters[0]).toMatchObject({ a: { id: 1 }, b: { id: 1 }, match: 'same' });
  expect((await server.send('GET', `/api/threads/${thread}/compare/nobody`)).status).toBe(404);
});

test('[X3] terms are listed with their versions, full texts and hashes', async () => {
  const amend = ['amend', { set: { observer_role: 'I only watch.' }, reason: 'Less.' }] as const;
  const thread = await exchanges.make(...twoRounds, ['stop_run', {}], amend);
  expect(await get(thread, 'terms')).toMatchObject({
    now: { version: 1 },
    announced: [2],
    versions: [
      { version: 2, announced: 3, effective: 4, reason: 'Less.', texts: { observer_role: 'I only watch.' } },
      { version: 1 },
    ],
  });
});
