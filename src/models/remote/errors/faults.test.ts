import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Collected, collect } from '../../../../test/support/models/collect.ts';
import { type FakeModels, type FakeStep, startFakeModels } from '../../../../test/support/models/fake-models.ts';
import { createModelTime, type ModelTime } from '../../../../test/support/models/model-time.ts';
import type { RemoteOptions, RemoteProvider } from '../options.ts';
import { createRemoteModel } from '../remote.ts';
import { httpTransport } from '../transport.ts';
import { retryAfterMs } from './retry-after.ts';

const KEY = 'sk-test-0123456789abcdef';
const ask = { messages: [{ role: 'user', content: 'Hi' }] } as const;
let fake: FakeModels;
let time: ModelTime;

beforeAll(async () => {
  fake = await startFakeModels();
});
afterAll(() => fake.close());
beforeEach(() => {
  time = createModelTime();
});

function open(provider: RemoteProvider, more: Partial<RemoteOptions> = {}) {
  const baseUrl = provider === 'anthropic' ? fake.url : fake.openAiUrl;
  return createRemoteModel(
    { id: 'it', provider, baseUrl, model: 'there', apiKey: KEY, context: 4096, ...more },
    { ...time, random: () => 1, retries: 2 },
  );
}

/** One end, as a sentence, and nothing secret in anything. */
function expectLegible({ chunks, refused }: Collected): string {
  expect(chunks.filter((chunk) => chunk.type === 'refused' || chunk.type === 'done')).toHaveLength(1);
  expect(refused?.refusal.message).toMatch(/^[A-Z0-9].*\.$/);
  expect(JSON.stringify(chunks)).not.toContain(KEY);
  expect(JSON.stringify(chunks)).not.toContain('session=hidden');
  return refused?.refusal.message ?? '';
}

async function countTries(provider: RemoteProvider, steps: readonly FakeStep[]): Promise<[Collected, number]> {
  fake.script(...steps);
  const before = fake.requests.length;
  const result = await collect(open(provider).chat(ask));
  return [result, fake.requests.length - before];
}

const three = (step: FakeStep): FakeStep[] => [step, step, step];

