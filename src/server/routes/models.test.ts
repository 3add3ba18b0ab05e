import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFakeModels } from '../../../test/support/models/fake-models.ts';
import { bodyOf, openTestServer, type TestServerOptions } from '../../../test/support/servers/server.ts';
import { registryOn } from '../../../test/support/servers/settings-registry.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { RegistrySettings } from '../../models/registry/schema.ts';
import type { WireError, WireModel, WireUsage } from '../../protocol/wire.ts';

const KEY = 'sk-secret-of-the-workspace';
const HI = { messages: [{ role: 'user', content: 'Hi' }] } as const;

test('[M1] the list shows what a model can do and whether it is available, and no key', async () => {
  const { server } = await serverWith(await modelServer());
  const text = await (await server.send('GET', '/api/models', { token: server.agent })).text();
  const { models } = JSON.parse(text) as { models: WireModel[] };
  expect(models.map(({ name, state }) => [name, state.code])).toContainEqual(['chat', 'ready']);
  expect(models.find(({ name }) => name === 'keyless')?.state).toMatchObject({
    code: 'key_missing',
    sentence: expect.stringContaining('NOT_SET'),
  });
  expect(models.find(({ name }) => name === 'chat')).toMatchObject({
    provider: 'openai-chat',
    api_key_env: 'CHAT_KEY',
    capabilities: { context: 4096 },
    used: { calls: 0 },
  });
  expect(text).not.toContain(KEY);
});

test('[I10] agents of heddle.yaml are listed by name, without their command or what they can see', async () => {
  const secret = { environment: ['SOME_KEY'], command: [process.execPath, '--token', 'hidden-word'] };
  const { server } = await serverWith(await modelServer(), {
    helper: { adapter: 'command', ...secret },
    far: { adapter: 'acp', command: ['no-such-agent'] },
  });
  vi.stubEnv('HEDDLE_SANDBOX', 'off');
  onTestFinished(() => void vi.unstubAllEnvs());
  const text = await (await server.send('GET', '/api/agents', { token: server.agent })).text();
  const sandbox = { kind: 'directory', sentence: 'Not sandboxed: runs as you, in a directory of its own.' };
  expect(JSON.parse(text)).toEqual({
    agents: [
      { name: 'helper', adapter: 'command', here: true, sandbox },
      { name: 'far', adapter: 'acp', here: false, sandbox },
    ],
  });
  expect((await server.send('GET', '/api/agents', { token: '' })).status).toBe(401);
});

test('[M1] [M5] a test streams texts, and their usage and cost are in the list, in usage and in metrics', async () => {
  const { server } = await serverWith(await modelServer());
  const texts: string[] = [];
  const tested = await server.client().models.test('chat', { n: 1 }, { onText: (_, text) => texts.push(text) });
  expect(tested).toMatchObject({ kind: 'answer', choices: [{ text: 'Hello there' }], cost: 0.0002 });
  expect(texts.join('')).toBe('Hello there');
  const usage = await bodyOf<WireUsage>(server.send('GET', '/api/usage'));
  expect(usage.models).toMatchObject([{ model: 'chat', calls: 1, promptTokens: 100, generatedTokens: 50 }]);
  const metrics = await (await server.send('GET', '/metrics')).text();
  expect(metrics).toContain('heddle_model_calls_total{model="chat"} 1');
  expect(metrics).toContain('heddle_model_generated_tokens_total{model="chat"} 50');
  expect(metrics).toContain('heddle_model_cost_total{model="chat"} 0.0002');
});

test('[M1] an error in a test is a message without a key', async () => {
  const { server } = await serverWith(await modelServer(401));
  const failed = await server
    .client()
    .models.test('chat', { n: 1 })
    .catch((error) => error);
  expect(failed.code).toBe('model_unavailable');
  expect(failed.message).toMatch(/\.$/);
  expect(failed.message).not.toContain(KEY);
  const unknown = await server.send('POST', '/api/models/chta/test', { body: {} });
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain('Did you mean \\"chat\\"?');
});

