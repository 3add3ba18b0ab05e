import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { createEngine } from '../../engine/engine.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import type { WirePostResult } from '../../protocol/wire.ts';
import { createApp } from '../app.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function newThread(invite: readonly string[] = ['alpha']) {
  const input = { title: 'T', invite: invite.map((participant_id) => ({ participant_id })) };
  return (await server.client().threads.create(input)).thread.id;
}

describe('[L7] an exact retry is answered like the first time', () => {
  test('a post is answered the same at once, later and after a restart', async () => {
    const log = openMemoryLog();
    const first = await openTestServer({ log });
    const { thread } = await first.client().threads.create({ title: 'T', invite: [{ participant_id: 'alpha' }] });
    const sent = { body: { type: 'message', content: 'Hello' }, headers: { 'idempotency-key': 'k1' } };
    const path = `/api/threads/${thread.id}/events`;
    const answers = await Promise.all([1, 2, 3].map(() => first.send('POST', path, sent)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    // What happened since changes nothing of the answer.
    await first
      .client()
      .thread(thread.id)
      .post({ type: 'control', content: { mute: { targets: ['alpha'] } } });
    texts.push(await (await first.send('POST', path, sent)).text());
    const second = await createEngine({ log });
    const app = createApp({ engine: second, credentials: first.credentials, version: 'test' });
    const headers = {
      authorization: `Bearer ${first.human}`,
      'content-type': 'application/json',
      'idempotency-key': 'k1',
    };
    const again = await app.request(path, { method: 'POST', headers, body: JSON.stringify(sent.body) });
    texts.push(await again.text());
    expect(new Set([...answers.map(({ status }) => status), again.status])).toEqual(new Set([201]));
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] as string).delivery).toMatchObject([{ participant: 'alpha', decision: 'wake' }]);
    const { events } = await first.client().thread(thread.id).events();
    expect(events.filter(({ type }) => type === 'message')).toHaveLength(1);
    app.close();
    await second.close();
    await first.close();
  });

  test('the answer says whether someone could be reached at the time', async () => {
    const thread = await newThread();
    const agent = server.client(server.agent).thread(thread);
    const leave = new AbortController();
    const stream = agent.stream({ after: 'head', signal: leave.signal });
    const reading = stream.next();
    const post = () => server.client().thread(thread).post({ type: 'message', content: 'x' }, { id: 'reach' });
    await expect.poll(async () => (await agent.presence()).presence.length).toBe(1);
    const first = await post();
    expect(first.delivery).toMatchObject([{ participant: 'alpha', reach: 'live' }]);
    await reading;
    leave.abort();
    await agent.declare('offline');
    expect(await post()).toEqual(first);
    expect((await server.client().thread(thread).delivery(first.event.id)).delivery).not.toEqual(first.delivery);
  });

  test('creating a thread is answered the same, whatever happened since', async () => {
    const create = () => server.client().threads.create({ title: 'Once' }, { id: 'create-once' });
    const first = await create();
    await server
      .client()
      .thread(first.thread.id)
      .post({ type: 'control', content: { rename: { title: 'Twice' } } });
    await server
      .client()
      .thread(first.thread.id)
      .post({ type: 'control', content: { pause: { on: true } } });
    expect(await create()).toEqual(first);
  });

  test.each(['side_open', 'fork'] as const)('%s', async (name) => {
    const thread = server.client().thread(await newThread());
    await thread.post({ type: 'control', content: { pause: { on: true } } });
    const body = { side_open: { question: 'Why?', members: ['alpha'] }, fork: {} }[name];
    const run = () => thread.command(name, body as never, { id: `once-${name}` });
    const first = await run();
    await thread.post({ type: 'control', content: { pause: { on: false } } });
    await server
      .client()
      .thread(first.thread.id)
      .post({ type: 'control', content: { done: true } });
    expect(await run()).toEqual(first);
    if (name === 'fork') expect(first.thread.paused).toBe(true);
  });

  test('without a command id every post is a new one', async () => {
    const path = `/api/threads/${await newThread()}/events`;
    const post = async () =>
      (await bodyOf<WirePostResult>(server.send('POST', path, { body: { type: 'message', content: 'x' } }))).event;
    const [one, two] = [await post(), await post()];
    expect(one.id).not.toBe(two.id);
    expect(one.meta.command).not.toBe(two.meta.command);
  });
});

