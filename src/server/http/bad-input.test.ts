import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, openTestServer, readRefusal, type TestServer } from '../../../test/support/servers/server.ts';
import type { WirePostResult } from '../../protocol/wire.ts';

let server: TestServer;
let events: string;
let thread: string;

beforeAll(async () => {
  server = await openTestServer();
  thread = (await server.client().threads.create({ title: 'Garden', invite: [{ participant_id: 'alpha' }] })).thread.id;
  events = `/api/threads/${thread}/events`;
});
afterAll(() => server.close());

async function post(body: unknown, more: Parameters<TestServer['send']>[2] = {}) {
  return readRefusal(await server.send('POST', events, { body, ...more }));
}

describe('[I5] a body of the wrong shape is refused, naming the field and what was expected', () => {
  test.each<[string, unknown, RegExp]>([
    ['no type', { content: 'x' }, /"type" must be "message", "control", "task", "result" or "presence"/],
    ['an unknown type', { type: 'shout', content: 'x' }, /"type" must be "message"/],
    ['a type of the server', { type: 'thread.created', content: { title: 'x', kind: 'loom' } }, /"type" must be/],
    ['no content', { type: 'message' }, /"content" is missing; it must be a string/],
    ['content of the wrong type', { type: 'message', content: 7 }, /"content" must be a string/],
    ['empty content', { type: 'message', content: '' }, /"content" is out of bounds: at least 1 characters/],
    ['no object', 7, /The request must be an object/],
    ['null', null, /The request must be an object/],
    ['a list', [{ type: 'message', content: 'x' }], /The request must be an object/],
    ['a bad recipient', { type: 'message', content: 'x', to: 'No One' }, /"to" /],
    ['a reserved recipient', { type: 'message', content: 'x', to: 'system' }, /"to" .*reserved/],
    ['no recipients', { type: 'message', content: 'x', to: [] }, /"to" /],
    ['meta of the wrong type', { type: 'message', content: 'x', meta: 'y' }, /"meta" must be an object/],
    [
      'a tag of the wrong type',
      { type: 'message', content: 'x', meta: { tags: [1] } },
      /"meta.tags.0" must be a string/,
    ],
    ['an unknown field', { type: 'message', content: 'x', colour: 'red' }, /"colour" is not a field here/],
    [
      'an unknown field of meta',
      { type: 'message', content: 'x', meta: { colour: 1 } },
      /"meta.colour" is not a field/,
    ],
    ['a task for nobody', { type: 'task', content: 'x' }, /set "to" to a participant/],
    ['a result of nothing', { type: 'result', content: 'x' }, /set "meta.reply_to"/],
    ['a prototype', '{"type":"message","content":"x","__proto__":{"by":"human"}}', /"__proto__" is not a field here/],
  ])('%s', async (_, body, message) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, code: 'malformed' });
    expect(answer.message).toMatch(message);
  });

  test.each(['id', 'ts', 'seq', 'from', 'hash', 'thread', 'v'])(
    '[L2] refuses "%s", which the server sets',
    async (field) => {
      const answer = await post({ type: 'message', content: 'x', [field]: 'forged' });
      expect(answer).toMatchObject({ status: 400, code: 'malformed' });
      expect(answer.message).toContain(`"${field}" is set by the server`);
    },
  );

  test.each(['by', 'command', 'cause', 'accepted_by'])('[L2] refuses meta.%s, which the server sets', async (field) => {
    const answer = await post({ type: 'message', content: 'x', meta: { [field]: 'forged' } });
    expect(answer).toMatchObject({ status: 400, code: 'malformed' });
    expect(answer.message).toContain(`"meta.${field}"`);
  });
});