test('[M7] a human can set the workspace budget, an agent cannot, and reaching it is 429', async () => {
  const { server, text } = await serverWith(await modelServer());
  expect(
    (await server.send('POST', '/api/budgets/workspace', { token: server.agent, body: { tokens: 9 } })).status,
  ).toBe(403);
  expect((await server.send('POST', '/api/budgets/workspace', { body: { tokens: 0 } })).status).toBe(400);
  expect((await server.send('POST', '/api/budgets/workspace', { body: { tokens: 120 } })).status).toBe(200);
  expect(text()).toContain('tokens: 120');
  await server.client().models.test('chat', { n: 1 });
  const refused = await server
    .client()
    .models.test('chat', { n: 1 })
    .catch((error) => error);
  expect(refused.code).toBe('budget_reached');
  expect((await server.client().models.usage()).budgets.workspace).toEqual({ tokens: 120 });
  await server.client().models.setBudget({});
  expect(await server.client().models.test('chat', { n: 1 })).toHaveProperty('choices');
});

test('[C5] a human sets the currency; usage, models and refusals name it', async () => {
  const { server, text } = await serverWith(await modelServer());
  const set = (currency: string, token?: string) =>
    server.send('POST', '/api/currency', { body: { currency }, ...(token && { token }) });
  expect((await set('EUR', server.agent)).status).toBe(403);
  expect((await set('euro')).status).toBe(400);
  const client = server.client();
  expect((await client.models.usage()).currency).toBe('USD');
  expect(await client.models.setCurrency('EUR')).toEqual({ currency: 'EUR' });
  expect(text()).toContain('currency: EUR');
  expect((await client.models.usage()).currency).toBe('EUR');
  expect((await client.models.list()).currency).toBe('EUR');
  expect((await client.me()).currency).toBe('EUR');
  await client.models.setBudget({ money: 0.0001 });
  await client.models.test('chat', { n: 1 }).catch(() => {});
  const refused = await client.models.test('chat', { n: 1 }).catch((error) => error);
  expect(refused.message).toMatch(/€0\.0\d* of €0\.0001/);
});

test('[M1] [L17] a key of the workspace cannot be posted, wherever it was copied from', async () => {
  const { server } = await serverWith(await modelServer());
  const { thread } = await server.client().threads.create({ title: 'x' });
  const posted = server
    .client()
    .thread(thread.id)
    .post({ type: 'message', content: `my key is ${KEY}` });
  await expect(posted).rejects.toMatchObject({ code: 'unacceptable_text' });
});

test('[M1] [I5] a human can add, change, use and remove models, and an agent cannot', async () => {
  const { server, text } = await serverWith(await modelServer());
  const { models } = server.client();
  const entry = { provider: 'openai-chat', base_url: 'http://127.0.0.1:9/v1', model: 'm', api_key_env: 'NOT_SET' };
  const before = text();
  const requests = [
    ['POST', '/api/models', { name: 'other', entry }],
    ['POST', '/api/models/chat', { set: { model: 'y' } }],
    ['DELETE', '/api/models/keyless'],
    ['POST', '/api/defaults', { mind: 'chat' }],
  ] as const;
  for (const [method, path, body] of requests) {
    const refused = await server.send(method, path, { token: server.agent, body });
    expect([refused.status, (await bodyOf<WireError>(refused)).error.code]).toEqual([403, 'forbidden']);
    expect((await server.send(method, path, { token: '', body })).status).toBe(401);
  }
  expect(text()).toBe(before);

  const { model } = await models.add({ name: 'other', entry, default_for: ['loom'] });
  expect(model).toMatchObject({ written: true, default_for: ['loom'], state: { code: 'key_missing' } });
  expect((await models.change('other', { api_key_env: 'CHAT_KEY', base_url: null })).model).toMatchObject({
    state: { code: 'ready' },
    api_key_env: 'CHAT_KEY',
  });
  await expect(models.remove('other')).rejects.toMatchObject({ status: 409, code: 'conflict' });
  expect(await models.use({ loom: 'chat', mind: 'chat' })).toEqual({
    defaults: { mind: 'chat', auditor: 'small', loom: 'chat' },
  });
  const removed = await models.remove('other');
  expect(removed).toEqual({ name: 'other', entry: { provider: 'openai-chat', model: 'm', api_key_env: 'CHAT_KEY' } });
  expect((await models.list()).models.map(({ name, written }) => [name, written])).toEqual([
    ['small', false],
    ['chat', true],
    ['keyless', true],
  ]);
  await models.add(removed);
  expect((await models.list()).models.at(-1)).toMatchObject({ name: 'other', model: 'm' });
});

