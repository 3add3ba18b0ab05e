import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { own } from '../../core/util/get-own.ts';
import { looksLikeKey } from '../../models/registry/schema.ts';
import { unknownModel } from '../../models/registry/unknown-model.ts';
import { changeModel } from '../settings/edit.ts';
import { readSettings } from '../settings/settings.ts';
import { type KeyStore, openKeys } from './key-store.ts';

export interface KeyKept {
  /** What settings call it. */
  readonly name: string;
  /** In words; absent where the key was taken away. */
  readonly where?: string;
}

/** The name of a key, and not the key itself. */
export function isKeyName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !looksLikeKey(text);
}

/** Stores the key of a model apart from the workspace; heddle.yaml has its name alone. An empty one is taken away. */
export function setModelKey(path: string, model: string, key: string, keys: KeyStore = openKeys()): KeyKept | Refusal {
  const { models } = readSettings(path);
  const entry = own(models, model);
  if (!entry) return unknownModel(model, Object.keys(models));
  if (entry.provider === 'embedded' || entry.provider === 'local' || entry.provider === 'scripted')
    return refuse('malformed', `"${model}" needs no key.`);
  const name = entry.api_key_env ?? `HEDDLE_KEY_${model.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
  if (key === '') {
    keys.remove(name);
    return { name };
  }
  // Stored first: a name without its key would break a model that needs none.
  const before = keys.read(name);
  const kept = keys.write(name, key);
  if (isRefusal(kept)) return kept;
  const refused = entry.api_key_env === undefined ? changeModel(path, model, { api_key_env: name }) : undefined;
  if (!refused) return { name, ...kept };
  if (before === undefined) keys.remove(name);
  else keys.write(name, before);
  return refused;
}
