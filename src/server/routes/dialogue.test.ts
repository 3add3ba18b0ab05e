import { afterAll, beforeAll, expect, test } from 'vitest';
import { askStep, commandSamples, dialoguesOf, draftStep } from '../../../test/support/servers/dialogue-samples.ts';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { dialogueCommands } from '../../core/dialogue/commands.ts';
import { dialogueRoutes } from '../../protocol/dialogue.ts';
import { endpoints } from '../../protocol/routes.ts';

let server: TestServer;
let dialogues: ReturnType<typeof dialoguesOf>;

beforeAll(async () => {
  server = await openTestServer();
  dialogues = dialoguesOf(server.engine);
});
afterAll(() => server.close());

async function get(thread: string, what: string) {
  const response = await server.send('GET', `/api/threads/${thread}/${what}`);
  const key = `GET /api/threads/:thread/${what.split(/[/?]/)[0]}`;
  const declared = endpoints.find((each) => each.key === key || each.key === `${key}/:iter`);
  const answer = await bodyOf<Record<string, unknown>>(response);
  if (response.status === 200 && what !== 'iterations/1' && typeof declared?.response === 'object') {
    expect(declared.response.parse(answer), key).toEqual(answer);
  }
  return { status: response.status, ...answer };
}

const makeDialogue = () =>
  dialogues.make(
    askStep,
    draftStep(1, 'a kind of static', 'noise?'),
    draftStep(2, 'a kind of texture', 'texture'),
    draftStep(3, '+1'),
    draftStep(4, null),
  );

test('[C7] drafts, status and history have exactly these fields', async () => {
  const thread = await makeDialogue();
  const { drafts, turn } = (await get(thread, 'drafts')) as unknown as { turn: number; drafts: object[] };
  expect(turn).toBe(1);
  expect(drafts).toMatchObject([
    { index: 3, iter: 3, text: '+1', seen: false, signal: 'soft' },
    { index: 2, iter: 2, text: 'a kind of texture', seen: false, signal: null },
    { index: 1, iter: 1, text: 'a kind of static', seen: false, signal: null },
  ]);
  expect(await get(thread, 'status')).toMatchObject({
    state: 'awaiting',
    iter: 4,
    attention: { level: 'needs_you', reason: expect.stringContaining('#2 unchanged for 2 iterations, endorsed once') },
    drafts: 3,
    engagement: 'absent',
  });
  await dialogues.send(thread, 'accept', {});
  expect(await get(thread, 'history')).toMatchObject({
    turns: [{ turn: 1, message: 'Noisy?', reply: 'a kind of texture', accepted_draft_index: 2 }],
  });
  expect(await get(thread, 'drafts')).toMatchObject({ turn: null, drafts: [] });
  expect(await get(thread, 'drafts?turn=1&only=1,3')).toMatchObject({ turn: 1, drafts: [{ index: 3 }, { index: 1 }] });
  expect(await get(thread, 'drafts?turn=1&before=3&limit=1')).toMatchObject({ drafts: [{ index: 2 }], total: 3 });
});

test('[D27] an accepted sentence leads to its draft, iteration, thoughts and clusters', async () => {
  const thread = await makeDialogue();
  const shown = { thoughts: [1, 2], recent: [], recalled: [], drafts: [1, 2], history: [], steer: 0 };
  const [name, last] = draftStep(5, 'a kind of texture. It hums.');
  await dialogues.send(thread, name, { ...last, shown });
  const assignments = [1, 2].map((thought) => ({ thought, cluster: 4, embedder: 'e' }));
  await dialogues.send(thread, 'report_clusters', { after: 0, assignments });
  await dialogues.send(thread, 'accept', {});
  expect(await get(thread, 'provenance?turn=1&passage=It%20hums.')).toMatchObject({
    draft: 4,
    first: { index: 4, iter: 5 },
    drafts: [4],
    iteration: {
      iter: 5,
      sampled: [1, 2],
      shown: {
        thoughts: [
          { id: 1, cluster: 4 },
          { id: 2, cluster: 4 },
        ],
      },
    },
  });
  expect(await get(thread, 'provenance?turn=1&passage=texture')).toMatchObject({
    first: { index: 2, iter: 2 },
    drafts: [2, 4],
  });
  expect(await get(thread, 'clusters')).toMatchObject({
    clusters: [{ id: 4, total: 2 }],
    timeline: [{ iter: 1 }, { iter: 2 }],
  });
});

test('[D27] thoughts have fixed places on a map', async () => {
  const thread = await makeDialogue();
  const map = await get(thread, 'map');
  expect(map).toMatchObject({ points: [{ id: 1 }, { id: 2 }] });
  const { points } = map as unknown as { points: { x: number; y: number }[] };
  for (const { x, y } of points) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(1);
  expect(points[0]).not.toMatchObject({ x: points[1]?.x });
  expect(await get(thread, 'map')).toEqual(map);
});