test('[M1] [I5] a change that cannot be saved is refused with a code and a message, and the file stays unchanged', async () => {
  const { server, text } = await serverWith(await modelServer());
  const before = text();
  const entry = { provider: 'openai-chat', model: 'm' };
  const refusalOf = async (method: string, path: string, body?: unknown) => {
    const answer = await server.send(method, path, { body });
    const { error } = await bodyOf<WireError>(answer);
    expect(text()).toBe(before);
    return [answer.status, error.code, error.message] as const;
  };
  for (const [name, code, sentence] of [
    ['a\nb: c', 'malformed', /^A name is/],
    ['__proto__', 'malformed', /^A name is/],
    ['chat', 'conflict', /already/],
    ['small', 'conflict', /already/],
  ] as const) {
    const status = code === 'conflict' ? 409 : 400;
    expect(await refusalOf('POST', '/api/models', { name, entry })).toEqual([
      status,
      code,
      expect.stringMatching(sentence),
    ]);
  }
  for (const fields of ['{"constructor":{"x":1}}', '{"context":1e999}', '{"timeouts":{"total":1e12}}', '{"model":7}']) {
    const whole = `{"name":"other","entry":{"provider":"openai-chat","model":"m",${fields.slice(1)}}`;
    expect((await refusalOf('POST', '/api/models', whole))[1], fields).toBe('malformed');
    expect((await refusalOf('POST', '/api/models/chat', `{"set":${fields}}`))[1], fields).toBe('malformed');
  }
  expect((await refusalOf('POST', '/api/models', { name: 'x', entry: 'chat' }))[1]).toBe('malformed');
  expect((await refusalOf('POST', '/api/models', { name: 'x', entry, default_for: ['cook'] }))[1]).toBe('malformed');
  expect((await refusalOf('POST', '/api/models/chta', { set: { model: 'x' } }))[1]).toBe('unknown_model');
  expect((await refusalOf('DELETE', '/api/models/chta'))[2]).toContain('Did you mean "chat"?');
  expect((await refusalOf('DELETE', '/api/models/small'))[2]).toContain('built into Heddle');
  expect((await refusalOf('DELETE', '/api/models/..%2F..%2Ftoken'))[0]).toBe(404);
  expect((await refusalOf('POST', '/api/defaults', { mind: 'chat', loom: 'lomo' }))[1]).toBe('unknown_model');
  expect((await refusalOf('POST', '/api/defaults', { cook: 'chat' }))[1]).toBe('malformed');
});

test('[M1] [L17] a key is never saved or shown, whatever field it was sent in', async () => {
  const { server, text } = await serverWith(await modelServer());
  const pasted = 'sk-proj-0123456789abcdefgh';
  const entry = { provider: 'openai-chat', model: 'm' };
  const before = text();
  for (const fields of [
    { api_key_env: pasted },
    { api_key: pasted },
    { model: pasted },
    { provider: pasted },
    { base_url: `https://example.test/v1?key=${pasted}` },
    { base_url: `https://example.test/${KEY}/v1` },
    { api_key_env: KEY },
    { model: `m ${KEY}` },
  ]) {
    for (const [path, body] of [
      ['/api/models', { name: 'other', entry: { ...entry, ...fields } }],
      ['/api/models/chat', { set: fields }],
    ] as const) {
      const answer = await server.send('POST', path, { body });
      expect([400, 422], JSON.stringify(fields)).toContain(answer.status);
      const responseText = await answer.text();
      for (const key of [pasted, KEY]) expect(responseText).not.toContain(key);
    }
  }
  const named = await server.send('POST', '/api/models', { body: { name: pasted, entry } });
  expect([named.status, await named.text()]).toEqual([400, expect.not.stringContaining(pasted)]);
  expect(text()).toBe(before);
  expect(server.reported.join('')).not.toContain(pasted);
});