describe.each(['openai-chat', 'anthropic'] as const)('%s', (provider) => {
  test.each([
    [
      '429',
      three({ fault: 'rate_limited' }),
      'rate_limited',
      3,
      /is rate-limited \(429\): Too many requests\. Try again later/,
    ],
    ['500', three({ fault: 'server_error' }), 'model_unavailable', 3, /failed \(500\): This failure was scripted\./],
    [
      'a stream cut before the first token',
      three({ text: 'a b', fault: 'cut' }),
      'model_unavailable',
      3,
      /was lost before/,
    ],
    ['a stream cut later', [{ text: 'a b', fault: 'cut', after: 1 }], 'model_unavailable', 1, /was lost in the middle/],
    ['malformed events', [{ text: 'a', fault: 'malformed' }], 'model_unavailable', 1, /not a stream of events/],
    ['bad JSON', [{ text: 'a', fault: 'bad_json' }], 'model_unavailable', 1, /not JSON/],
    ['a wrong encoding', [{ text: 'a', fault: 'wrong_encoding' }], 'model_unavailable', 1, /other than UTF-8/],
    ['a line of 10 MB', [{ text: 'a', fault: 'long_line' }], 'model_unavailable', 1, /single event of more than 4 MiB/],
    ['an HTML error page', three({ fault: 'web_page' }), 'model_unavailable', 3, /failed \(502\) with a web page/],
    ['a web page as an answer', [{ recording: 'web-page' }], 'model_unavailable', 1, /answered with a web page/],
    ['a model that does not exist', [{ fault: 'unknown_model' }], 'model_unavailable', 1, /has no model "there"/],
    ['a wrong address', [{ recording: 'nowhere' }], 'model_unavailable', 1, /nothing at this address \(404\)/],
    ['a redirect', [{ recording: 'moved' }], 'model_unavailable', 1, /has moved \(307\)/],
  ] as const)(
    '[M6] %s ends with one readable error, and only safe requests are retried',
    async (_, steps, code, count, message) => {
      const [result, made] = await countTries(provider, steps);
      expect(expectLegible(result)).toMatch(message);
      expect(result.refused?.refusal.code).toBe(code);
      expect(made).toBe(count);
      expect(result.refused?.failed ?? []).toHaveLength(count - 1);
      expect(time.pauses).toHaveLength(count - 1);
    },
  );

  test('[M6] Retry-After is respected, in seconds and as a date, before the next attempt succeeds', async () => {
    const date = new Date(Date.now() + 20_000).toUTCString();
    const [{ texts, done }, made] = await countTries(provider, [
      { fault: 'rate_limited', retry_after: 7 },
      { fault: 'server_error', status: 503, retry_after: date },
      { text: 'At last.' },
    ]);
    expect(texts).toEqual(['At last.']);
    expect(made).toBe(3);
    expect(time.pauses[0]).toBe(7000);
    expect(time.pauses[1]).toBeGreaterThan(10_000);
    expect(time.pauses[1]).toBeLessThanOrEqual(20_000);
    expect(done?.failed?.map(({ status }) => status)).toEqual([429, 503]);
  });

  test('[M6] a Retry-After that is too long is reported instead', async () => {
    const [result, made] = await countTries(provider, [{ fault: 'rate_limited', retry_after: 3600 }]);
    expect(expectLegible(result)).toContain('Try again in 3600 s.');
    expect(made).toBe(1);
  });

  test('[M6] a hang before the first token times out and is not retried', async () => {
    const requested = Promise.withResolvers<void>();
    fake.answer(() => {
      requested.resolve();
      return { text: 'a b', fault: 'hang' };
    });
    time.strike('firstToken', requested.promise);
    const [result, made] = await countTries(provider, []);
    expect(expectLegible(result)).toMatch(/^The model "it" sent nothing for 120 s/);
    expect(made).toBe(1);
  });

  test('[M6] [M5] a hang after the first token times out, and the received text is kept', async () => {
    time.strike('idle');
    const [result, made] = await countTries(provider, [{ text: 'word more', fault: 'hang', after: 1 }]);
    expect(expectLegible(result)).toMatch(/^The model "it" stopped sending for 60 s in the middle of its answer/);
    expect(result.texts).toEqual(['word']);
    expect(result.refused?.raw?.body).toContain('word');
    expect(made).toBe(1);
  });

  test('[M6] a server that is not listening is retried and reported', async () => {
    const server = await startFakeModels();
    await server.close();
    const result = await collect(open(provider, { baseUrl: server.url }).chat(ask));
    expect(expectLegible(result)).toMatch(/^Nothing answers at 127\.0\.0\.1:\d+, the address of the model "it"\./);
    expect(time.pauses).toHaveLength(2);
  });

  test('[M6] nothing is sent to a server with a wrong certificate', async () => {
    const strange = await startFakeModels({ tls: true });
    try {
      const result = await collect(open(provider, { baseUrl: strange.url }).chat(ask));
      expect(expectLegible(result)).toMatch(
        /^The certificate of 127\.0\.0\.1:\d+ cannot be trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      );
      expect(strange.requests).toHaveLength(0);
      expect(time.pauses).toEqual([]);
    } finally {
      await strange.close();
    }
  });

  test('[M6] a connection that is never established times out', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    try {
      const baseUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      time.strike('connect', connected);
      const result = await collect(open(provider, { baseUrl, transport: httpTransport(10_000, time) }).chat(ask));
      expect(expectLegible(result)).toMatch(/^The model "it" could not be reached within 10000 ms\./);
      expect(time.pauses).toHaveLength(2);
    } finally {
      silent.close();
      const [socket] = await connected;
      socket.destroy();
    }
  });
});

