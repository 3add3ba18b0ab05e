import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { own } from '../../core/util/get-own.ts';
import { unusable } from '../directory.ts';
import { editFile } from '../file-edit.ts';
import { personalSettings } from '../settings/settings.ts';
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

interface Kept {
  readonly key?: string;
  readonly keychain?: true;
}

type Book = Readonly<Record<string, Kept>>;

const LONGEST_KEY = 4096;

/** Where keys lie that no keychain takes. */
export function keysBeside(settings: string): string {
  return join(dirname(settings), 'keys.json');
}

export function openKeys(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): KeyStore {
  const path = keysBeside(personalSettings(env, platform));
  let read:
    | { readonly stamp: string; readonly book: Book; readonly found: Map<string, string | undefined> }
    | undefined;
  let keychain: Keychain | undefined | null = null;
  const chain = () => {
    if (keychain === null) keychain = systemKeychain(env, platform);
    return keychain;
  };

  /** Read again when it has changed: a key that another process stored is found. */
  function current() {
    const stamp = stampOf(path);
    if (read?.stamp !== stamp) read = { stamp, book: bookIn(path), found: new Map() };
    return read;
  }

  function put(name: string, kept: Kept | undefined): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    editFile(path, (text) => {
      const { [name]: _, ...others } = parse(text);
      return `${JSON.stringify(kept ? { ...others, [name]: kept } : others, null, 2)}\n`;
    });
    chmodSync(path, 0o600);
    read = undefined;
  }

  return {
    read(name) {
      const { book, found } = current();
      const kept = own(book, name);
      if (!kept?.keychain) return kept?.key;
      if (!found.has(name)) found.set(name, chain()?.read(name));
      return found.get(name);
    },
    write(name, key) {
      if (key === '' || key.length > LONGEST_KEY || /[\s\p{Cc}]/u.test(key))
        return refuse('malformed', 'A key is one word of 1 to 4096 characters. Nothing was stored.');
      try {
        const isInChain = chain()?.write(name, key) && chain()?.read(name) === key;
        put(name, isInChain ? { keychain: true } : { key });
        return { where: isInChain ? (chain()?.name as string) : path };
      } catch (error) {
        throw unusable(path, error);
      }
    },
    remove(name) {
      if (own(current().book, name)?.keychain) chain()?.remove(name);
      put(name, undefined);
    },
  };
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
}

function bookIn(path: string): Book {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

function parse(text: string): Book {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Book) : {};
}