test('[M1] manual edits meanwhile are kept, and an unreadable file is reported with its line', async () => {
  const { server, text, write } = await serverWith(await modelServer());
  const { models } = server.client();
  write('# by hand\nmodels:\n  mine: {provider: embedded} # keep\n');
  await models.add({ name: 'other', entry: { provider: 'embedded' } });
  expect(text()).toBe('# by hand\nmodels:\n  mine: {provider: embedded} # keep\n  other: {provider: embedded}\n');
  const broken = '# by hand\nmodels:\n  mine: {provider: embeded}\n';
  write(broken);
  const add = models.add({ name: 'third', entry: { provider: 'embedded' } });
  await expect(add).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('line 3') });
  await expect(models.remove('other')).rejects.toThrow(/line 3/);
  await expect(models.use({ mind: 'other' })).rejects.toThrow(/line 3/);
  expect(text()).toBe(broken);
  expect((await models.list()).models.map(({ name }) => name)).toEqual(['small', 'mine', 'other']);
});

test('[M1] without a heddle.yaml nothing is saved, and a message says so', async () => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const add = server.client().models.add({ name: 'other', entry: { provider: 'embedded' } });
  await expect(add).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('no heddle.yaml') });
});

test('[M1] [I17] on a server open to other machines nobody can name a variable to be sent, but choosing models works', async () => {
  const { server, text } = await serverWith(await modelServer(), {}, { secureCookies: true });
  const { models } = server.client();
  const before = text();
  const entry = { provider: 'openai-chat', base_url: 'https://elsewhere.example/v1', model: 'x', api_key_env: 'HOME' };
  const no = { code: 'forbidden', message: expect.stringContaining('heddle models add') };
  await expect(models.add({ name: 'other', entry })).rejects.toMatchObject(no);
  const { provider, base_url } = entry;
  await expect(models.askServer({ provider: provider as 'openai-chat', base_url })).rejects.toMatchObject(no);
  await expect(models.change('chat', { base_url: 'https://elsewhere.example/v1' })).rejects.toMatchObject(no);
  expect(text()).toBe(before);
  await models.use({ loom: 'chat' });
  expect(text()).not.toBe(before);
});

test('[M14] a test asks a resting model, shows the provider’s own words and lists the offered models', async () => {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  fake.offers.push('tiny', 'large');
  const { server } = await serverWith(fake.openAiUrl);
  fake.answer(() => ({ fault: 'server_error', status: 400, message: 'The sampler is on holiday.' }));
  const { models } = server.client();
  const asking = models.test('chat', { n: 1 });
  await expect(asking).rejects.toMatchObject({
    message: expect.stringContaining('The sampler is on holiday.'),
    details: { offered: ['tiny', 'large'] },
  });
  fake.answer(() => ({ fault: 'unknown_model' }));
  for (let i = 0; i < 6; i++) {
    const { refusal } = (await server.models.calls.chat(HI, { model: 'chat', purpose: 'test' })) as Refusal;
    expect(refusal.message).toMatch(i < 5 ? /The model does not exist\./ : /failed 5 times in a row\..*Try again in/);
  }
  fake.answer(() => ({ text: 'Hello.' }));
  expect(await models.test('chat', { n: 1, extra: { min_p: 0.1 } })).toMatchObject({
    choices: [{ text: 'Hello.' }],
    offered: ['tiny', 'large'],
  });
  expect(fake.requests.at(-1)?.body).toMatchObject({ min_p: 0.1 });
});

test('[M14] I can list the models of a server before I add one, and the key I typed is not kept', async () => {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  fake.offers.push('tiny', 'large');
  const { server, text } = await serverWith(fake.openAiUrl);
  const { models } = server.client();
  const before = text();
  const there = { provider: 'openai-chat', base_url: fake.openAiUrl } as const;
  expect(await models.askServer({ ...there, key: 'sk-typed-once-0123456789' })).toEqual({ models: ['tiny', 'large'] });
  expect(await models.askServer({ ...there, base_url: 'http://127.0.0.1:9/v1' })).toEqual({
    models: [],
    problem: 'Nothing answers at 127.0.0.1:9. Check the address, and that the server is running.',
  });
  const refusing = await modelServer(401);
  const key = 'sk-typed-once-0123456789';
  expect((await models.askServer({ ...there, base_url: refusing, key })).problem).toMatch(/refused the key \(401\)/);
  expect((await models.askServer({ ...there, base_url: refusing })).problem).toMatch(/needs an API key/);
  await expect(models.askServer({ ...there, base_url: 'file:///etc/passwd' })).rejects.toMatchObject({
    code: 'malformed',
    message: expect.stringContaining('"base_url" must be an address'),
  });
  expect(text()).toBe(before);
  const refused = await server.send('POST', '/api/model-servers', { token: server.agent, body: there });
  expect(refused.status).toBe(403);
});

