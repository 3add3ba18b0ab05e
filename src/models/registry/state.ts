import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { getOwn } from '../../core/util/get-own.ts';
import { notPulledMessage, seemsPulled } from '../builtin/larger/ready.ts';
import { cacheDirectory, seemsPresent } from '../builtin/weights/cache.ts';
import { STORIES } from '../builtin/weights/pinned.ts';
import type { Model } from '../model.ts';
import type { QuirkBook } from '../remote/quirks/quirks.ts';
import type { ResilientModel } from '../resilience/resilient-model.ts';
import type { ModelEntry } from './schema.ts';

/**
 * Whether a model can be used now, determined without loading it or contacting a server. A resting model kept
 * failing.
 */
export interface ModelState {
  readonly code: 'ready' | 'key_missing' | 'weights_missing' | 'not_pulled' | 'file_missing' | 'resting';
  /** The problem and what to do about it; empty if the model is ready. */
  readonly sentence: string;
}

export interface ModelEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** The base directory for paths in settings. */
  readonly directory: string;
  /** Returns a key that a person typed in, by the name used in the settings. */
  readonly storedKey?: (name: string) => string | undefined;
  /** The known quirks of a model's server. */
  readonly quirks?: QuirkBook;
}

const READY: ModelState = { code: 'ready', sentence: '' };

/** Looked up at every use: an environment variable takes precedence over a stored key. */
export function apiKeyFor(entry: ModelEntry, { env, storedKey }: ModelEnvironment): string | undefined {
  const keyName = 'api_key_env' in entry ? entry.api_key_env : undefined;
  return keyName === undefined ? undefined : getOwn(env, keyName) || storedKey?.(keyName);
}

export function stateOf(name: string, entry: ModelEntry, environment: ModelEnvironment): ModelState {
  const { env, directory } = environment;
  switch (entry.provider) {
    case 'embedded':
      if (seemsPresent(cacheDirectory(env), STORIES)) return READY;
      return {
        code: 'weights_missing',
        sentence: 'Its weights are not on this machine: run "npm run weights" in Heddle’s folder.',
      };
    case 'local':
      if (seemsPulled(entry.model, cacheDirectory(env))) return READY;
      return { code: 'not_pulled', sentence: notPulledMessage(entry.model) };
    case 'scripted':
      if (existsSync(resolve(directory, entry.path))) return READY;
      return { code: 'file_missing', sentence: `There is no file ${entry.path}.` };
    default:
      if (entry.api_key_env === undefined || apiKeyFor(entry, environment)) return READY;
      return {
        code: 'key_missing',
        sentence: `Its key is missing. Type it in: \`heddle models key ${name}\`, or set the environment variable ${entry.api_key_env} before you start Heddle.`,
      };
  }
}

/** The state of a model that has been used: after repeated failures it rests for a while. */
export function healthOf(model: Model | ResilientModel): ModelState | undefined {
  const health = 'health' in model ? model.health() : undefined;
  if (health?.state !== 'open') return undefined;
  return {
    code: 'resting',
    sentence: `It kept failing; Heddle will try it again in a moment. ${health.last ?? ''}`.trim(),
  };
}
