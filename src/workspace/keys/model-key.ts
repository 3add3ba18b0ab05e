import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { looksLikeKey } from '../../models/registry/schema.ts';
import { unknownModel } from '../../models/registry/unknown-model.ts';
import { changeModel } from '../settings/edit.ts';
import { readSettings } from '../settings/settings.ts';
import { type KeyStore, openKeyStore } from './key-store.ts';

export interface StoredModelKey {
  /** The key's name in the settings. */
  readonly name: string;
  /** Where the key is stored, in words; absent if the key was removed. */
  readonly where?: string;
}

/** Whether a text is the name of a key, not the key itself. */
export function isKeyName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !looksLikeKey(text);
}

/** Stores a model's key outside the workspace; heddle.yaml holds only its name. An empty key removes it. */
export function setModelKey(
  path: string,
  model: string,
  key: string,
  keys: KeyStore = openKeyStore(),
): StoredModelKey | Refusal {
  const { models } = readSettings(path);
  const entry = getOwn(models, model);
  if (!entry) return unknownModel(model, Object.keys(models));
  if (entry.provider === 'embedded' || entry.provider === 'local' || entry.provider === 'scripted')
    return refuse('malformed', `"${model}" needs no key.`);
  const name = entry.api_key_env ?? `HEDDLE_KEY_${model.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
  if (key === '') {
    keys.remove(name);
    return { name };
  }
  // Store the key first: a name without a key would break a model that needs none.
  const previousKey = keys.read(name);
  const stored = keys.write(name, key);
  if (isRefusal(stored)) return stored;
  const refusal = entry.api_key_env === undefined ? changeModel(path, model, { api_key_env: name }) : undefined;
  if (!refusal) return { name, ...stored };
  if (previousKey === undefined) keys.remove(name);
  else keys.write(name, previousKey);
  return refusal;
}