describe('[T11] side channels', () => {
  test('a side channel opens and closes with a summary, recorded in both threads', async () => {
    const parent = server.client().thread(await newThread());
    const opened = await parent.command('side_open', { question: 'Which colour?', members: ['alpha'] });
    expect(opened.thread).toMatchObject({ title: 'Which colour?', side_of: parent.id });
    const side = server.client(server.agent).thread(opened.thread.id);
    await expect(side.command('side_close', { summary: 'Red' })).rejects.toMatchObject({
      code: 'forbidden',
      status: 403,
    });
    await expect(parent.command('side_close', { summary: 'x' })).rejects.toMatchObject({
      code: 'not_a_side_channel',
      status: 409,
    });
    const closed = await server.client().thread(opened.thread.id).command('side_close', { summary: 'Red' });
    expect(closed.events.map(({ type }) => type)).toEqual(['side.closed', 'side.returned']);
    await expect(
      server.client().thread(opened.thread.id).command('side_close', { summary: 'x' }),
    ).rejects.toMatchObject({ code: 'side_closed', status: 409 });
    expect((await parent.state()).state.open_sides).toEqual([]);
  });
});

describe('[T7] [C4] refusals by the state of a thread', () => {
  test('a refusal names the thread and the participant', async () => {
    const id = await newThread();
    const [human, agent] = [server.client().thread(id), server.client(server.agent).thread(id)];
    await human.post({ type: 'control', content: { mute: { targets: ['alpha'] } } });
    const about = { status: 409, thread: id, participant: 'alpha' };
    await expect(agent.post({ type: 'message', content: 'x' })).rejects.toMatchObject({
      code: 'participant_muted',
      ...about,
    });
    await human.post({ type: 'control', content: { unmute: { targets: ['alpha'] } } });
    await human.post({ type: 'control', content: { pause: { on: true } } });
    await expect(agent.post({ type: 'message', content: 'x' })).rejects.toMatchObject({
      code: 'thread_paused',
      ...about,
    });
    await expect(agent.dryRun({ type: 'message', content: 'x' })).rejects.toMatchObject({
      code: 'thread_paused',
      ...about,
    });
    await agent.declare('typing');
  });

  test('[T9] a result of a task that is not open is refused', async () => {
    const thread = server.client().thread(await newThread());
    const refused = thread.post({ type: 'result', content: 'x', meta: { reply_to: 'nope' } });
    await expect(refused).rejects.toMatchObject({ code: 'task_not_open', status: 409 });
  });
});

