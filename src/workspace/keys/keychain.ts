import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The system's keychain. Failures are reported as `false` or undefined. */
export interface Keychain {
  readonly name: string;
  read(account: string): string | undefined;
  write(account: string, secret: string): boolean;
  remove(account: string): void;
}

const SERVICE = 'heddle';
const TIMEOUT_MS = 10_000;

/** The keychain of macOS, or of a Linux desktop with `secret-tool`; undefined elsewhere. */
export function systemKeychain(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): Keychain | undefined {
  const run = (program: string, args: readonly string[], input = '') =>
    spawnSync(program, args, { env, input, encoding: 'utf8', timeout: TIMEOUT_MS, stdio: ['pipe', 'pipe', 'ignore'] });
  if (platform === 'darwin' && isInstalled('security', env)) {
    const accountArgs = (account: string) => ['-s', SERVICE, '-a', account];
    return {
      name: 'the macOS keychain',
      read: (account) => outputOf(run('security', ['find-generic-password', ...accountArgs(account), '-w'])),
      // Pass the secret by standard input: other users can see command arguments.
      write: (account, secret) =>
        run('security', ['-i'], `add-generic-password -U -s ${SERVICE} -a ${account} -w ${quote(secret)}\n`).status ===
        0,
      remove: (account) => void run('security', ['delete-generic-password', ...accountArgs(account)]),
    };
  }
  if (platform === 'linux' && isInstalled('secret-tool', env)) {
    const accountArgs = (account: string) => ['service', SERVICE, 'account', account];
    return {
      name: 'the system keyring',
      read: (account) => outputOf(run('secret-tool', ['lookup', ...accountArgs(account)])),
      write: (account, secret) =>
        run('secret-tool', ['store', `--label=Heddle: ${account}`, ...accountArgs(account)], secret).status === 0,
      remove: (account) => void run('secret-tool', ['clear', ...accountArgs(account)]),
    };
  }
  return undefined;
}

function outputOf({ status, stdout }: { readonly status: number | null; readonly stdout: string }): string | undefined {
  const text = status === 0 ? stdout.trim() : '';
  return text === '' ? undefined : text;
}

function quote(secret: string): string {
  return `"${secret.replaceAll(/["\\]/g, '\\$&')}"`;
}

function isInstalled(program: string, { PATH = '' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