describe('[T5] a control has exactly one of its shapes', () => {
  test.each<[string, unknown]>([
    ['an unknown one', { dance: true }],
    ['two at once', { pause: { on: true }, done: true }],
    ['none', {}],
    ['text', 'pause'],
    ['nothing', null],
  ])('%s is refused with the shapes expected', async (_, content) => {
    const answer = await post({ type: 'control', content });
    expect(answer).toMatchObject({ status: 400, code: 'malformed' });
    for (const name of ['mute', 'pause', 'ttl_seconds', 'rename']) expect(answer.message).toContain(name);
  });

  test.each<[string, unknown, RegExp]>([
    ['an unknown mode', { mute: { targets: ['alpha'], mode: 'loud' } }, /"content.mute.mode" must be "hard" or "soft"/],
    ['a negative time', { ttl_seconds: -1 }, /"content.ttl_seconds" is out of bounds: at least 0/],
    ['an infinite time', '{"type":"control","content":{"ttl_seconds":1e999}}', /ttl_seconds/],
    ['done that is not', { done: false }, /"content.done" must be true/],
    ['a mute of nobody', { mute: { targets: [] } }, /"content.mute.targets" is out of bounds: at least 1 items/],
    ['pause without saying', { pause: {} }, /pause/],
  ])('%s is refused with what is wrong with the value', async (_, content, message) => {
    const answer = await post(typeof content === 'string' ? content : { type: 'control', content });
    expect(answer).toMatchObject({ status: 400, code: 'malformed' });
    expect(answer.message).toMatch(message);
  });
});

describe('[I17] a body is JSON, in UTF-8, and says so', () => {
  test.each(['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'the content type "%s" is refused',
    async (type) => {
      const answer = await post({ type: 'message', content: 'x' }, { headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 400, code: 'malformed' });
      expect(answer.message).toContain('application/json');
    },
  );

  test.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'the content type "%s" is accepted',
    async (type) => {
      const body = { type: 'message', content: 'x' };
      expect((await server.send('POST', events, { body, headers: { 'content-type': type } })).status).toBe(201);
    },
  );

  test.each(['', '{', '{"type":"message"', 'null null', '\uFEFF{}'])(
    'text that is not JSON is refused: %j',
    async (text) => {
      expect(await post(text)).toMatchObject({ status: 400, code: 'malformed' });
    },
  );

  test('[L15] bytes that are not UTF-8 are refused', async () => {
    const body = Buffer.concat([
      Buffer.from('{"type":"message","content":"'),
      Buffer.from([0xff, 0xc0]),
      Buffer.from('"}'),
    ]);
    const headers = { authorization: `Bearer ${server.human}`, 'content-type': 'application/json' };
    const answer = await readRefusal(await server.app.request(events, { method: 'POST', headers, body }));
    expect(answer).toMatchObject({ status: 422, code: 'unacceptable_text' });
  });
});

describe('[L15] text that a store would change is refused and not stored', () => {
  test.each<[string, string]>([
    ['NUL in a message', '{"type":"message","content":"a\\u0000b"}'],
    ['half a pair in a message', '{"type":"message","content":"a\\ud800b"}'],
    ['the other half', '{"type":"message","content":"\\udc00"}'],
    ['NUL in a tag', '{"type":"message","content":"x","meta":{"tags":["a\\u0000"]}}'],
    ['half a pair in reply_to', '{"type":"message","content":"x","meta":{"reply_to":"\\ud800"}}'],
    ['NUL in a control', '{"type":"control","content":{"rename":{"title":"a\\u0000"}}}'],
    ['half a pair in a task', '{"type":"task","to":"alpha","content":{"text":"\\ud83d"}}'],
  ])('%s', async (_, body) => {
    const before = await server.engine.log.head();
    expect(await post(body)).toMatchObject({ status: 422, code: 'unacceptable_text' });
    expect(await server.engine.log.head()).toBe(before);
  });

  test('it is refused in the title of a new thread', async () => {
    const answer = await readRefusal(await server.send('POST', '/api/threads', { body: '{"title":"a\\ud800"}' }));
    expect(answer).toMatchObject({ status: 422, code: 'unacceptable_text' });
  });

  test('it is refused in a participant’s presence', async () => {
    const body = '{"state":"idle","details":{"nickname":"a\\u0000"}}';
    const answer = await readRefusal(await server.send('POST', `/api/threads/${thread}/presence`, { body }));
    expect(answer).toMatchObject({ status: 422, code: 'unacceptable_text' });
  });

  test('it is refused in a dry run', async () => {
    const body = '{"type":"message","content":"a\\u0000"}';
    const answer = await readRefusal(await server.send('POST', `/api/threads/${thread}/delivery`, { body }));
    expect(answer).toMatchObject({ status: 422, code: 'unacceptable_text' });
  });

  test('a whole surrogate pair is kept unchanged', async () => {
    const { event } = await server.client().thread(thread).post({ type: 'message', content: 'a 🌱 b' });
    expect(event.content).toBe('a 🌱 b');
  });
});

