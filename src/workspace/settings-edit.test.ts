import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelEntry } from '../models/registry-schema.ts';
import { readSettings, writeFirstSettings } from './settings.ts';
import { addModel, setWorkspaceBudget } from './settings-edit.ts';

const entry: ModelEntry = {
  provider: 'openai-chat',
  base_url: 'http://127.0.0.1:8080/v1',
  model: 'some-chat',
  api_key_env: 'SOME_KEY',
  price: { input: 1, output: 2.5 },
};

describe('[M1] changing heddle.yaml', () => {
  test('[M1] the file as it is made at first keeps all its words, and the block stands below', () => {
    const path = place();
    writeFirstSettings(path);
    const before = readFileSync(path, 'utf8');
    addModel(path, { name: 'chat', entry, defaultFor: ['mind'] });
    const after = readFileSync(path, 'utf8');
    expect(after.startsWith(before.trimEnd())).toBe(true);
    expect(after.slice(before.trimEnd().length)).toBe(
      '\n\nmodels:\n  chat: {provider: openai-chat, base_url: http://127.0.0.1:8080/v1, model: some-chat, api_key_env: SOME_KEY, price: {input: 1, output: 2.5}}\ndefaults:\n  mind: chat\n',
    );
    expect(readSettings(path, '')).toMatchObject({ models: { chat: entry }, defaults: { mind: 'chat' } });
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
    expect(readSettings(path, '').budgets).toEqual({ workspace: { tokens: 7 } });
    setWorkspaceBudget(path, {});
    expect(readFileSync(path, 'utf8')).not.toContain('budgets');
    setWorkspaceBudget(path, {});
    expect(readSettings(path, '').budgets).toEqual({});
  });

  test('[M1] a file that is not there is made for its owner alone; one that is keeps its permissions', () => {
    const path = place();
    setWorkspaceBudget(path, { money: 1 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o640);
    setWorkspaceBudget(path, { money: 2 });
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  test('[M1] a broken file, or a block that would break it, is refused and nothing is changed', () => {
    const broken = 'models: [\n';
    const path = place(broken);
    expect(() => addModel(path, { name: 'b', entry, defaultFor: [] })).toThrow(/line/);
    expect(readFileSync(path, 'utf8')).toBe(broken);
    const whole = place('person: {id: ada}\n');
    const bad = { ...entry, api_key_env: 'sk-1234567890abcdefgh' };
    expect(() => addModel(whole, { name: 'b', entry: bad, defaultFor: [] })).toThrow(/looks like a key itself/);
    expect(readFileSync(whole, 'utf8')).toBe('person: {id: ada}\n');
  });
});

function place(text?: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-edit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'heddle.yaml');
  if (text !== undefined) writeFileSync(path, text);
  return path;
}
