import { describe, expect, test } from 'vitest';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { Chunk, Model } from '../model.ts';
import { createRegistry } from './registry.ts';
import type { ModelEntry, RegistrySettings } from './schema.ts';

const chat: ModelEntry = {
  provider: 'openai-chat',
  base_url: 'http://127.0.0.1:9/v1',
  model: 'some-chat',
  api_key_env: 'SOME_KEY',
  context: 8192,
  price: { input: 1, output: 2 },
};

describe('[M1] the registry', () => {
  test('[C5] without settings the embedded model is used for everything', async () => {
    const registry = createRegistry();
    expect(await registry.list()).toMatchObject([
      { name: 'small', entry: { provider: 'embedded' }, defaultFor: ['mind', 'auditor', 'loom'] },
    ]);
    expect(registry.defaultFor('mind')).toBe('small');
    expect((await registry.list())[0]?.capabilities).toMatchObject({ label: 'small', context: 256 });
  });

  test('[T23] looking up the clients of many participants reads the settings once', async () => {
    let read = 0;
    const registry = createRegistry({
      settings: () => {
        read++;
        return settingsWith({ chat });
      },
    });
    const before = read;
    for (let i = 0; i < 100; i++) registry.clients();
    expect(read - before).toBe(1);
    await Promise.resolve();
    registry.clients();
    expect(read - before).toBe(2);
  });

  test('[M1] a missing key is reported by its variable, and no list contains the key itself', async () => {
    const env: NodeJS.ProcessEnv = {};
    const registry = createRegistry({ settings: () => settingsWith({ chat }), env });
    expect(registry.keys()).toEqual([]);
    expect((await registry.list()).at(-1)?.state).toEqual({
      code: 'key_missing',
      sentence: expect.stringMatching(/^Its key is missing\..*`heddle models key chat`.*SOME_KEY/),
    });
    const refused = (await registry.open('chat')) as Refusal;
    expect(refused.refusal).toMatchObject({ code: 'model_unavailable', message: expect.stringContaining('SOME_KEY') });
    env.SOME_KEY = 'sk-very-secret-key';
    expect((await registry.list()).at(-1)).toMatchObject({
      state: { code: 'ready', sentence: '' },
      capabilities: { context: 8192 },
    });
    expect(JSON.stringify(await registry.list())).not.toContain('very-secret');
    expect(registry.keys()).toEqual(['sk-very-secret-key']);
    expect(isRefusal(await registry.open('chat'))).toBe(false);
  });

  test('[M1] an unknown name is refused with the closest one', async () => {
    const registry = createRegistry({ settings: () => settingsWith({ chat }) });
    const { refusal } = (await registry.open('smal')) as Refusal;
    expect(refusal.code).toBe('unknown_model');
    expect(refusal.message).toContain('Did you mean "small"?');
    expect(isRefusal(await registry.open('__proto__'))).toBe(true);
  });

  test('[M1] a model is opened once at its first use and closed with the registry', async () => {
    const { opened, closed, registry } = counting(() => settingsWith({ a: { provider: 'embedded' } }));
    await registry.list();
    expect(opened).toEqual([]);
    const [one, two] = await Promise.all([registry.open('a'), registry.open('a')]);
    expect(one).toBe(two);
    expect(opened).toEqual(['a']);
    await registry.close();
    expect(closed).toEqual(['a']);
  });

  test('[M1] after a change the model is replaced, and answers in progress are completed', async () => {
    let settings = settingsWith({ a: { ...chat, api_key_env: 'K' } });
    const { opened, closed, registry } = counting(() => settings, { K: 'key-of-eight' });
    const first = (await registry.open('a')) as Model;
    const answer = first.complete({ prompt: '' })[Symbol.asyncIterator]();
    await answer.next();
    settings = settingsWith({ a: { ...chat, api_key_env: 'K', model: 'another' } });
    expect(await registry.open('a')).not.toBe(first);
    expect(opened).toEqual(['a', 'a']);
    expect(closed).toEqual([]);
    expect(await answer.next()).toMatchObject({ value: { type: 'done' } });
    await answer.next();
    await registry.close();
    expect(closed).toEqual(['a', 'a']);
  });

  test('[M1] a removed model is closed once its answers in progress are complete', async () => {
    let settings = settingsWith({ a: chat });
    const { closed, registry } = counting(() => settings, { SOME_KEY: 'key-of-eight' });
    const answer = ((await registry.open('a')) as Model).complete({ prompt: '' })[Symbol.asyncIterator]();
    await answer.next();
    settings = settingsWith({});
    expect(isRefusal(await registry.open('a'))).toBe(true);
    expect(closed).toEqual([]);
    await answer.next();
    await answer.next();
    await expect.poll(() => closed).toEqual(['a']);
    await registry.close();
  });

  test('[M1] a model that kept failing is shown as resting, with the error', async () => {
    const health = () => ({ state: 'open', failures: 5, last: 'Nothing answers there.' }) as const;
    const registry = createRegistry({ open: async (name) => ({ ...tinyModel(name, () => {}), health }) });
    expect((await registry.list())[0]?.state.code).not.toBe('resting');
    await registry.open('small');
    expect((await registry.list())[0]?.state).toMatchObject({
      code: 'resting',
      sentence: expect.stringContaining('Nothing answers there.'),
    });
    await registry.close();
  });

  test('[M1] a model that could not be opened is tried again at the next request', async () => {
    let tries = 0;
    const registry = createRegistry({
      open: async () => {
        tries++;
        throw new Error('not now');
      },
    });
    await expect(registry.open('small')).rejects.toThrow('not now');
    await expect(registry.open('small')).rejects.toThrow('not now');
    expect(tries).toBe(2);
    await registry.close();
  });
});

function settingsWith(models: Record<string, ModelEntry>): RegistrySettings {
  return { models: { small: { provider: 'embedded' }, ...models }, clients: {}, defaults: {}, budgets: {} };
}

function counting(settings: () => RegistrySettings, env: NodeJS.ProcessEnv = {}) {
  const opened: string[] = [];
  const closed: string[] = [];
  const registry = createRegistry({
    settings,
    env,
    open: async (name) => {
      opened.push(name);
      return tinyModel(name, () => closed.push(name));
    },
  });
  return { opened, closed, registry };
}

/** Says one word. */
function tinyModel(id: string, close: () => void): Model {
  async function* speak(): AsyncGenerator<Chunk> {
    yield { type: 'text', choice: 0, text: 'word' };
    yield { type: 'done', usage: { promptTokens: 1, generatedTokens: 1 }, dropped: 0 };
  }
  return {
    id,
    capabilities: { context: 64, n: 1, logprobs: 0, streaming: true, fillInTheMiddle: false, frame: false },
    complete: speak,
    chat: speak,
    countTokens: async (text) => text.length,
    close: async () => close(),
  };
}
