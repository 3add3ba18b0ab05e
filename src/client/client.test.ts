import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestServer, type TestServer } from '../../test/support/servers/server.ts';
import type { IssuedToken } from '../server/auth/credentials.ts';
import { listen } from '../server/http/listen.ts';
import { createClient, type Fetch, HeddleRefusal, HeddleUnreachable, type StreamItem } from './index.ts';

let server: TestServer;
let thread: string;
beforeEach(async () => {
  server = await openTestServer();
  thread = (await server.client().threads.create({ title: 'T' })).thread.id;
});
afterEach(() => server.close());

const clientWith = (fetch: Fetch, retryForMs?: number) =>
  createClient({
    url: 'http://localhost/',
    token: server.human,
    fetch,
    ...(retryForMs !== undefined && { retryForMs }),
  });

const contents = async () =>
  (await server.client().thread(thread).events({ after: 't1.1' })).events.map(({ content }) => content);

describe('[I1] refusals', () => {
  test('are thrown with their code, sentence and status', async () => {
    const wish = server
      .client(server.agent)
      .thread(thread)
      .post({ type: 'control', content: { done: true } });
    const error = await wish.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(HeddleRefusal);
    expect(error).toMatchObject({
      name: 'HeddleRefusal',
      code: 'forbidden',
      status: 403,
      thread,
      participant: 'alpha',
    });
    expect(error.message).toContain("human's credential");
    expect(error.details.code).toBe('forbidden');
  });

  test('something else that answers is not taken for a server', async () => {
    const client = clientWith(() => new Response('<h1>Proxy error</h1>', { status: 404 }));
    await expect(client.me()).rejects.toThrow(HeddleUnreachable);
    await expect(client.me()).rejects.toThrow('Is it a Heddle server?');
  });

  test('nobody there: the sentence says where it looked', async () => {
    const { url, close } = await listen({ app: server.app, port: 0 });
    await close();
    const client = createClient({ url, token: server.human });
    await expect(client.me()).rejects.toThrow(HeddleUnreachable);
    await expect(client.me()).rejects.toThrow(`No answer from ${url}: the connection was refused`);
  });
});

describe('[L7] commands are sent again with the same id', () => {
  test('when the answer is lost: done once', async () => {
    let lost = 0;
    const client = clientWith(async (request) => {
      const answer = await server.app.fetch(request);
      if (request.method === 'POST' && lost++ < 2) throw new TypeError('fetch failed');
      return answer;
    });
    const { event } = await client.thread(thread).post({ type: 'message', content: 'once' });
    expect(lost).toBe(3);
    expect(event.content).toBe('once');
    expect(await contents()).toEqual(['once']);
  });

  test('when the store is away for a moment', async () => {
    let away = 2;
    const client = clientWith(async (request) =>
      away-- > 0 ? new Response('', { status: 503 }) : server.app.fetch(request),
    );
    await client.thread(thread).post({ type: 'message', content: 'later' });
    expect(await contents()).toEqual(['later']);
  });

  test('until the time is over', async () => {
    const sent: string[] = [];
    const client = clientWith((request) => {
      sent.push(request.headers.get('idempotency-key') as string);
      throw new TypeError('fetch failed');
    }, 300);
    await expect(client.threads.create({ title: 'x' })).rejects.toThrow(HeddleUnreachable);
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent).size).toBe(1);
  });

  test('not when refused, not when given up', async () => {
    let calls = 0;
    const counting = clientWith((request) => {
      calls++;
      return server.app.fetch(request);
    });
    await expect(counting.thread('nope').post({ type: 'message', content: 'x' })).rejects.toThrow(HeddleRefusal);
    expect(calls).toBe(1);
    const leaving = new AbortController();
    const failing = clientWith(() => {
      leaving.abort();
      throw new TypeError('fetch failed');
    });
    const wish = failing.thread(thread).post({ type: 'message', content: 'x' }, { signal: leaving.signal });
    await expect(wish).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('the id may be chosen', async () => {
    const post = () => server.client().thread(thread).post({ type: 'message', content: 'x' }, { id: 'mine' });
    expect(await post()).toEqual(await post());
    expect((await post()).event.meta.command).toBe('mine');
  });
});