test.each([
  ['openai-wrong-key', 'openai-chat', 'model_unavailable', /refused the key \(401\)/],
  ['anthropic-wrong-key', 'anthropic', 'model_unavailable', /refused the key \(401\)/],
  ['openai-quota', 'openai-chat', 'model_unavailable', /no credit or quota left \(429\)/],
  ['openrouter-no-credit', 'openai-chat', 'model_unavailable', /no credit or quota left \(402\)/],
  ['openai-context', 'openai-chat', 'context_too_small', /cannot take a prompt of this length/],
  ['llama-cpp-context', 'openai-chat', 'context_too_small', /cannot take a prompt of this length/],
  ['anthropic-context', 'anthropic', 'context_too_small', /prompt is too long: 250000 tokens/],
  ['openai-unknown-model', 'openai-chat', 'model_unavailable', /has no model "there"/],
  ['ollama-unknown-model', 'openai-chat', 'model_unavailable', /has no model "there"/],
  ['vllm-unknown-model', 'openai-chat', 'model_unavailable', /has no model "there"/],
  ['openrouter-unknown-model', 'openai-chat', 'model_unavailable', /has no model "there"/],
  ['anthropic-unknown-model', 'anthropic', 'model_unavailable', /has no model "there"/],
  ['openrouter-error-in-stream', 'openai-chat', 'model_unavailable', /failed \(502\): Provider disconnected\./],
] as const)('[M6] %s is reported in one sentence and not retried', async (recording, provider, code, message) => {
  const [result, made] = await countTries(provider, [{ recording }]);
  expect(expectLegible(result)).toMatch(message);
  expect(result.refused?.refusal.code).toBe(code);
  expect(made).toBe(1);
});

test.each([
  ['llama-cpp-loading', 'openai-chat', /failed \(503\): Loading model\./],
  ['anthropic-overloaded', 'anthropic', /failed \(529\): Overloaded\./],
] as const)('[M6] %s is retried, since nothing was received yet', async (recording, provider, message) => {
  const [result, made] = await countTries(provider, three({ recording }));
  expect(expectLegible(result)).toMatch(message);
  expect(made).toBe(3);
});

test('[M6] a key in the address is not shown in an error', async () => {
  const server = await startFakeModels();
  await server.close();
  const baseUrl = server.url.replace('://', '://someone:sk-in-the-address@');
  const result = await collect(open('openai-chat', { baseUrl }).chat(ask));
  expect(expectLegible(result)).toMatch(/^Nothing answers at 127/);
  expect(JSON.stringify(result)).not.toContain('sk-in-the-address');
});

test('[M6] Retry-After is read in both forms', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  expect(retryAfterMs({ 'retry-after': '2' }, now)).toBe(2000);
  expect(retryAfterMs({ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, now)).toBe(30_000);
  expect(retryAfterMs({ 'retry-after': 'Mon, 31 Dec 2029 00:00:00 GMT' }, now)).toBe(0);
  for (const wrong of ['soon', '-5', '-0.5', '+3', '1e3']) {
    expect(retryAfterMs({ 'retry-after': wrong }, now)).toBeUndefined();
  }
  expect(retryAfterMs({}, now)).toBeUndefined();
});

test('[M6] an enormous Retry-After is taken as a day', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  for (const long of ['9'.repeat(400), '9'.repeat(20), '86401', 'Tue, 01 Jan 2999 00:00:00 GMT']) {
    expect(retryAfterMs({ 'retry-after': long }, now)).toBe(24 * 3_600_000);
  }
});

test('[M6] the error message gives the Retry-After in seconds', async () => {
  const [result] = await countTries('openai-chat', [
    {
      write: async (response) => {
        response.writeHead(429, { 'retry-after': '9'.repeat(400) });
        response.end();
      },
    },
  ]);
  expect(expectLegible(result)).toContain('Try again in 86400 s.');
});