describe('[L15] sizes', () => {
  test('content over 1 MiB is refused', async () => {
    const answer = await post({ type: 'message', content: 'x'.repeat(1024 * 1024 + 1) });
    expect(answer).toMatchObject({ status: 413, code: 'too_large', limit: 1024 * 1024 });
    expect(answer.message).toContain('1 MiB');
  });

  test('content of 1 MiB is stored', async () => {
    const body = { type: 'message', content: 'x'.repeat(1024 * 1024 - 2) };
    expect((await server.send('POST', events, { body })).status).toBe(201);
  });

  test('a body over 2 MiB is refused', async () => {
    const answer = await post({ type: 'message', content: 'x'.repeat(2 * 1024 * 1024) });
    expect(answer).toMatchObject({ status: 413, code: 'too_large', limit: 2 * 1024 * 1024 });
    expect(answer.message).toContain('2 MiB');
  });
});

describe('[I5] what is not there is not found', () => {
  const nowhere = ['nope', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '%00', '..%2f', "';--", 'x'.repeat(500), '%'];
  test.each(nowhere)('a thread "%s" is not found', async (id) => {
    for (const path of ['', '/state', '/events', '/presence', '/stream', '/events/x', '/events/x/delivery']) {
      const answer = await readRefusal(await server.send('GET', `/api/threads/${id}${path}`));
      expect(answer).toMatchObject({ status: 404, code: 'unknown_thread' });
    }
    const message = { type: 'message', content: 'x' };
    const posts = { events: message, delivery: message, presence: { state: 'idle' } };
    for (const [path, body] of Object.entries(posts)) {
      const answer = await readRefusal(await server.send('POST', `/api/threads/${id}/${path}`, { body }));
      expect(answer).toMatchObject({ status: 404, code: 'unknown_thread' });
    }
    const commands = { side_open: { question: 'x', members: ['alpha'] }, side_close: { summary: 'x' }, fork: {} };
    for (const [name, body] of Object.entries(commands)) {
      const answer = await readRefusal(await server.send('POST', `/api/threads/${id}/commands/${name}`, { body }));
      expect(answer).toMatchObject({ status: 404, code: 'unknown_thread' });
    }
  });

  test('an event of another thread is not found', async () => {
    const other = await server.client().threads.create({ title: 'Other' });
    const { event } = await server.client().thread(other.thread.id).post({ type: 'message', content: 'x' });
    for (const path of ['', '/delivery']) {
      const answer = await readRefusal(await server.send('GET', `${events}/${event.id}${path}`));
      expect(answer).toMatchObject({ status: 404, code: 'unknown_event', thread });
    }
  });

  test('an unknown address is not found', async () => {
    for (const path of [
      '/api',
      '/api/thread',
      '/api/threads/',
      `${events}/a/b/c`,
      '/nowhere.html',
      '//',
      '/../etc/passwd',
    ]) {
      expect(await readRefusal(await server.send('GET', path))).toMatchObject({ status: 404, code: 'unknown_route' });
    }
  });

  test('an unknown method is refused with those that are allowed', async () => {
    const answer = await readRefusal(await server.send('PUT', events, { body: {} }));
    expect(answer).toMatchObject({ status: 404, code: 'unknown_route' });
    expect(answer.message).toContain('accepts GET and POST, not PUT');
  });

  test('an unknown command is not found', async () => {
    const answer = await readRefusal(
      await server.send('POST', `/api/threads/${thread}/commands/explode`, { body: {} }),
    );
    expect(answer).toMatchObject({ status: 404, code: 'unknown_route' });
  });

  test('an unknown credential is not found', async () => {
    const answer = await readRefusal(await server.send('DELETE', '/api/credentials/01ARZ3NDEKTSV4RRFFQ69G5FAV'));
    expect(answer).toMatchObject({ status: 404, code: 'unknown_credential' });
  });
});

