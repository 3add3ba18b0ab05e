import { randomBytes } from 'node:crypto';
import { StoreUnavailable } from '../../log/event-log.ts';
import { editFile } from '../file-edit.ts';
import { readTextFile } from '../line-file.ts';

const KEY_PATTERN = /^[\w-]{43}$/;

/** The key that this workspace's tokens are derived from; created on first use, for its owner only (L17). */
export function readTokenKey(path: string): string {
  if (readTextFile(path) === '')
    editFile(path, (text) => (text === '' ? `${randomBytes(32).toString('base64url')}\n` : undefined));
  const key = readTextFile(path).trim();
  if (KEY_PATTERN.test(key)) return key;
  throw new StoreUnavailable(
    `${path} is damaged, so no token can be derived. Remove it; tokens that were printed before stay valid.`,
  );
}
