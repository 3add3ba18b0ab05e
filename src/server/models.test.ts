import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { bodyOf, openTestServer } from '../../test/support/server.ts';
import { createRegistry } from '../models/registry.ts';
import type { Limit, RegistrySettings } from '../models/registry-schema.ts';
import type { WireModel, WireUsage } from '../protocol/wire.ts';

const KEY = 'sk-secret-of-the-workspace';

test('[M1] the list tells what a model can do and whether it can be asked, and no key', async () => {
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

test('[I10] the agents of heddle.yaml are told by name, without how they are started or what they may see', async () => {
  const secret = { environment: ['SOME_KEY'], command: [process.execPath, '--token', 'hidden-word'] };
  const { server } = await serverWith(await modelServer(), {
    helper: { adapter: 'command', ...secret },
    far: { adapter: 'acp', command: ['no-such-agent'] },
  });
  const text = await (await server.send('GET', '/api/agents', { token: server.agent })).text();
  expect(JSON.parse(text)).toEqual({
    agents: [
      { name: 'helper', adapter: 'command', here: true },
      { name: 'far', adapter: 'acp', here: false },
    ],
  });
  expect((await server.send('GET', '/api/agents', { token: '' })).status).toBe(401);
});

test('[M1] [M5] a test brings texts as they come; what they used and cost is in the list, in usage and in metrics', async () => {
  const { server } = await serverWith(await modelServer());
  const heard: string[] = [];
  const tested = await server.client().models.test('chat', { n: 1 }, { onText: (_, text) => heard.push(text) });
  expect(tested).toMatchObject({ kind: 'answer', choices: [{ text: 'Hello there' }], cost: 0.0002 });
  expect(heard.join('')).toBe('Hello there');
  const usage = await bodyOf<WireUsage>(server.send('GET', '/api/usage'));
  expect(usage.models).toMatchObject([{ model: 'chat', calls: 1, promptTokens: 100, generatedTokens: 50 }]);
  const metrics = await (await server.send('GET', '/metrics')).text();
  expect(metrics).toContain('heddle_model_calls_total{model="chat"} 1');
  expect(metrics).toContain('heddle_model_generated_tokens_total{model="chat"} 50');
  expect(metrics).toContain('heddle_model_cost_total{model="chat"} 0.0002');
});

test('[M1] what goes wrong in a test is a sentence, and has no key in it', async () => {
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

test('[M7] a human sets the budget of the workspace, an agent does not; reaching it is 429', async () => {
  const { server, budget } = await serverWith(await modelServer());
  expect(
    (await server.send('POST', '/api/budgets/workspace', { token: server.agent, body: { tokens: 9 } })).status,
  ).toBe(403);
  expect((await server.send('POST', '/api/budgets/workspace', { body: { tokens: 0 } })).status).toBe(400);
  expect((await server.send('POST', '/api/budgets/workspace', { body: { tokens: 120 } })).status).toBe(200);
  expect(budget()).toEqual({ tokens: 120 });
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

test('[M1] [L17] a key of the workspace cannot be posted, wherever it was copied from', async () => {
  const { server } = await serverWith(await modelServer());
  const { thread } = await server.client().threads.create({ title: 'x' });
  const posted = server
    .client()
    .thread(thread.id)
    .post({ type: 'message', content: `my key is ${KEY}` });
  await expect(posted).rejects.toMatchObject({ code: 'unacceptable_text' });
});

async function serverWith(base_url: string, clients: RegistrySettings['clients'] = {}) {
  let limit: Limit = {};
  const entry = {
    provider: 'openai-chat',
    base_url,
    model: 'x',
    context: 4096,
    price: { input: 1, output: 2 },
  } as const;
  const settings = (): RegistrySettings => ({
    models: { chat: { ...entry, api_key_env: 'CHAT_KEY' }, keyless: { ...entry, api_key_env: 'NOT_SET' } },
    clients,
    defaults: {},
    budgets: { workspace: limit },
  });
  const saveBudget = (given: Limit) => {
    limit = given;
  };
  const registry = createRegistry({ settings, env: { CHAT_KEY: KEY }, saveBudget });
  const server = await openTestServer({ registry });
  onTestFinished(server.close);
  return { server, budget: () => limit };
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