test('[M14] each model says how its last real call went, in the provider’s words if it failed', async () => {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const { server } = await serverWith(fake.openAiUrl);
  const { models } = server.client();
  const lastOf = async () => (await models.list()).models.find(({ name }) => name === 'chat')?.last;
  expect(await lastOf()).toBeUndefined();
  fake.answer(() => ({ text: 'Hello.' }));
  await models.test('chat', { n: 1 });
  expect(await lastOf()).toEqual({ at: expect.stringMatching(/^20/), ms: expect.any(Number) });
  fake.answer(() => ({ fault: 'server_error', status: 400, message: `Out of order, ${KEY}.` }));
  await models.test('chat', { n: 1 }).catch(() => {});
  expect(await lastOf()).toMatchObject({ failure: expect.stringContaining('Out of order, [removed].') });
});

test('[M11] a server’s quirks are shown, and a test detects them again', async () => {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const { server } = await serverWith(fake.openAiUrl);
  const { models } = server.client();
  const readFound = async () => (await models.list()).models.find(({ name }) => name === 'chat')?.found;
  fake.answer(({ body }) =>
    body.logprobs === undefined
      ? { text: 'Hello.' }
      : { fault: 'server_error', status: 400, message: 'logprobs is not supported' },
  );
  const sentence = 'Sent without logprobs: the server refuses it.';
  expect(await models.test('chat', { n: 1 })).toMatchObject({ found: [sentence] });
  expect(await readFound()).toEqual([sentence]);
  fake.answer(() => ({ text: 'Hello.' }));
  expect(await models.test('chat', { n: 1 })).toMatchObject({ found: [] });
  expect(await readFound()).toEqual([]);
});

test('[M14] a key entered on the page is used by the running server, hidden from everyone and can be removed', async () => {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  fake.answer(() => ({ text: 'Hello.' }));
  const { server, text } = await serverWith(fake.openAiUrl);
  const { models } = server.client();
  const state = async () => (await models.list()).models.find(({ name }) => name === 'keyless')?.state.code;
  expect(await state()).toBe('key_missing');
  const key = 'typed-in-0123456789';
  expect(await models.setKey('keyless', key)).toMatchObject({ model: { state: { code: 'ready' } } });
  await models.test('keyless', { n: 1 });
  expect(fake.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
  expect(text() + (await (await server.send('GET', '/api/models')).text())).not.toContain(key);
  expect(server.engine.secrets.remove(`x ${key}`)).toBe('x [removed]');
  await models.setKey('keyless', '');
  expect(await state()).toBe('key_missing');
  await expect(server.client(server.agent).models.setKey('keyless', key)).rejects.toMatchObject({
    code: 'forbidden',
  });
});

test('[M14] [I17] a server open to other machines takes no key from them', async () => {
  const { server } = await serverWith(await modelServer(), {}, { secureCookies: true });
  await expect(server.client().models.setKey('keyless', 'typed-in-0123')).rejects.toMatchObject({ code: 'forbidden' });
});

async function serverWith(
  base_url: string,
  clients: RegistrySettings['clients'] = {},
  options: Pick<TestServerOptions, 'secureCookies'> = {},
) {
  const entry = { provider: 'openai-chat', base_url, model: 'x', context: 4096, price: { input: 1, output: 2 } };
  const models = { chat: { ...entry, api_key_env: 'CHAT_KEY' }, keyless: { ...entry, api_key_env: 'NOT_SET' } };
  const { registry, remove, ...file } = registryOn(JSON.stringify({ models, clients }), { CHAT_KEY: KEY });
  const server = await openTestServer({ registry, ...options });
  onTestFinished(() => server.close().finally(remove));
  return { server, ...file };
}

/** Answers every chat alike, over a real socket. */
async function modelServer(status = 200): Promise<string> {
  const server = createServer((_, response) => {
    if (status !== 200) {
      response.writeHead(status, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}` } }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const line = (data: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'x', ...data })}\n\n`,
      );
    for (const content of ['Hello', ' there']) line({ choices: [{ index: 0, delta: { role: 'assistant', content } }] });
    line({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    line({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 } });
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
