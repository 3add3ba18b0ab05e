import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { unusablePathError } from '../directory.ts';
import { editFile } from '../file-edit.ts';
import { personalSettingsPath } from '../settings/personal-path.ts';
import { type Keychain, systemKeychain } from './keychain.ts';

/**
 * Stores typed-in keys by the name that settings use (M14): in the system's keychain if there is one, else in a file
 * readable only by its owner, next to the user's own settings and outside every workspace.
 */
export interface KeyStore {
  read(name: string): string | undefined;
  /** Returns where the key is stored. */
  write(name: string, key: string): { readonly where: string } | Refusal;
  remove(name: string): void;
}

interface StoredKey {
  readonly key?: string;
  readonly keychain?: true;
}

type KeyBook = Readonly<Record<string, StoredKey>>;

const MAX_KEY_CHARS = 4096;

/** The file for keys if there is no keychain. */
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

  /** Rereads the file after a change, so that a key stored by another process is found. */
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
        return refuse('malformed', 'A key has 1 to 4096 characters and no spaces. Nothing was stored.');
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
