import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { unusablePathError } from '../directory.ts';
import { editFile } from '../file-edit.ts';
import { personalSettingsPath } from '../settings/settings.ts';
import { type Keychain, systemKeychain } from './keychain.ts';

/**
 * Keys that were typed in, by the name that settings give them (M14): in the system's keychain where there is one, else in
 * a file for its owner alone, beside the person's own settings and apart from every workspace.
 */
export interface KeyStore {
  read(name: string): string | undefined;
  /** Says where it is kept. */
  write(name: string, key: string): { readonly where: string } | Refusal;
  remove(name: string): void;
}

interface StoredKey {
  readonly key?: string;
  readonly keychain?: true;
}

type KeyBook = Readonly<Record<string, StoredKey>>;

const MAX_KEY_CHARS = 4096;

/** Where keys lie that no keychain takes. */
export function keysPathBeside(settings: string): string {
  return join(dirname(settings), 'keys.json');
}

export function openKeyStore(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): KeyStore {
  const path = keysPathBeside(personalSettingsPath(env, platform));
  let cache:
    | { readonly stamp: string; readonly book: KeyBook; readonly found: Map<string, string | undefined> }
    | undefined;
  let keychain: Keychain | undefined | null = null;
  const getKeychain = () => {
    if (keychain === null) keychain = systemKeychain(env, platform);
    return keychain;
  };

  /** Read again when it has changed: a key that another process stored is found. */
  function readCurrent() {
    const stamp = stampOf(path);
    if (cache?.stamp !== stamp) cache = { stamp, book: readBook(path), found: new Map() };
    return cache;
  }

  function saveKey(name: string, storedKey: StoredKey | undefined): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    editFile(path, (text) => {
      const { [name]: _, ...others } = parseBook(text);
      return `${JSON.stringify(storedKey ? { ...others, [name]: storedKey } : others, null, 2)}\n`;
    });
    chmodSync(path, 0o600);
    cache = undefined;
  }

  return {
    read(name) {
      const { book, found: cachedKeys } = readCurrent();
      const storedKey = getOwn(book, name);
      if (!storedKey?.keychain) return storedKey?.key;
      if (!cachedKeys.has(name)) cachedKeys.set(name, getKeychain()?.read(name));
      return cachedKeys.get(name);
    },
    write(name, key) {
      if (key === '' || key.length > MAX_KEY_CHARS || /[\s\p{Cc}]/u.test(key))
        return refuse('malformed', 'A key is one word of 1 to 4096 characters. Nothing was stored.');
      try {
        const isInKeychain = getKeychain()?.write(name, key) && getKeychain()?.read(name) === key;
        saveKey(name, isInKeychain ? { keychain: true } : { key });
        return { where: isInKeychain ? (getKeychain()?.name as string) : path };
      } catch (error) {
        throw unusablePathError(path, error);
      }
    },
    remove(name) {
      if (getOwn(readCurrent().book, name)?.keychain) getKeychain()?.remove(name);
      saveKey(name, undefined);
    },
  };
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : '';
}

function readBook(path: string): KeyBook {
  try {
    return parseBook(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

function parseBook(text: string): KeyBook {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as KeyBook) : {};
}