describe('[L10] cursors', () => {
  test.each(['events', 'stream'])('a cursor of the wrong kind is refused: %s', async (what) => {
    const ofThread = await readRefusal(await server.send('GET', `/api/threads/${thread}/${what}?after=w1.1`));
    expect(ofThread).toMatchObject({ status: 400, code: 'wrong_cursor' });
    expect(ofThread.message).toContain('a workspace cursor');
    const ofWorkspace = await readRefusal(await server.send('GET', `/api/${what}?after=t1.1`));
    expect(ofWorkspace).toMatchObject({ status: 400, code: 'wrong_cursor' });
    expect(ofWorkspace.message).toContain('a thread cursor');
  });

  test.each(['7', 't1.', 't1.-1', 't1.1.1', 't2.1', '2026-01-01T00:00:00.000Z', 't1.zzzzzzzzzzz', 't1.1 '])(
    'an invalid cursor is refused: "%s"',
    async (cursor) => {
      for (const what of [`events?after=`, `events?before=`, `stream?after=`]) {
        const answer = await readRefusal(
          await server.send('GET', `/api/threads/${thread}/${what}${encodeURIComponent(cursor)}`),
        );
        expect(answer).toMatchObject({ status: 400, code: 'wrong_cursor' });
      }
    },
  );

  test('a cursor points past the end, as after a restore, is refused instead of waiting forever', async () => {
    for (const path of [`/api/threads/${thread}/events?after=t1.zzz`, `/api/threads/${thread}/stream?after=t1.zzz`]) {
      const answer = await readRefusal(await server.send('GET', path));
      expect(answer).toMatchObject({ status: 400, code: 'wrong_cursor' });
      expect(answer.message).toContain('points past the end');
    }
  });

  test('a Last-Event-ID of the wrong kind is refused', async () => {
    const response = await server.send('GET', `/api/threads/${thread}/stream`, {
      headers: { 'last-event-id': 'w1.1' },
    });
    expect(await readRefusal(response)).toMatchObject({ status: 400, code: 'wrong_cursor' });
  });
});

describe('[I5] queries', () => {
  test.each([
    ['limit=0', /"limit" is out of bounds: at least 1/],
    ['limit=1001', /"limit" is out of bounds: at most 1000/],
    ['limit=ten', /"limit" must be a number/],
    ['limit=1.5', /"limit" must be an int/],
    ['wait=26', /"wait" is out of bounds: at most 25/],
    ['wait=-1', /"wait" is out of bounds: at least 0/],
    ['colour=red', /"colour" is not a field here/],
    ['after=t1.0&before=t1.1', /"after" or "before", not both/],
  ])('%s', async (query, message) => {
    const answer = await readRefusal(await server.send('GET', `${events}?${query}`));
    expect(answer).toMatchObject({ status: 400, code: 'malformed' });
    expect(answer.message).toMatch(message);
  });
});

describe('[L7] command ids', () => {
  test.each(['', ' ', 'two words', 'x'.repeat(201)])('"%s" is not a command id', async (id) => {
    const answer = await post({ type: 'message', content: 'x' }, { headers: { 'idempotency-key': id } });
    expect(answer).toMatchObject({ status: 400, code: 'malformed' });
  });

  test('a command id used for another command is refused', async () => {
    const headers = { 'idempotency-key': 'once' };
    await server.send('POST', events, { body: { type: 'message', content: 'one' }, headers });
    expect(await post({ type: 'message', content: 'two' }, { headers })).toMatchObject({
      status: 409,
      code: 'command_reused',
    });
    const create = await server.send('POST', '/api/threads', { body: { title: 'x' }, headers });
    expect(await readRefusal(create)).toMatchObject({ status: 409, code: 'command_reused' });
  });

  test('each participant has its own command ids', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const body = { type: 'message', content: 'one' };
    const first = await bodyOf<WirePostResult>(server.send('POST', events, { body, headers }));
    const second = await bodyOf<WirePostResult>(server.send('POST', events, { body, headers, token: server.agent }));
    expect(second.event.id).not.toBe(first.event.id);
    expect(second.event.from).toBe('alpha');
  });
});

test('[L17] a token in a message is refused, and not repeated in the answer', async () => {
  const answer = await post({ type: 'message', content: `my token is ${server.agent}` });
  expect(answer).toMatchObject({ status: 422, code: 'unacceptable_text' });
  const field = await post({ type: 'message', content: 'x', [server.agent]: 1 });
  expect(field.message).not.toContain(server.agent);
  const cut = await server.send('POST', events, { body: `{"type": ${server.agent}` });
  expect(await cut.text()).not.toContain(server.agent);
  expect(JSON.stringify(await server.engine.log.readAll(0, 1000))).not.toContain('hdl_');
});