test('[D3] iterations are read one by one or in pages, and an unknown one is refused', async () => {
  const thread = await makeDialogue();
  expect(await get(thread, 'iterations/1')).toMatchObject({
    iter: 1,
    outcome: 'draft',
    thoughts: [{ text: 'noise?' }],
    sampled: [],
  });
  expect(await get(thread, 'iterations?limit=2')).toMatchObject({
    iterations: [{ iter: 4, outcome: 'silence' }, { iter: 3 }],
  });
  expect(await get(thread, 'iterations?before=3')).toMatchObject({ iterations: [{ iter: 2 }, { iter: 1 }] });
  for (const iter of ['5', '0', 'x', '1e3']) {
    expect(await get(thread, `iterations/${iter}`)).toMatchObject({
      status: 404,
      error: { code: 'unknown_iteration' },
    });
  }
});

test('[D8] the archive is JSON Lines', async () => {
  const thread = await makeDialogue();
  const response = await server.send('GET', `/api/threads/${thread}/archive`);
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { kind: 'draft', turn: 1, index: 1, iter: 1, text: 'a kind of static' },
    { index: 2 },
    { index: 3, text: '+1', signal: 'soft' },
  ]);
});

test('[C4] reading a conversation as a dialogue is refused with its kind', async () => {
  const { thread } = await server.client().threads.create({ title: 'x' });
  for (const what of ['drafts', 'status', 'history', 'away', 'archive', 'config', 'clusters', 'iterations']) {
    expect(await get(thread.id, what)).toMatchObject({ status: 409, error: { code: 'wrong_kind' } });
  }
  const sent = await server.send('POST', `/api/threads/${thread.id}/commands/step`, { body: {} });
  expect(await bodyOf(sent)).toMatchObject({ error: { code: 'wrong_kind' } });
});

test.each(Object.entries(commandSamples))(
  '[C4] [L7] %s sent twice with one key is done once',
  async (name, { steps, body }) => {
    const thread = await dialogues.make(...steps);
    const send = () =>
      server.send('POST', `/api/threads/${thread}/commands/${name}`, {
        body,
        headers: { 'idempotency-key': `${name}-1` },
      });
    const first = await send();
    const text = await first.text();
    expect([first.status, JSON.parse(text).events.length > 0], text).toEqual([201, true]);
    expect(await (await send()).text()).toBe(text);
  },
);

test('[C4] every command a person can send has a sample here, and the workspace’s own commands have no address', () => {
  const open = Object.entries(dialogueCommands).filter(([, { access }]) => (access as string) !== 'internal');
  expect(Object.keys(commandSamples)).toEqual(open.map(([name]) => name));
  const paths: readonly string[] = endpoints.map(({ key }) => key);
  for (const name of ['report_iteration', 'report_clusters'])
    expect(paths).not.toContain(`POST /api/threads/:thread/commands/${name}`);
});

test('[M9] only a human can accept, steer or configure', async () => {
  for (const [name, { steps, body }] of Object.entries(commandSamples)) {
    const thread = await dialogues.make(...steps);
    const sent = await server.send('POST', `/api/threads/${thread}/commands/${name}`, { body, token: server.agent });
    expect([name, sent.status]).toEqual([name, 403]);
  }
});

test('[C7] creating a dialogue takes its settings and says what is wrong with one', async () => {
  const response = await server.send('POST', '/api/threads', {
    body: { title: 'x', kind: 'dialogue', setup: { history_pairs: 2 } },
  });
  const { thread } = await bodyOf<{ thread: { id: string; about: object } }>(response);
  expect(thread.about).toEqual({ attention: 'idle', turn: null });
  expect(await get(thread.id, 'config')).toMatchObject({ config: { history_pairs: 2, draft_display_count: 16 } });
  const wrong = await server.send('POST', '/api/threads', {
    body: { title: 'x', kind: 'dialogue', setup: { history_pairs: -2 } },
  });
  expect([wrong.status, (await bodyOf<{ error: { message: string } }>(wrong)).error.message]).toEqual([
    400,
    expect.stringContaining('history_pairs'),
  ]);
  expect(Object.keys(dialogueRoutes)).toHaveLength(11);
});

test('[I7] iterations, accepted drafts and paused runs are counted', async () => {
  const own = await openTestServer();
  const talks = dialoguesOf(own.engine);
  await talks.make(askStep, draftStep(1, 'a'), draftStep(2, 'b'), ['accept', {}]);
  const text = await (await own.send('GET', '/metrics')).text();
  expect(text).toContain('heddle_events_by_type_total{type="iteration_ended"} 2\n');
  expect(text).toContain('heddle_events_by_type_total{type="turn_accepted"} 1\n');
  await own.close();
});
