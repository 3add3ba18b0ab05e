import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The system's own place for secrets. What does not work there is told by `false` or undefined. */
export interface Keychain {
  readonly name: string;
  read(account: string): string | undefined;
  write(account: string, secret: string): boolean;
  remove(account: string): void;
}

const SERVICE = 'heddle';
const WAIT_MS = 10_000;

/** macOS has one, and so has a Linux desktop with `secret-tool`; undefined where there is none. */
export function systemKeychain(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): Keychain | undefined {
  const run = (program: string, words: readonly string[], input = '') =>
    spawnSync(program, words, { env, input, encoding: 'utf8', timeout: WAIT_MS, stdio: ['pipe', 'pipe', 'ignore'] });
  if (platform === 'darwin' && isThere('security', env)) {
    const of = (account: string) => ['-s', SERVICE, '-a', account];
    return {
      name: 'the macOS keychain',
      read: (account) => said(run('security', ['find-generic-password', ...of(account), '-w'])),
      // By its own input: the words of a command can be seen by others.
      write: (account, secret) =>
        run('security', ['-i'], `add-generic-password -U -s ${SERVICE} -a ${account} -w ${quoted(secret)}\n`).status ===
        0,
      remove: (account) => void run('security', ['delete-generic-password', ...of(account)]),
    };
  }
  if (platform === 'linux' && isThere('secret-tool', env)) {
    const of = (account: string) => ['service', SERVICE, 'account', account];
    return {
      name: 'the system keyring',
      read: (account) => said(run('secret-tool', ['lookup', ...of(account)])),
      write: (account, secret) =>
        run('secret-tool', ['store', `--label=Heddle: ${account}`, ...of(account)], secret).status === 0,
      remove: (account) => void run('secret-tool', ['clear', ...of(account)]),
    };
  }
  return undefined;
}

function said({ status, stdout }: { readonly status: number | null; readonly stdout: string }): string | undefined {
  const text = status === 0 ? stdout.trim() : '';
  return text === '' ? undefined : text;
}

function quoted(secret: string): string {
  return `"${secret.replaceAll(/["\\]/g, '\\$&')}"`;
}

function isThere(program: string, { PATH = '' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(delimiter).some((place) => {
    try {
      accessSync(join(place, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
