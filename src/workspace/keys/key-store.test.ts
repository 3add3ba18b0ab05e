import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRefusal } from '../../core/refusal.ts';
import { openKeyStore } from './key-store.ts';
import { setModelKey } from './model-key.ts';

const KEY = 'sk-test-0123456789abcdef';

function place(path = '') {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-keys-'));
  return {
    directory,
    env: { HEDDLE_CONFIG: join(directory, 'heddle.yaml'), PATH: path || directory, HOME: directory },
  };
}

test('[M14] without a keychain a typed key is kept in a file that only its owner can read', () => {
  const { directory, env } = place();
  writeFileSync(join(directory, 'keys.json'), '{}', { mode: 0o644 });
  expect(openKeyStore(env, 'linux').write('CHAT_KEY', KEY)).toEqual({ where: join(directory, 'keys.json') });
  expect(statSync(join(directory, 'keys.json')).mode & 0o777).toBe(0o600);
  expect(openKeyStore(env, 'linux').read('CHAT_KEY')).toBe(KEY);
});

test('[M14] a key that another process stores or takes away is found at the next look', () => {
  const { env } = place();
  const running = openKeyStore(env, 'linux');
  expect(running.read('CHAT_KEY')).toBeUndefined();
  openKeyStore(env, 'linux').write('CHAT_KEY', KEY);
  expect(running.read('CHAT_KEY')).toBe(KEY);
  openKeyStore(env, 'linux').remove('CHAT_KEY');
  expect(running.read('CHAT_KEY')).toBeUndefined();
});

test.each([
  ['linux', 'secret-tool', 'store', 'lookup'],
  ['darwin', 'security', '-i', 'find-generic-password'],
] as const)('[M14] on %s a typed key is kept in the keychain, and in no file', (platform, program, store, lookup) => {
  const { directory } = place();
  const { env } = place(`${directory}:/usr/bin:/bin`);
  const kept = join(directory, 'kept');
  writeFileSync(
    join(directory, program),
    `#!/bin/sh\ncase "$1" in\n${store}) cat > ${kept};;\n${lookup}) sed 's/.* -w "\\(.*\\)"/\\1/' ${kept};;\nesac\n`,
  );
  chmodSync(join(directory, program), 0o755);
  const said = openKeyStore(env, platform).write('CHAT_KEY', KEY);
  expect(said).toEqual({ where: expect.stringMatching(/key(chain|ring)$/) });
  expect(readFileSync(kept, 'utf8')).toContain(KEY);
  expect(readFileSync(join(env.HOME, 'keys.json'), 'utf8')).not.toContain(KEY);
  expect(openKeyStore(env, platform).read('CHAT_KEY')).toBe(KEY);
});

test('[M14] a keychain that does not work is no hindrance: the file has the key', () => {
  const { directory } = place();
  writeFileSync(join(directory, 'secret-tool'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const { env } = place(`${directory}:/usr/bin:/bin`);
  openKeyStore(env, 'linux').write('CHAT_KEY', KEY);
  expect(openKeyStore(env, 'linux').read('CHAT_KEY')).toBe(KEY);
});

test('[M14] heddle.yaml has the name of a typed key and never the key', () => {
  const { directory, env } = place();
  const file = join(directory, 'workspace.yaml');
  writeFileSync(file, 'models:\n  my-chat: {provider: openai-chat, model: m}\n');
  const keys = openKeyStore(env, 'linux');
  expect(setModelKey(file, 'my-chat', KEY, keys)).toMatchObject({ name: 'HEDDLE_KEY_MY_CHAT' });
  expect(readFileSync(file, 'utf8')).toBe(
    'models:\n  my-chat: {provider: openai-chat, model: m, api_key_env: HEDDLE_KEY_MY_CHAT}\n',
  );
  expect(keys.read('HEDDLE_KEY_MY_CHAT')).toBe(KEY);
  const wrong = [setModelKey(file, 'my-chat', 'two words', keys), setModelKey(file, 'small', KEY, keys)];
  expect(wrong.every(isRefusal)).toBe(true);
});

test('[M14] a key that is refused leaves heddle.yaml as it was', () => {
  const { directory, env } = place();
  const file = join(directory, 'workspace.yaml');
  const text = 'models:\n  my-chat: {provider: openai-chat, model: m}\n';
  writeFileSync(file, text);
  const keys = openKeyStore(env, 'linux');
  for (const key of ['has space', 'a'.repeat(5000)]) {
    expect(setModelKey(file, 'my-chat', key, keys)).toMatchObject({ refusal: { code: 'malformed' } });
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
});
