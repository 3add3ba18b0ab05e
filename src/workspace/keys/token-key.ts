import { randomBytes } from 'node:crypto';
import { StoreUnavailable } from '../../log/event-log.ts';
import { editFile } from '../file-edit.ts';
import { textOf } from '../settings/yaml-file.ts';

const KEY = /^[\w-]{43}$/;

/** The key that tokens of this workspace directory are derived from; made at first use, for its owner alone (L17). */
export function tokenKeyIn(path: string): string {
  if (textOf(path) === '')
    editFile(path, (text) => (text === '' ? `${randomBytes(32).toString('base64url')}\n` : undefined));
  const key = textOf(path).trim();
  if (KEY.test(key)) return key;
  throw new StoreUnavailable(
    `${path} is damaged, so no token can be derived. Remove it; tokens that were printed before stay valid.`,
  );
}
