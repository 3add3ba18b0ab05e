import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cacheDirectory } from '../../src/models/builtin/weights/cache.ts';
import { createGate, startFakeModels } from '../support/models/fake-models.ts';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { entryOf, newDirectory, newWorkspace, start } from '../support/program/heddle.ts';
import { hasTmux, terminal } from '../support/program/terminal.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });
beforeAll(storiesFile, FETCH_MS);

const KEY = 'sk-a-key-nobody-may-see';
const env = { HEDDLE_CACHE: cacheDirectory(), CHAT_KEY: KEY };

describe.for([
  ['with a server', true],
  ['without a server', false],
] as const)('%s', ([, served]) => {
  async function open(settings = '') {
    const workspace = newWorkspace();
    writeFileSync(join(workspace.path, 'heddle.yaml'), settings);
    if (served) {
      const server = start(['serve', '--port', '0', '--no-open', '--json', '--workspace', workspace.path], { env });
      await server.waitForOutput(/^\{.*\}\n/);
    }
    const run = (...words: string[]) => workspace.run(words, { env });
    return { ...workspace, run };
  }

  test('[M1] [M3] without a word of set-up: three texts of the small model, each token with its probability', async () => {
    const { run } = await open();
    const listed = (await run('models', '--json')).json.models;
    expect(listed).toMatchObject([
      { name: 'small', state: { code: 'ready' }, default_for: ['mind', 'auditor', 'loom'] },
    ]);
    const tested = (await run('models', 'test', 'small', '--seed', '5', '--tokens', '8', '--json')).json;
    expect(tested.choices).toHaveLength(3);
    for (const { text, tokens } of tested.choices) {
      expect(tokens.map((token: { text: string }) => token.text).join('')).toBe(text);
      for (const { probability } of tokens) expect(probability).toBeGreaterThan(0);
    }
    const { out } = await run('models', 'test', 'small', '--seed', '5', '--tokens', '8');
    expect(out).toMatch(/^small, a small model, continues/);
    expect(out).toMatch(/\n1 {2}\S[\s\S]*\d+ %[\s\S]*\n2 {2}\S[\s\S]*\n3 {2}\S[\s\S]*tokens read, 24 written/);
    const usage = (await run('models', 'usage', '--json')).json;
    expect(usage.models).toMatchObject([{ model: 'small', calls: 2, generatedTokens: 48 }]);
    expect((await run('models', 'usage')).out).toMatch(/small +2 +0 +\d+ +48 +–/);
  });

  test('[M1] [C5] one block in heddle.yaml, and a model elsewhere answers; its key is nowhere', async () => {
    const fake = await startFakeModels();
    onTestFinished(fake.close);
    fake.answer(() => ({ text: 'A loom weaves cloth.' }));
    const { run, path } = await open(
      `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: some-chat, api_key_env: CHAT_KEY, price: {input: 1, output: 2}}\n`,
    );
    const { code, out } = await run('models', 'test', 'chat');
    expect(code).toBe(0);
    expect(out).toMatch(/^chat answers[\s\S]*1 {2}A loom weaves cloth\.[\s\S]*3 {2}A loom[\s\S]*\$0\.0/);
    expect(fake.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const listed = await run('models', 'list', '--json');
    expect(listed.out + out).not.toContain(KEY);
    expect(readFileSync(join(path, served ? 'heddle.db-wal' : 'heddle.db')).includes(KEY)).toBe(false);
    const { total } = (await run('models', 'usage', '--json')).json;
    expect(total.cost).toBeGreaterThan(0);
  });

  test('[C5] money is shown in the currency of heddle.yaml, and a code that is none is refused with its line', async () => {
    const fake = await startFakeModels();
    onTestFinished(fake.close);
    fake.answer(() => ({ text: 'A loom weaves cloth.' }));
    const settings = `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: c, price: {input: 1, output: 2}}\nbudgets: {workspace: {money: 5}}\n`;
    const { run, path } = await open(`${settings}currency: EUR\n`);
    expect((await run('models', 'test', 'chat')).out).toMatch(/, €0\.0\d+\n/);
    expect((await run('models')).out).toMatch(/chat .*€1\.00 \/ €2\.00/);
    const used = await run('models', 'usage');
    expect(used.out + used.err).toMatch(/chat .*€0\.0[\s\S]*budget: €5\.00\./);
    expect((await run('models', 'usage', '--json')).json.currency).toBe('EUR');
    writeFileSync(join(path, 'heddle.yaml'), `${settings}currency: euro\n`);
    const refused = await run('models');
    expect(refused.out + refused.err).toMatch(/line 4: "currency" must be the code of a currency/);
  });

  test('[M14] one of three texts is refused: I still see the two that I paid for, then why', async () => {
    const fake = await startFakeModels();
    onTestFinished(fake.close);
    const { run } = await open(
      `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: c, n: 1}\n`,
    );
    const steps = () => [
      { text: 'A loom weaves cloth.' },
      { fault: 'server_error', status: 402, message: 'No more of this today.' } as const,
      { text: 'A loom holds threads.' },
    ];
    fake.script(...steps());
    const { code, out, err } = await run('models', 'test', 'chat');
    expect([code, err]).toEqual([1, expect.stringContaining('No more of this today.')]);
    expect(out).toContain('A loom weaves cloth.');
    expect(out).toContain('A loom holds threads.');
    fake.script(...steps());
    const { error } = JSON.parse((await run('models', 'test', 'chat', '--json')).err);
    expect(error.texts.filter((text: string) => text !== '').sort()).toEqual([
      'A loom holds threads.',
      'A loom weaves cloth.',
    ]);
  });

  test('[M1] killed in the middle of a word, the message says what happened', async () => {
    const fake = await startFakeModels();
    const gate = createGate(2);
    fake.answer(() => ({ text: 'one two three four five six', gate }));
    const { path } = await open(
      `models:\n  base: {provider: openai-completions, base_url: "${fake.openAiUrl}", model: b}\n`,
    );
    const asking = start(['models', 'test', 'base', '--workspace', path, '--json'], { env });
    await gate.reached;
    await fake.close();
    const { code, err } = await asking.ended;
    expect(code).not.toBe(0);
    const { error } = JSON.parse(err);
    expect(error.code).toBe('model_unavailable');
    expect(error.message).toMatch(/^[^{]*\.$/);
    const again = await start(['models', 'test', 'base', '--workspace', path], { env }).ended;
    expect(again.code).not.toBe(0);
    expect(again.err).toMatch(/base/);
  });
});

test('[M1] add writes a block and keeps every other word; a key is refused and not written', async () => {
  const { run, path } = newWorkspace();
  await run(['threads']);
  const file = join(path, 'heddle.yaml');
  const before = readFileSync(file, 'utf8');
  const words = ['--provider', 'openai-chat', '--base-url', 'http://127.0.0.1:1/v1', '--model', 'm', '--price', '1,2'];
  const added = await run(['models', 'add', 'chat', ...words, '--key-env', 'CHAT_KEY', '--for', 'mind,loom', '--json']);
  expect(added.json).toMatchObject({ name: 'chat', default_for: ['mind', 'loom'], entry: { api_key_env: 'CHAT_KEY' } });
  const after = readFileSync(file, 'utf8');
  expect(after.startsWith(before.trimEnd())).toBe(true);
  expect(statSync(file).mode & 0o077).toBe(0);
  const [small, chat] = (await run(['models', '--json'])).json.models;
  expect(small.default_for).toEqual(['auditor']);
  expect(chat).toMatchObject({ state: { code: 'key_missing', sentence: expect.stringContaining('CHAT_KEY') } });
  expect((await run(['models', 'add', 'chat', ...words])).err).toMatch(/There is already a model "chat"/);
  const leaked = await run(['models', 'add', 'other', ...words, '--key-env', KEY]);
  expect(leaked).toMatchObject({ code: 2, err: expect.stringContaining('looks like a key itself') });
  expect(leaked.err).not.toContain(KEY);
  expect(readFileSync(file, 'utf8')).toBe(after);
});

test('[M1] [I3] a model is changed, used, and removed when it is no longer used; every other word stays', async () => {
  const { run, path } = newWorkspace();
  const file = join(path, 'heddle.yaml');
  writeFileSync(
    join(path, 'heddle.yaml'),
    '# mine\nmodels:\n  # talks\n  chat: {provider: openai-chat, model: m} # here\n  base: {provider: embedded}\n',
  );
  const changed = await run(['models', 'change', 'chat', '--context', '8192', '--key-env', 'CHAT_KEY', '--json']);
  expect(changed.json).toEqual({ name: 'chat', set: { context: 8192, api_key_env: 'CHAT_KEY' }, file });
  expect((await run(['models', 'change', 'chat', '--key-env', '', '--price', '1,2'])).out).toMatch(
    /^Changed "chat" in/,
  );
  const used = await run(['models', 'use', 'chat', '--for', 'mind,loom', '--json']);
  expect(used.json).toEqual({ name: 'chat', default_for: ['mind', 'loom'], file });
  expect(readFileSync(file, 'utf8')).toBe(
    '# mine\nmodels:\n  # talks\n  chat: {provider: openai-chat, model: m, context: 8192, price: {input: 1, output: 2}} # here\n  base: {provider: embedded}\ndefaults:\n  mind: chat\n  loom: chat\n',
  );
  expect(await run(['models', 'remove', 'chat'])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/"chat" is the default for mind, loom\. Choose another/),
  });
  expect((await run(['models', 'use', 'base'])).out).toMatch(/"base" is now the default for mind, auditor, loom/);
  const removed = await run(['models', 'remove', 'chat', '--json']);
  expect(removed.json).toMatchObject({ name: 'chat', entry: { model: 'm', context: 8192 }, file });
  expect(readFileSync(file, 'utf8')).toContain('# mine\nmodels:\n  # talks\n  base: {provider: embedded}\n');
  const { models } = (await run(['models', '--json'])).json;
  expect(models).toMatchObject([
    { name: 'small', written: false },
    { name: 'base', written: true },
  ]);
});