describe('[T17] delivery', () => {
  test('delivery is explained with the post, later, and in advance', async () => {
    const thread = server.client().thread(await newThread(['alpha', 'beta']));
    const expected = await thread.dryRun({ type: 'message', to: 'alpha', content: 'x' });
    const { event, delivery } = await thread.post({ type: 'message', to: 'alpha', content: 'x' });
    expect(delivery).toEqual([
      { participant: 'alpha', decision: 'wake', code: 'woken', reason: 'ada addressed alpha', reach: 'none' },
      {
        participant: 'beta',
        decision: 'no',
        code: 'not_addressed',
        reason: 'it was addressed to others',
        reach: 'none',
      },
    ]);
    expect(expected.delivery).toEqual(delivery);
    expect((await thread.delivery(event.id)).delivery).toEqual(delivery);
    expect((await thread.events()).events.filter(({ type }) => type === 'message')).toHaveLength(1);
  });

  test('delivery in a side channel is decided like a post, even while its thread is paused', async () => {
    const thread = await newThread();
    const issued = await server.credentials.issue('alpha', 'agent');
    const { token } = issued as { token: string };
    const path = `/api/threads/${thread}/commands/side_open`;
    const opened = server.send('POST', path, { token, body: { question: 'Which?', members: ['beta'] } });
    const side = (await bodyOf<{ events: readonly { thread: string }[] }>(opened)).events[0]?.thread as string;
    const sideThread = server.client(token).thread(side);
    const message = { type: 'message', content: 'x' } as const;
    expect((await sideThread.dryRun(message)).delivery).toEqual((await sideThread.post(message)).delivery);
    await server
      .client()
      .thread(thread)
      .post({ type: 'control', content: { pause: { on: true } } });
    await expect(sideThread.dryRun(message)).rejects.toMatchObject({ code: 'thread_paused' });
    await expect(sideThread.post(message)).rejects.toMatchObject({ code: 'thread_paused' });
  });

  test('delivery of an old event is decided on the state of that time', async () => {
    const thread = server.client().thread(await newThread());
    const { event } = await thread.post({ type: 'message', content: 'x' });
    await thread.post({ type: 'control', content: { mute: { targets: ['alpha'] } } });
    expect((await thread.delivery(event.id)).delivery).toMatchObject([{ decision: 'wake' }]);
    expect((await thread.dryRun({ type: 'message', content: 'x' })).delivery).toMatchObject([{ code: 'muted' }]);
  });

  test('many posts at once each get their own delivery', async () => {
    const thread = server.client().thread(await newThread());
    const answers = await Promise.all([
      thread.post({ type: 'message', content: 'before' }),
      thread.post({ type: 'control', content: { mute: { targets: ['alpha'] } } }),
      thread.post({ type: 'message', content: 'after' }),
    ]);
    expect(answers.map(({ delivery }) => delivery[0]?.code)).toEqual(['woken', 'muted', 'muted']);
  });
});

describe('[T3] presence', () => {
  test('presence is declared, shown and never stored', async () => {
    const id = await newThread();
    const before = await server.engine.log.head();
    const { presence } = await server.client(server.agent).thread(id).declare('thinking', { nickname: 'A' });
    expect(presence).toMatchObject({
      participant: 'alpha',
      state: 'thinking',
      reach: 'declared',
      details: { nickname: 'A' },
    });
    expect((await server.client().thread(id).presence()).presence).toEqual([presence]);
    expect(await server.engine.log.head()).toBe(before);
  });

  test('thinking is stored where the thread asks for it, and refused elsewhere with what to do', async () => {
    const thread = server.client().thread(await newThread());
    const post = () => thread.post({ type: 'presence', content: { transition: 'thinking.start' } });
    await expect(post()).rejects.toMatchObject({ code: 'malformed', message: expect.stringContaining('presence_log') });
    await thread.post({ type: 'control', content: { presence_log: { on: true } } });
    expect((await post()).event).toMatchObject({ type: 'presence' });
    await server.client(server.agent).thread(thread.id).declare('thinking');
    expect((await thread.events()).events.at(-1)).toMatchObject({ type: 'presence', from: 'alpha' });
  });
});

test('[C4] [T6] a command goes to the thread in its address and nowhere else, whatever its body says', async () => {
  const client = server.client();
  const conversation = await newThread();
  const idOf = async (kind: string) => (await client.threads.create({ title: 'T', kind })).thread.id;
  const [exchange, loom, unknown] = [await idOf('exchange'), await idOf('loom'), 'nowhere'];
  const post = async (thread: string, name: string, body: object) => {
    const response = await server.send('POST', `/api/threads/${thread}/commands/${name}`, { body });
    return (await bodyOf<{ error?: { code: string } }>(response)).error?.code;
  };
  expect(await post(conversation, 'run', { thread: exchange, rounds: 1e15 })).toBe('wrong_kind');
  expect(await post(conversation, 'configure', { thread: loom, temperature: 1, junk: 1 })).toBe('wrong_kind');
  expect(await post(unknown, 'configure', { thread: loom, temperature: 1 })).toBe('unknown_thread');
  expect(await post(exchange, 'run', { thread: exchange, rounds: 1 })).toBe('malformed');
  expect(await post(loom, 'configure', { thread: { a: 1 } })).toBe('malformed');
  for (const thread of [exchange, loom]) {
    const { events } = await client.thread(thread).events();
    expect(events.map(({ type }) => type)).not.toContain('rounds.started');
    expect(events.map(({ type }) => type)).not.toContain('loom.configured');
  }
});
