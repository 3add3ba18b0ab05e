import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalJson } from '../src/core/events/canonical.ts';
import type { Json } from '../src/core/events/event.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { createMcpHttp } from '../src/mcp/http.ts';
import { type Endpoint, endpoints } from '../src/protocol/routes.ts';
import type { WirePostResult } from '../src/protocol/wire.ts';
import { bodyOf, openTestServer, type TestServer } from './support/servers/server.ts';
import { bodiesWithName } from './support/texts/named-bodies.ts';

/** What every object has without having been given it: as names they are like any other. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];
const KINDS = ['conversation', 'dialogue', 'exchange', 'loom'] as const;

let directory: string;
let server: TestServer;
const threads = new Map<string, string>();

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'heddle-names-'));
  server = await open();
  for (const kind of KINDS) threads.set(kind, (await server.client().threads.create({ title: kind, kind })).thread.id);
});

afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

function open(): Promise<TestServer> {
  return openTestServer({
    log: openSqliteLog(join(directory, 'heddle.db'), { synchronous: 'NORMAL' }),
    mcp: (fetch) => createMcpHttp(fetch, '0.0.0'),
  });
}

/** Everything that can be read of the workspace; but for the time that is left, which passes. */
async function all(): Promise<readonly string[]> {
  const { threads: rows } = await server.client().threads.list();
  const states = await Promise.all(rows.map(async ({ id }) => (await server.client().thread(id).state()).state));
  return [...rows, ...states].map(({ ttl_remaining: _, ...each }: Loose) => canonicalJson(each as Json));
}

/** Made from the events alone, the workspace is the same. */
async function expectRebuilt(): Promise<void> {
  const before = await all();
  await server.engine.rebuild();
  expect(await all()).toEqual(before);
  await server.close();
  server = await open();
  expect(await all()).toEqual(before);
}

function addressesOf({ path }: Endpoint, name: string): readonly string[] {
  if (!path.includes(':')) return [path];
  const filled = path.replace(/:\w+/g, name);
  return [filled, ...[...threads.values()].map((thread) => path.replace(':thread', thread).replace(/:\w+/g, name))];
}

function queriesOf({ query }: Endpoint, name: string): readonly string[] {
  if (!query) return [''];
  const fields = Object.keys(query.shape).filter((field) => field !== 'wait');
  return ['', ...fields.map((field) => `?${field}=${name}`), `?${name}=${name}`];
}

/** Streams do not end, and these two answer for something else: no name is in them. */
const isLeftOut = ({ key, response }: Endpoint) =>
  response === 'text/event-stream' || key === 'POST /api/sample' || key === 'POST /api/rebuild';

describe.each(NAMES)('"%s" in every address', (name) => {
  test('[L23] no address, question or body with it is answered by a fault', async () => {
    const faults: string[] = [];
    let commands = 0;
    for (const endpoint of endpoints.filter((each) => !isLeftOut(each))) {
      const bodies = endpoint.body
        ? [...bodiesWithName(endpoint.body, name), `{"${name}":{"x":"${name}"}}`]
        : [undefined];
      const queries = endpoint.body ? [''] : queriesOf(endpoint, name);
      const addresses = [...new Set(addressesOf(endpoint, name))].flatMap((each) =>
        queries.map((query) => each + query),
      );
      const requests = addresses.flatMap((address) => bodies.map((body) => ({ address, body })));
      // At once, as they would come from many: what is written then shares its commits.
      await Promise.all(
        requests.map(async ({ address, body }) => {
          const headers = endpoint.command && { 'idempotency-key': `${name}.${++commands}` };
          const sent = { ...(body !== undefined && { body }), ...(headers && { headers }) };
          const answer = await server.send(endpoint.method, address, sent);
          await answer.text();
          if (answer.status >= 500) faults.push(`${endpoint.method} ${address} ${JSON.stringify(body)}`);
        }),
      );
    }
    expect(faults).toEqual([]);
    expect(server.reported).toEqual([]);
    await expectRebuilt();
  }, 240_000);
});

describe.each(NAMES)('"%s" is a name like any other', (name) => {
  test('[L23] who is called so is invited, addressed, muted and answered as anybody', async () => {
    const id = /^[a-z]/.test(name) && name === name.toLowerCase() ? name : 'constructor';
    const profile = { nickname: name, roles: [name] };
    const thread = threads.get('conversation') as string;
    const post = async (body: unknown, token?: string) => {
      const command = { 'idempotency-key': `${name}-${JSON.stringify(body).length}` };
      const answer = await server.send('POST', `/api/threads/${thread}/events`, {
        body,
        ...(token && { token }),
        headers: command,
      });
      expect(answer.status, JSON.stringify(body)).toBe(201);
      return (await bodyOf<WirePostResult>(answer)).event;
    };
    const state = async () => (await server.client().thread(thread).state()).state;
    const token = await server.tokenFor(id, 'agent');

    await post({ type: 'control', content: { mute: { targets: ['alpha'] } } });
    expect((await state()).participants.find((each) => each.id === id)).toBeUndefined();
    await post({
      type: 'control',
      content: { invite: { participant_id: id, profile: { kind: 'agent', ...profile } } },
    });
    expect((await state()).participants.find((each) => each.id === id)).toMatchObject({
      invited: true,
      muted: null,
      profile,
    });
    await post({ type: 'message', content: `@${name} hello`, meta: { tags: [name] } });
    const task = await post({ type: 'task', content: { text: name, role: name }, to: id });
    await post({ type: 'result', content: name, meta: { reply_to: task.id } }, token);
    await post({ type: 'control', content: { mute: { targets: [id] } } });
    expect((await state()).participants.find((each) => each.id === id)).toMatchObject({ muted: 'hard' });
    await post({ type: 'control', content: { unmute: { targets: [id] } } });
    await post({ type: 'control', content: { uninvite: { participant_id: id } } });
    expect((await state()).participants.find((each) => each.id === id)).toMatchObject({ invited: false, muted: null });
    await expectRebuilt();
  });

  test('[L23] writes of others are stored beside a reply to nothing of that name', async () => {
    const thread = threads.get('conversation') as string;
    const path = `/api/threads/${thread}/events`;
    const reply = { type: 'result', content: 'x', meta: { reply_to: name } };
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        i % 3 === 0
          ? server.send('POST', path, { body: reply, token: server.agent })
          : server.send('POST', path, { body: { type: 'message', content: `m${i}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(40);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('[L23] an agent may use it with every tool', async () => {
    const accept = 'application/json, text/event-stream';
    const rpc = async (method: string, params: unknown) => {
      const body = { jsonrpc: '2.0', id: 1, method, params };
      const answer = await server.send('POST', '/mcp', { token: server.agent, body, headers: { accept } });
      expect(answer.status).toBeLessThan(500);
      return (await answer.text()).replace(/^(event|id):.*\n/gm, '').replace(/^data: /, '');
    };
    const { tools } = (JSON.parse(await rpc('tools/list', {})) as { result: { tools: Tool[] } }).result;
    expect(tools.length).toBeGreaterThan(5);
    for (const { name: tool, inputSchema } of tools) {
      for (const thread of [name, threads.get('conversation')]) {
        const fields = Object.keys(inputSchema.properties ?? {}).filter((field) => field !== 'wait');
        const given = Object.fromEntries(fields.map((field) => [field, field === 'thread' ? thread : name]));
        await rpc('tools/call', { name: tool, arguments: given });
      }
    }
    expect(server.reported).toEqual([]);
  });
});

type Loose = Readonly<Record<string, unknown>>;

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object };
}
