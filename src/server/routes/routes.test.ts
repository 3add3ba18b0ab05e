import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askStep, commandSamples, dialoguesOf, draftStep } from '../../../test/support/servers/dialogue-samples.ts';
import { auditStep, exchangeSamples, exchangesOf, twoRounds } from '../../../test/support/servers/exchange-samples.ts';
import { loomSamples, makeLoom } from '../../../test/support/servers/loom-samples.ts';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { registryOn } from '../../../test/support/servers/settings-registry.ts';
import { modeOf } from '../../core/modes.ts';
import { dialogueRoutes } from '../../protocol/dialogue.ts';
import { exchangeRoutes } from '../../protocol/exchange.ts';
import { loomRoutes } from '../../protocol/loom.ts';
import { type Endpoint, endpoints, pagePaths, type RouteKey } from '../../protocol/routes.ts';
import { type WireError, type WireEvent, errorBody as wireError } from '../../protocol/wire.ts';
import { buildOpenApi } from '../reference/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

const settings = registryOn('models: {other: {provider: embedded}, third: {provider: embedded}}\n');
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ registry: settings.registry });
});
afterAll(() => server.close().finally(settings.remove));

test('[I4] the mounted routes are those of the table, and the page', () => {
  const declared = [...endpoints.map(({ key }) => key), ...pagePaths.map((path) => `GET ${path}`)];
  expect(server.app.mountedRoutes().toSorted()).toEqual(declared.toSorted());
});

test('[I4] the OpenAPI document has every route with its parameters and no dangling reference', async () => {
  const document = await bodyOf<Document>(server.send('GET', '/openapi.json'));
  expect(document).toEqual(JSON.parse(JSON.stringify(buildOpenApi('test'))));
  expect(document.openapi).toMatch(/^3\.1\./);
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(described.toSorted()).toEqual(endpoints.map(({ key }) => key).toSorted());
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
  for (const { key, method, path, body, upload, query, command } of endpoints) {
    const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation;
    const names = operation.parameters.map((parameter) => parameter.name);
    for (const [, name] of path.matchAll(/:(\w+)/g)) expect(names, key).toContain(name);
    for (const name of Object.keys(query?.shape ?? {})) expect(names, key).toContain(name);
    expect(names.includes('Idempotency-Key'), key).toBe(command ?? false);
    expect('requestBody' in operation, key).toBe((body ?? upload) !== undefined);
  }
  for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
    const [root, ...steps] = (reference as string).split('/');
    expect(root).toBe('#');
    const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
    expect(found, reference).toBeDefined();
  }
});

test('[I4] the reference page shows every route, loads nothing from elsewhere and respects its policy', async () => {
  const response = await server.send('GET', '/docs');
  const html = await response.text();
  expect(response.headers.get('content-type')).toContain('text/html');
  for (const { key } of endpoints) expect(html).toContain(`<code>${key}</code>`);
  expect(html).not.toMatch(/<script|src=|https?:\/\/|style="| on\w+="/);
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] as string;
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
});

test('[I4] opening the reference without being signed in shows me how to sign in', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml;q=0.9', 'sec-fetch-dest': 'document' };
  for (const token of ['', `hdl_${'a'.repeat(43)}`]) {
    const response = await server.send('GET', '/docs', { token, headers: browser });
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    expect(html).toContain('heddle token --link');
    expect(html).toContain('<a href="/docs">open this page again</a>');
    expect(html).not.toContain('/api/');
    const program = await server.send('GET', '/docs', { token });
    expect([program.status, await program.json()]).toMatchObject([401, { error: { code: 'unauthenticated' } }]);
  }
});

test('[I18] a browser that requests a page too often is told when to come back', async () => {
  const limited = await openTestServer({ limits: { burst: 1, perSecond: 0.5 }, elapsed: () => 0 });
  const browse = () => limited.send('GET', '/docs', { headers: { accept: 'text/html' } });
  await browse();
  const refused = await browse();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  expect(refused.headers.get('content-type')).toContain('text/html');
  await limited.close();
});