test.each<[string, string[], number, RegExp]>([
  ['to remove what is always there', ['remove', 'small'], 3, /"small" is built into Heddle/],
  ['to remove what nobody has', ['remove', 'smal'], 3, /There is no model "smal"\. Did you mean "small"\?/],
  ['to use what nobody has', ['use', 'chat', '--for', 'mind'], 3, /There is no model "chat"/],
  ['a use for nothing', ['use', 'small', '--for', 'mnid'], 2, /should be mind, auditor or loom/],
  ['a change of nothing', ['change', 'small'], 2, /Give the changes/],
  ['a change of what is not written', ['change', 'small', '--context', '99'], 3, /built into Heddle/],
  ['a model nobody has', ['test', 'smal'], 3, /There is no model "smal"\. Did you mean "small"\?/],
  ['no name where nobody can be asked', ['add'], 2, /Give its name and --provider/],
  [
    'a provider there is not',
    ['add', 'x', '--provider', 'opnai-chat'],
    2,
    /Did you mean "openai-chat"\? Nothing was written/,
  ],
  ['a use there is not', ['add', 'x', '--provider', 'embedded', '--for', 'mnid'], 2, /should be mind, auditor or loom/],
  [
    'half a price',
    ['add', 'x', '--provider', 'openai-chat', '--model', 'm', '--price', '3'],
    2,
    /two numbers, such as 3,15/,
  ],
  ['a number that is none', ['test', 'small', '--tokens', 'many'], 2, /should be a whole number/],
])('[M1] refused in a sentence: %s', async (_, words, exit, sentence) => {
  const { run } = newWorkspace();
  const { code, err } = await run(['models', ...words]);
  expect(code).toBe(exit);
  expect(err).toMatch(sentence);
});