describe('[I1] [L10] the stream goes on by itself', () => {
  /** Reads until an event with this content has come. */
  async function readUntil(stream: AsyncIterable<StreamItem>, last: string, seen: unknown[] = []): Promise<unknown[]> {
    for await (const { event } of stream) {
      if (event?.type === 'message') seen.push(event.content);
      if (event?.content === last) break;
    }
    return seen;
  }
  const post = (content: string) => server.client().thread(thread).post({ type: 'message', content });

  test('across a server that stops and starts again, without gap or duplicate', async () => {
    const first = await listen({ app: server.app, port: 0 });
    const client = createClient({ url: first.url, token: server.human });
    const states: string[] = [];
    const seen: unknown[] = [];
    const stop = new AbortController();
    const reading = readUntil(
      client.thread(thread).stream({ signal: stop.signal, onState: (state) => states.push(state) }),
      'last',
      seen,
    );
    await post('one');
    await expect.poll(() => seen).toEqual(['one']);
    await first.close();
    await post('while it is down');
    const { createApp } = await import('../server/app.ts');
    const app = createApp({ engine: server.engine, credentials: server.credentials, version: 'test' });
    const second = await listen({ app, port: first.port });
    await post('two');
    await post('last');
    expect(await reading).toEqual(['one', 'while it is down', 'two', 'last']);
    expect(states[0]).toBe('connecting');
    expect(states).toContain('waiting');
    expect(states.at(-1)).toBe('open');
    stop.abort();
    app.close();
    await second.close();
  });

  test('across connections that break anywhere', async () => {
    let connections = 0;
    const client = clientWith(async (request) => {
      const response = await server.app.fetch(request);
      if (!request.url.includes('/stream')) return response;
      connections++;
      return new Response(cutAfter(response.body as ReadableStream<Uint8Array>, 150 + 97 * connections), {
        headers: response.headers,
      });
    });
    const all = Array.from({ length: 12 }, (_, i) => `message ${i}`);
    for (const content of all) await post(content);
    expect(await readUntil(client.thread(thread).stream(), 'message 11')).toEqual(all);
    expect(connections).toBeGreaterThan(3);
  });

  test('from the head nothing is skipped while it reconnects', async () => {
    await post('old');
    let connections = 0;
    const client = clientWith(async (request) => {
      const response = await server.app.fetch(request);
      if (++connections > 1) return response;
      await post('new');
      return new Response(cutAfter(response.body as ReadableStream<Uint8Array>, 30), { headers: response.headers });
    });
    expect(await readUntil(client.thread(thread).stream({ after: 'head' }), 'new')).toEqual(['new']);
    expect(connections).toBe(2);
  });

  test('and ends with the refusal that trying again would not change', async () => {
    const next = (stream: AsyncGenerator<StreamItem>) => stream.next();
    await expect(next(server.client().thread('nope').stream())).rejects.toMatchObject({
      code: 'unknown_thread',
      status: 404,
    });
    await expect(next(server.client('nope').stream())).rejects.toMatchObject({ code: 'unauthenticated', status: 401 });
    await expect(next(server.client().stream({ after: 't1.1' }))).rejects.toMatchObject({ code: 'wrong_cursor' });
    const { token, credential } = (await server.credentials.issue('beta', 'agent')) as IssuedToken;
    const stream = server.client(token).thread(thread).stream();
    await stream.next();
    const ending = stream.next();
    await server.credentials.revoke(credential.id);
    await expect(ending).rejects.toMatchObject({ code: 'unauthenticated', status: 401 });
  });

  test('and ends quietly when aborted, or when nobody reads on', async () => {
    const stop = new AbortController();
    const stream = server.client().thread(thread).stream({ after: 'head', signal: stop.signal });
    const next = stream.next();
    await expect.poll(() => server.app.metrics.streams.open).toBe(1);
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    for await (const _ of server.client().thread(thread).stream()) break;
    await expect.poll(() => server.app.metrics.streams.open).toBe(0);
  });

  test('[L4] what is live comes without a cursor', async () => {
    const stream = server.client().thread(thread).stream({ after: 'head' });
    const next = stream.next();
    await expect.poll(() => server.app.metrics.streams.open).toBe(1);
    await server.client(server.agent).thread(thread).declare('typing');
    const { value } = await next;
    expect(value).toMatchObject({
      live: { thread, type: 'presence.updated', content: { participant: 'alpha', state: 'typing' } },
    });
    await stream.return();
  });

  test.each([
    ['and takes silence for a lost connection', () => vi.advanceTimersByTimeAsync(15_000)],
    [
      '[I11] and after the machine has slept, when no timer has counted the time',
      () => {
        vi.setSystemTime(Date.now() + 3_600_000);
        return vi.advanceTimersByTimeAsync(2_500);
      },
    ],
  ])('%s', async (_, pass) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    try {
      let connections = 0;
      const client = clientWith(({ signal }) => {
        connections++;
        const mute = new ReadableStream({
          start: (it) => signal.addEventListener('abort', () => it.error(signal.reason)),
        });
        return new Response(mute);
      });
      const stop = new AbortController();
      const next = client.thread(thread).stream({ signal: stop.signal }).next();
      await vi.advanceTimersByTimeAsync(30_000);
      expect(connections).toBe(1);
      await pass();
      expect(connections).toBe(2);
      stop.abort();
      await next;
    } finally {
      vi.useRealTimers();
    }
  });
});

/** The stream as far as this many bytes, then nothing more. */
function cutAfter(body: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return body.pipeThrough(
    new TransformStream({
      transform(chunk: Uint8Array, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) controller.terminate();
      },
    }),
  );
}