test('[I4] [I5] a link that I copied wrongly is refused on a page, and nothing of it runs there', async () => {
  const headers = { accept: 'text/html' };
  const response = await server.send('GET', '/signin?to=<b>', { token: '', headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect(await response.text()).not.toContain('<b>');
  expect((await server.send('GET', '/signin', { token: '' })).headers.get('content-type')).toContain('json');
});

test('[I4] [C4] every route answers with its declared status and shape', async () => {
  const { thread } = await server.client().threads.create({ title: 'Main', invite: [{ participant_id: 'alpha' }] });
  const { event } = await server.client().thread(thread.id).post({ type: 'message', content: 'Hello' });
  const side = await server
    .client()
    .thread(thread.id)
    .command('side_open', { question: 'Why?', members: ['alpha'] });
  for (const text of ['one', 'two']) await server.client().thread(thread.id).command('draft', { text });
  const talks = dialoguesOf(server.engine);
  const talk = await talks.make(askStep, draftStep(1, 'Yes.', 'a thought'), draftStep(2, '+1'));
  const { credential } = await server.client().credentials.issue({ participant: 'beta' });
  const code = new URL((await server.client().signInLink()).url).search;
  const stream = await server.send('GET', '/api/stream');
  const message = { type: 'message', content: 'x' };
  await server.client().personas.add({ name: 'Iris' });
  const { blob } = await server.client().blobs.upload(new Uint8Array([120]));
  const sent: Partial<Record<RouteKey, { path?: string; body?: unknown; headers?: Record<string, string> }>> = {
    'POST /api/threads': { body: { title: 'x' } },
    'POST /api/threads/:thread/events': { body: message },
    'POST /api/threads/:thread/delivery': { body: message },
    'POST /api/threads/:thread/events/:event/versions': { body: { text: 'Hello again' } },
    'POST /api/threads/:thread/presence': { body: { state: 'thinking', details: { nickname: 'A' } } },
    'POST /api/threads/:thread/commands/side_open': {
      body: { question: 'x', members: ['alpha'], budget: { tokens: 5 } },
    },
    'POST /api/threads/:thread/commands/side_close': {
      path: `/api/threads/${side.thread.id}/commands/side_close`,
      body: { summary: 'x' },
    },
    'POST /api/threads/:thread/commands/archive': { body: { on: true } },
    'POST /api/threads/:thread/commands/tag': { body: { add: ['garden'] } },
    'POST /api/threads/:thread/commands/fork': { body: { seq: 2 } },
    'POST /api/threads/:thread/commands/draft': { body: { text: 'x' } },
    'POST /api/threads/:thread/commands/draft_accept': { body: { index: 1 } },
    'POST /api/threads/:thread/commands/draft_discard': { body: { index: 2 } },
    'POST /api/threads/:thread/commands/stop_answer': { body: { participant: 'alpha' } },
    'POST /api/threads/:thread/read-mark': { body: { cursor: 't1.1' } },
    'POST /api/threads/:thread/summary': {
      path: `/api/threads/${side.thread.id}/summary`,
      body: { after: side.thread.last.cursor },
    },
    'POST /api/open': { body: { link: `/threads/${thread.id}#${event.id}`, as: 'dialogue', ask: 'Why?' } },
    'GET /api/bring': {
      path: `/api/bring?${new URLSearchParams({ from: `/threads/${thread.id}#${event.id}`, to: `/threads/${side.thread.id}` })}`,
    },
    'POST /api/bring': { body: { from: `/threads/${thread.id}#${event.id}`, to: `/threads/${side.thread.id}` } },
    'POST /api/blobs': { body: 'x', headers: { 'content-type': 'application/octet-stream' } },
    'GET /api/blobs/:blob': { path: `/api/blobs/${blob}` },
    'POST /api/profile': { body: { name: 'Ada L.' } },
    'POST /api/personas': { body: { name: 'Juno' } },
    'POST /api/personas/:persona': { path: '/api/personas/iris', body: { set: { name: 'Iris II' } } },
    'DELETE /api/personas/:persona': { path: '/api/personas/iris' },
    'POST /api/pins': { body: { thread: thread.id } },
    'POST /api/credentials': { body: { participant: 'gamma', kind: 'automation' } },
    'POST /api/signin-links': { body: {} },
    'POST /api/sample': { body: {} },
    'POST /api/streams/:stream/watch': {
      path: `/api/streams/${stream.headers.get('heddle-stream')}/watch`,
      body: { threads: [thread.id] },
    },
    'POST /api/import': { body: '', headers: { 'content-type': 'application/jsonl' } },
    'POST /api/rebuild': { body: {} },
    'POST /api/looms/import': {
      body: JSON.stringify({ name: 'tale.txt', base64: btoa('Once upon a time') }),
      headers: { 'content-type': 'application/jsonl' },
    },
    'POST /api/models/:model/test': { path: '/api/models/small/test', body: { n: 1, max_tokens: 1 } },
    'POST /api/budgets/workspace': { body: { tokens: 5 } },
    'POST /api/currency': { body: { currency: 'EUR' } },
    'POST /api/models': { body: { name: 'chat', entry: { provider: 'openai-chat', model: 'm' } } },
    'POST /api/models/:model': { path: '/api/models/other', body: { set: { model: 'small' } } },
    'POST /api/model-servers': {
      path: '/api/model-servers',
      body: { provider: 'openai-chat', base_url: 'http://127.0.0.1:9/v1' },
    },
    'POST /api/models/:model/key': { path: '/api/models/chat/key', body: { key: '' } },
    'DELETE /api/models/:model': { path: '/api/models/third' },
    'POST /api/defaults': { body: { mind: 'other' } },
    'GET /signin': { path: `/signin${code}` },
    'POST /signin': { path: `/signin${code}` },
    'GET /api/explain': { path: `/api/explain?link=${encodeURIComponent(`/threads/${thread.id}#${event.id}`)}` },
    'GET /api/search': { path: '/api/search?q=Hello' },
    'GET /api/threads/:thread/provenance': { path: `/api/threads/${talk}/provenance?turn=1` },
  };
  /** Several kinds of thread may have a command of one name. */
  const samples: [key: string, { path: string; body: unknown }][] = [];
  /** A sample for each name of a command, its earlier ones included. */
  async function addSamples(kind: string, name: string, make: () => Promise<{ thread: string; body: unknown }>) {
    const earlier = Object.entries(modeOf(kind)?.aliases ?? {}).filter(([, current]) => current === name);
    for (const each of [name, ...earlier.map(([alias]) => alias)]) {
      const { thread, body } = await make();
      const path = `/api/threads/${thread}/commands/${each}`;
      samples.push([`POST /api/threads/:thread/commands/${each}`, { path, body }]);
    }
  }
  for (const [name, { steps, body }] of Object.entries(commandSamples))
    await addSamples('dialogue', name, async () => ({ thread: await talks.make(...steps), body }));
  const exchanges = exchangesOf(server.engine);
  const pool = await exchanges.make(...twoRounds, auditStep(1, 'Both [#1, #2].'));
  for (const [name, { steps, body }] of Object.entries(exchangeSamples))
    await addSamples('exchange', name, async () => ({ thread: await exchanges.make(...steps), body }));
  for (const [name, bodyFor] of Object.entries(loomSamples)) {
    await addSamples('loom', name, async () => {
      const { thread, nodes } = await makeLoom(server.client());
      return { thread, body: bodyFor(nodes) };
    });
  }
  const loom = await makeLoom(server.client());
  const underWay = await makeLoom(server.client());
  const generating = server.client().thread(underWay.thread);
  await generating.command('generate', {});
  const { events: explored } = await generating.command('explore', {});
  await generating.command('undo', {});
  const at = `/api/threads/${underWay.thread}/commands`;
  const started = explored.find(({ type }) => type === 'exploration.started') as WireEvent;
  const { exploration } = started.content as { exploration: string };
  Object.assign(sent, {
    'POST /api/threads/:thread/commands/stop': { path: `${at}/stop`, body: {} },
    'POST /api/threads/:thread/commands/redo': { path: `${at}/redo`, body: {} },
    'POST /api/threads/:thread/commands/turn_exploration': {
      path: `${at}/turn_exploration`,
      body: { exploration, to: 'paused' },
    },
    'GET /api/snippets': { path: `/api/snippets?threads=${thread.id},${loom.thread}` },
    'GET /api/threads/:thread/found': { path: `/api/threads/${loom.thread}/found?words=upon` },
    'GET /api/threads/:thread/nodes': { path: `/api/threads/${loom.thread}/nodes?like=${loom.nodes.first.slice(-6)}` },
    'GET /api/threads/:thread/export': { path: `/api/threads/${loom.thread}/export?format=text` },
    'POST /api/threads/:thread/scratch': { body: { scratch: null } },
    'POST /api/threads/:thread/cursor': { body: { node: loom.nodes.first, from: 0, to: 1 } },
  });
  const threadFor = (key: string) => {
    if (key in dialogueRoutes) return talk;
    if (key in exchangeRoutes) return pool;
    return key in loomRoutes ? loom.thread : thread.id;
  };
  const fillPath = (path: string, key: string) =>
    path
      .replace(':thread', threadFor(key))
      .replace(':other', pool)
      .replace(':node', loom.nodes.first)
      .replace(':iter', '1')
      .replace(':event', event.id)
      .replace(':credential', credential.id);
  for (const endpoint of endpoints) {
    const ofCommand = samples.filter(([key]) => key === endpoint.key).map(([, sample]) => sample);
    for (const request of ofCommand.length > 0 ? ofCommand : [sent[endpoint.key] ?? {}]) {
      const { path = fillPath(endpoint.path, endpoint.key), ...more } = request;
      const response = await server.send(endpoint.method, path, more);
      expect(response.status, endpoint.key).toBe(endpoint.status);
      await expectDeclaredShape(endpoint, response);
    }
  }
});

async function expectDeclaredShape({ key, response: declared }: Endpoint, response: Response) {
  const type = response.headers.get('content-type') ?? '';
  if (typeof declared === 'string') {
    const isFile = declared === 'application/octet-stream' && response.headers.get('content-disposition');
    expect(isFile ? declared : type, key).toContain(declared);
    return response.body?.cancel();
  }
  expect(type, key).toBe('application/json; charset=utf-8');
  const answer = await response.json();
  // Parsing leaves out what the table does not know: nothing may be lost.
  expect(declared.parse(answer), key).toEqual(answer);
}

test('[I5] every refusal has the same shape', async () => {
  for (const [method, path, body] of [
    ['GET', '/nowhere'],
    ['GET', '/api/threads/nope'],
    ['POST', '/api/threads', {}],
    ['GET', '/api/events?after=x'],
  ] as const) {
    const answer = await bodyOf<WireError>(server.send(method, path, { body }));
    expect(wireError.parse(answer)).toEqual(answer);
    expect(answer.error.message).toMatch(/^[A-Z"].*\.$/s);
  }
});

test('[I7] health and readiness need no credential, and readiness fails when the store is gone', async () => {
  expect(await (await server.send('GET', '/healthz', { token: '' })).json()).toEqual({ status: 'ok', version: 'test' });
  expect((await server.send('GET', '/readyz', { token: '' })).status).toBe(200);
  const broken = await openTestServer();
  broken.engine.log.head = async () => {
    throw new Error('gone');
  };
  const answer = await broken.send('GET', '/readyz', { token: '' });
  expect([answer.status, (await bodyOf<WireError>(answer)).error.code]).toEqual([503, 'store_unavailable']);
  await broken.close();
});

test('[I7] metrics count what was done', async () => {
  const own = await openTestServer();
  const { thread } = await own.client().threads.create({ title: 'x' });
  await own.client().thread(thread.id).post({ type: 'message', content: 'x' });
  await own.send('GET', '/nowhere');
  const text = await (await own.send('GET', '/metrics')).text();
  const value = (name: string) => valueIn(text, name);
  expect(value('heddle_appended_events_total')).toBe(2);
  expect(value('heddle_commits_total')).toBe(2);
  expect(value('heddle_fsyncs_total')).toBe(2);
  expect(value('heddle_log_events')).toBe(2);
  expect(value('heddle_tail_lag_events')).toBe(0);
  expect(value('heddle_http_requests_total{status="201"}')).toBe(2);
  expect(value('heddle_refusals_total{code="unknown_route"}')).toBe(1);
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[\w.]+"\})? [\d.e+-]+)$/);
  await own.close();
});

test('[I7] metrics show how long the event loop was blocked, however many clients ask', async () => {
  const own = await openTestServer();
  const longest = async () => {
    const text = await (await own.send('GET', '/metrics')).text();
    expect(text).toContain('# TYPE heddle_event_loop_delay_seconds summary\n');
    return (
      ['0.5', '0.99', '1']
        .map((share) => valueIn(text, `heddle_event_loop_delay_seconds{quantile="${share}"}`))
        .at(-1) ?? 0
    );
  };
  // Two turns of the loop are measured before one is held up.
  await expect.poll(async () => own.app.metrics.loop.total().count).toBeGreaterThan(1);
  const until = performance.now() + 300;
  while (performance.now() < until);
  await expect.poll(longest).toBeGreaterThan(0.2);
  expect(await longest()).toBeGreaterThan(0.2);
  const { sum, count } = own.app.metrics.loop.total();
  expect([sum > 0.2, count > 1]).toEqual([true, true]);
  await own.close();
});

function valueIn(text: string, name: string): number {
  return Number(new RegExp(`^${name.replace(/[{}".]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
}

test('[I5] HEAD answers like GET, without a body', async () => {
  for (const path of ['/healthz', '/api/threads', '/api/stream']) {
    const answer = await server.send('HEAD', path);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  }
});