test('[M1] a person’s own file stands under that of every workspace', async () => {
  const personal = join(newDirectory(), 'mine.yaml');
  writeFileSync(personal, 'models:\n  mine: {provider: embedded}\ndefaults: {loom: mine}\n');
  const { run } = newWorkspace();
  const { json } = await run(['models', '--json'], { env: { HEDDLE_CONFIG: personal } });
  expect(json.models.map(({ name }: { name: string }) => name)).toEqual(['small', 'mine']);
  expect(json.models[1].default_for).toEqual(['loom']);
});

test('[M1] a running server takes up a change, and tells of a broken one while the last good one holds', async () => {
  const { run, path, serve } = newWorkspace();
  await serve();
  const file = join(path, 'heddle.yaml');
  writeFileSync(file, 'models:\n  other: {provider: embedded}\n');
  expect((await run(['models', '--json'])).json.models).toHaveLength(2);
  writeFileSync(file, 'models:\n  other: {provider: embeded}\n  third: {provider: embedded}\n');
  const { models, problem } = (await run(['models', '--json'])).json;
  expect(models).toHaveLength(2);
  expect(problem).toMatch(/heddle\.yaml, line 2: .*Did you mean "embedded"\?.*the previous settings apply/);
});

test('[M1] bench says how long the first token took and how many came a second', async () => {
  const { path } = newWorkspace();
  const { json } = await start(['models', 'bench', 'small', '--json', '--workspace', path], { env }).ended;
  expect(json).toMatchObject({ model: 'small', figures: [{ streams: 1 }, { streams: 3 }] });
  for (const { tokens_per_second } of json.figures) expect(tokens_per_second).toBeGreaterThan(0);
});

