import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fuzzRuns } from '../../../test/support/random.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { ModelEntry } from '../../models/registry/schema.ts';
import { editFile } from '../file-edit.ts';
import { addModel, changeModel, removeModel, setCurrency, setDefaults, setWorkspaceBudget } from './edit.ts';
import { readSettings, writeDefaultSettings } from './settings.ts';

const entry: ModelEntry = {
  provider: 'openai-chat',
  base_url: 'http://127.0.0.1:8080/v1',
  model: 'some-chat',
  api_key_env: 'SOME_KEY',
  price: { input: 1, output: 2.5 },
};
const MINE = `# mine
person: {id: ada} # me

models:
  # the first
  a: {provider: embedded}
  # the second
  b:
    provider: openai-chat # why
    model: some-chat
    context: 4096 # as measured
  c: {provider: embedded}
defaults: {mind: b} # thinks best
limits:
  burst: 5
`;

beforeEach(() => {
  process.env.HEDDLE_CONFIG = join(newDirectory(), 'heddle.yaml');
});

describe('[M1] changing heddle.yaml', () => {
  test('[M1] the file as it is made at first keeps all its words, and the block stands below', () => {
    const path = place();
    writeDefaultSettings(path);
    const before = readFileSync(path, 'utf8');
    addModel(path, { name: 'chat', entry, defaultFor: ['mind'] });
    const after = readFileSync(path, 'utf8');
    expect(after.startsWith(before.trimEnd())).toBe(true);
    expect(after.slice(before.trimEnd().length)).toBe(
      '\n\nmodels:\n  chat: {provider: openai-chat, base_url: http://127.0.0.1:8080/v1, model: some-chat, api_key_env: SOME_KEY, price: {input: 1, output: 2.5}}\ndefaults:\n  mind: chat\n',
    );
    expect(readSettings(path)).toMatchObject({
      models: { chat: entry },
      defaults: { mind: 'chat' },
      written: ['chat'],
    });
  });

  test('[M1] what a person wrote stays, comments and order too', () => {
    const path = place(
      '# mine\nperson: {id: ada} # me\n\nmodels:\n  # the first\n  a: {provider: embedded}\nlimits:\n  burst: 5\n',
    );
    addModel(path, { name: 'b', entry: { provider: 'embedded' }, defaultFor: [] });
    setWorkspaceBudget(path, { tokens: 1000, money: 2.5 });
    expect(readFileSync(path, 'utf8')).toBe(
      '# mine\nperson: {id: ada} # me\n\nmodels:\n  # the first\n  a: {provider: embedded}\n  b: {provider: embedded}\nlimits:\n  burst: 5\nbudgets:\n  workspace: {tokens: 1000, money: 2.5}\n',
    );
    setWorkspaceBudget(path, { tokens: 7 });
    expect(readSettings(path).budgets).toEqual({ workspace: { tokens: 7 } });
    setWorkspaceBudget(path, {});
    expect(readFileSync(path, 'utf8')).not.toContain('budgets');
    setWorkspaceBudget(path, {});
    expect(readSettings(path).budgets).toEqual({});
  });

  test('[M1] a change sets the fields that were named, and nothing else is another', () => {
    const path = place(MINE);
    const set = { context: 8192, model: 'other', price: { input: 1, output: 2 }, api_key_env: null };
    expect(changeModel(path, 'b', set)).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe(
      MINE.replace('4096', '8192')
        .replace('some-chat', 'other')
        .replace('measured\n', 'measured\n    price: {input: 1, output: 2}\n'),
    );
    expect(changeModel(path, 'b', { price: null, context: null })).toBeUndefined();
    expect(readSettings(path).models.b).toEqual({ provider: 'openai-chat', model: 'other' });
  });

  test('[M1] a model is taken out alone, what was said above it stays, and it can be put back', () => {
    const path = place(MINE);
    setDefaults(path, { mind: 'a' });
    const removed = removeModel(path, 'b');
    const gone = MINE.slice(MINE.indexOf('  b:'), MINE.indexOf('  c:'));
    expect(readFileSync(path, 'utf8')).toBe(MINE.replace(gone, '').replace('mind: b', 'mind: a'));
    expect(removed).toEqual({ entry: { provider: 'openai-chat', model: 'some-chat', context: 4096 } });
    if (isRefusal(removed)) return;
    addModel(path, { name: 'b', ...removed, defaultFor: ['mind'] });
    expect(readSettings(path)).toMatchObject({ models: { b: removed.entry }, defaults: { mind: 'b' } });
    for (const name of ['c', 'a']) removeModel(path, name);
    setDefaults(path, { mind: 'small' });
    removeModel(path, 'b');
    expect(readFileSync(path, 'utf8')).toMatch(/models:.*# the first.*# the second.*defaults: {mind: small}/s);
    addModel(path, { name: 'd', entry, defaultFor: [] });
    expect(readFileSync(path, 'utf8')).toContain('\n  d: {provider: openai-chat');
  });

  test('[M1] what is used where none is named, what is built in and what stands elsewhere is not taken out', () => {
    const path = place(MINE);
    writeFileSync(process.env.HEDDLE_CONFIG as string, 'models: {far: {provider: embedded}}\n');
    const sentences = {
      b: 'the default for mind',
      small: 'built into Heddle',
      far: 'all your workspaces',
      bb: 'mean "b"',
    };
    for (const [name, sentence] of Object.entries(sentences)) {
      const refused = removeModel(path, name);
      const code = name === 'bb' ? 'unknown_model' : 'conflict';
      expect(refused).toMatchObject({ refusal: { code, message: expect.stringContaining(sentence) } });
    }
    expect(changeModel(path, 'far', { model: 'x' })).toMatchObject({ refusal: { code: 'conflict' } });
    expect(addModel(path, { name: 'far', entry, defaultFor: [] })).toMatchObject({ refusal: { code: 'conflict' } });
    expect(setDefaults(path, { loom: 'far', mind: 'aa' })).toMatchObject({ refusal: { code: 'unknown_model' } });
    expect(readFileSync(path, 'utf8')).toBe(MINE);
    expect(setDefaults(path, { loom: 'far' })).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe(MINE.replace('{mind: b}', '{mind: b, loom: far}'));
  });

  test('[M1] a file that is not there is made for its owner alone; one that is keeps its permissions', () => {
    const path = place();
    setWorkspaceBudget(path, { money: 1 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o640);
    setWorkspaceBudget(path, { money: 2 });
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  test('[C5] the currency is set and set again; everything else stays as it is', () => {
    const path = place(MINE);
    expect(setCurrency(path, 'EUR')).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe(`${MINE}currency: EUR\n`);
    setCurrency(path, 'CHF');
    expect(readFileSync(path, 'utf8')).toBe(`${MINE}currency: CHF\n`);
    expect(readSettings(path).currency).toBe('CHF');
  });

  test('[M1] a broken file is refused with its line and left as it is', () => {
    const broken = `${MINE}defaults: [\n`;
    const path = place(broken);
    expect(() => addModel(path, { name: 'd', entry, defaultFor: [] })).toThrow(/line 16/);
    expect(() => removeModel(path, 'c')).toThrow(/line 16/);
    expect(() => setDefaults(path, { mind: 'a' })).toThrow(/line 16/);
    expect(readFileSync(path, 'utf8')).toBe(broken);
    expect(readdirSync(join(path, '..'))).toEqual(['heddle.yaml', 'heddle.yaml.lock']);
  });

  const BAD: readonly [string, string, object, RegExp][] = [
    ['a name with a line end', 'x\n  y: {provider: embedded}\n', {}, /^A name is 1 to 64 letters/],
    ['a name that is YAML', 'x: y', {}, /^A name is 1 to 64/],
    ['no name', '', {}, /^A name is 1 to 64/],
    ['a name of the prototype', '__proto__', {}, /^A name is 1 to 64/],
    ['a key as a name', 'sk-proj-0123456789abcdef', {}, /looks like a key/],
    ['a key as the model', 'd', { model: 'sk-proj-0123456789abcdef' }, /"model" looks like a key/],
    ['a key as its variable', 'd', { api_key_env: 'sk-proj-0123456789abcdef' }, /"api_key_env" looks like a key/],
    ['a key of capitals', 'd', { api_key_env: 'AKIA0123456789ABCDEF' }, /"api_key_env" looks like a key/],
    ['a key of hex digits', 'd', { api_key_env: 'deadbeef01234567' }, /"api_key_env" looks like a key/],
    ['a key in its own field', 'd', { api_key: 'sk-proj-0123456789abcdef' }, /would store a key in a file/],
    ['a key as the provider', 'd', { provider: 'sk-proj-0123456789abcdef' }, /"provider" is not valid/],
    ['a variable with a line end', 'd', { api_key_env: 'A\nB: c' }, /must be the name of an environment variable/],
    ['another kind of address', 'd', { base_url: 'file:///etc/passwd' }, /begins with http/],
    ['an address that would run', 'd', { base_url: 'javascript:alert(1)' }, /begins with http/],
    ['an address of two lines', 'd', { base_url: 'http://x\n/v1' }, /begins with http/],
    ['an endless address', 'd', { base_url: `http://x/${'y'.repeat(3000)}` }, /begins with http/],
    ['an address with a password', 'd', { base_url: 'http://me:0123456789@x/v1' }, /has a secret in it/],
    ['a model of two lines', 'd', { model: 'x\ny' }, /"model" is not valid: must be one line/],
    ['no model', 'd', { model: '' }, /"model" is too small/],
    ['a huge context', 'd', { context: 1e15 }, /"context" is too large/],
    ['half a token', 'd', { context: 100.5 }, /"context" must be a whole number/],
    ['a huge price', 'd', { price: { input: 1e300, output: 1 } }, /"price.input" is too large/],
    ['words as a number', 'd', { context: 'many' }, /"context" must be a number/],
    ['a field nobody knows', 'd', { modle: 'x' }, /Did you mean "model"\?/],
  ];
  test.each(BAD)('[M1] [L17] not written and not repeated: %s', (_, name, fields, sentence) => {
    const path = place(MINE);
    const added = addModel(path, { name, entry: { ...entry, ...fields } as ModelEntry, defaultFor: ['mind'] });
    expect(added).toMatchObject({ refusal: { code: 'malformed', message: expect.stringMatching(sentence) } });
    const changed = name === 'd' && changeModel(path, 'b', { ...fields });
    if (changed) expect(changed).toMatchObject({ refusal: { message: expect.stringMatching(sentence) } });
    expect(JSON.stringify([added, changed])).not.toMatch(/0123456789/);
    expect(readFileSync(path, 'utf8')).toBe(MINE);
  });

  test('[M1] whatever a model is called, what is written is what is read, and all else is as it was', () => {
    const path = place();
    const id = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), fc.constantFrom(...YAMLISH));
    fc.assert(
      fc.property(id, fc.constantFrom('true', 'null', '1e3', 'constructor', 'y', 'x.y-z_0'), (model, name) => {
        writeFileSync(path, MINE);
        const wanted = { ...entry, model };
        if (addModel(path, { name, entry: wanted, defaultFor: ['loom'] })) {
          expect(readFileSync(path, 'utf8')).toBe(MINE);
          return;
        }
        const settings = readSettings(path);
        expect(settings.models[name]).toEqual(wanted);
        expect(settings.defaults).toEqual({ mind: 'b', loom: name });
        expect(settings.written).toEqual(['a', 'b', 'c', name]);
        expect(setDefaults(path, { loom: 'small' })).toBeUndefined();
        expect(removeModel(path, name)).toEqual({ entry: wanted });
        const after = readFileSync(path, 'utf8').replace('"small"', 'small');
        expect(after).toBe(MINE.replace('{mind: b}', '{mind: b, loom: small}'));
      }),
      { numRuns: fuzzRuns(30) },
    );
  });
});

const YAMLISH = [
  'a: b',
  '{x: 1}',
  '- a',
  '# no',
  '*a',
  '&a b',
  '!!js x',
  '"',
  "'",
  '|',
  '>-',
  '%x',
  '---',
  '...',
  '? x',
  '~',
];

describe('[M1] several who write at once', () => {
  test('[M1] what somebody saved by hand meanwhile is kept', () => {
    const path = place('# one\n');
    let isFirst = true;
    editFile(path, (text) => {
      if (isFirst) writeFileSync(path, '# two, by hand\n');
      isFirst = false;
      return `${text}models: {}\n`;
    });
    expect(readFileSync(path, 'utf8')).toBe('# two, by hand\nmodels: {}\n');
  });

  test('[M1] a file that is never at rest is left alone, with a sentence', () => {
    const path = place('0');
    let saved = 0;
    const restless = () => {
      writeFileSync(path, String(++saved));
      return 'ours';
    };
    expect(() => editFile(path, restless)).toThrow(/being changed by another program.*try again/);
    expect(readFileSync(path, 'utf8')).toBe(String(saved));
  });

  test('[M1] four programs add models at once, and all of them are there', async () => {
    const path = place(MINE);
    const module = join(import.meta.dirname, 'edit.ts');
    const adding = (program: number) => `
      import { addModel } from ${JSON.stringify(module)};
      for (let i = 0; i < 10; i++)
        addModel(${JSON.stringify(path)}, { name: 'm${program}-' + i, entry: { provider: 'embedded' }, defaultFor: [] });`;
    const codes = [0, 1, 2, 3].map((program) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', adding(program)], { stdio: 'inherit' });
      return new Promise((resolve) => child.once('exit', resolve));
    });
    expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
    expect(readSettings(path).written).toHaveLength(3 + 40);
    expect(readFileSync(path, 'utf8')).toContain('context: 4096 # as measured');
  });
});

function place(text?: string): string {
  const path = join(newDirectory(), 'heddle.yaml');
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-edit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