test('[M14] a key is piped in, stored apart from the workspace, and found by the next command', async () => {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  fake.answer(() => ({ text: 'Hello.' }));
  fake.offers.push('m', 'n');
  const path = newDirectory();
  const config = { HEDDLE_CONFIG: join(newDirectory(), 'heddle.yaml'), PATH: '/usr/bin:/bin' };
  writeFileSync(
    join(path, 'heddle.yaml'),
    `models:\n  chat: {provider: openai-chat, base_url: "${fake.openAiUrl}", model: m}\n`,
  );
  const run = (words: string[], input?: string) =>
    start(['models', ...words, '--workspace', path], { env: config, ...(input !== undefined && { input }) }).ended;
  expect((await run(['key', 'chat'], `${KEY}\n`)).out).toMatch(/is stored in .*keys\.json, as HEDDLE_KEY_CHAT/);
  const tested = await run(['test', 'chat']);
  expect(tested.err).toContain('The server offers: m, n.');
  expect(fake.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(readFileSync(join(path, 'heddle.yaml'), 'utf8')).not.toContain(KEY);
  expect((await run(['key', 'chat', '--remove'])).out).toContain('no longer stored');
  expect((await run(['test', 'chat'])).err).toContain(`heddle --workspace ${path} models key chat`);
});

test.runIf(hasTmux)('[M14] the questions of "models add" check each answer as it is given', async () => {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  fake.offers.push('only-one');
  const path = newDirectory();
  const config = join(newDirectory(), 'heddle.yaml');
  const screen = terminal([process.execPath, entryOf('heddle'), 'models', 'add', '--workspace', path], {
    HEDDLE_CONFIG: config,
    PATH: '/usr/bin:/bin',
  });
  const say = (text: string) => screen.press(text, 'Enter');
  await screen.shows(/Provider [\s\S]*: *\s*$/);
  say('opnai-chat');
  await screen.shows(/Did you mean "openai-chat"\?/);
  say('openai-chat');
  await screen.shows(/Address [\s\S]*: *\s*$/);
  say('not an address');
  await screen.shows(/must be an address/);
  say(fake.openAiUrl);
  await screen.shows(/Key, or the name [\s\S]*: *\s*$/);
  say(KEY);
  await screen.shows(/The server offers: only-one\.[\s\S]*Model ID \[only-one\]:/);
  screen.press('Enter');
  await screen.shows(/Context [\s\S]*: *\s*$/);
  say('lots');
  await screen.shows(/is not a number/);
  screen.press('Enter');
  await screen.shows(/Price [\s\S]*: *\s*$/);
  screen.press('Enter');
  await screen.shows(/Display name [\s\S]*: *\s*$/);
  say('small');
  await screen.shows(/There is already a model "small"/);
  say('chat');
  await screen.shows(/Default model for [\s\S]*: *\s*$/);
  expect(screen.screen()).not.toContain(KEY);
  say('mind');
  await screen.ends();
  expect(readFileSync(join(path, 'heddle.yaml'), 'utf8')).toContain('model: only-one, api_key_env: HEDDLE_KEY_CHAT');
  expect(readFileSync(join(dirname(config), 'keys.json'), 'utf8')).toContain(KEY);
});
