import type { Refusal } from '../../core/refusal.ts';
import { openKeyStore } from '../../workspace/keys/key-store.ts';
import type { NewModel } from '../../workspace/settings/edit.ts';
import { EXIT, Failure, usageError } from '../failure.ts';
import { parseDecimal } from '../input/numbers.ts';
import { withCommandPrefix } from '../output/hints.ts';
import { oneLine } from '../output/text.ts';

/** Model fields as command-line options. An empty value removes the field. */
export interface ModelOptions {
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly keyEnv?: string;
  readonly context?: string;
  readonly price?: string;
  readonly path?: string;
  readonly extra?: string;
  readonly images?: string;
}

type ModelUses = NewModel['defaultFor'];
const MODEL_USES: readonly string[] = ['mind', 'auditor', 'loom'] satisfies ModelUses;

/** The given fields under their heddle.yaml names. Empty ones become `emptyValue`, or are left out without it. */
export function modelFieldsOf(options: ModelOptions, emptyValue?: null): Record<string, unknown> {
  const { provider, baseUrl, model, keyEnv, context, price, path, extra, images } = options;
  const values = {
    provider,
    base_url: baseUrl,
    model,
    api_key_env: keyEnv,
    context: context && parseDecimal(context, '--context'),
    price: price && parsePrice(price),
    path,
    extra: extra && parseExtra(extra),
    images: images && parseYesNo(images, '--images'),
  };
  const fields = Object.entries(values).map(([field, value]) => [field, value === '' ? emptyValue : value] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function parseYesNo(text: string, option: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw usageError(`"${option} ${oneLine(text)}" should be yes or no.`);
}

/** Parses extra request fields from JSON. */
export function parseExtra(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw usageError(`"--extra ${oneLine(text)}" should be a JSON object, such as '{"min_p": 0.1}'.`);
}

export function parseUses(text: string): ModelUses {
  const uses = text
    .split(',')
    .map((use) => use.trim())
    .filter(Boolean);
  const unknownUse = uses.find((use) => !MODEL_USES.includes(use));
  if (unknownUse !== undefined) throw usageError(`"--for ${oneLine(unknownUse)}" should be mind, auditor or loom.`);
  return uses as unknown as ModelUses;
}

export function unwrapOrFail<Value>(outcome: Value | Refusal): Value {
  if (typeof outcome !== 'object' || outcome === null || !('refusal' in outcome)) return outcome as Value;
  const { code, message } = outcome.refusal;
  throw code === 'malformed' ? usageError(oneLine(message)) : new Failure(code, oneLine(message), EXIT.refused);
}

/** Tells the user where to set the model's key if it is missing. */
export function missingKeyLines(name: string, fields: object): readonly string[] {
  const key = 'api_key_env' in fields ? fields.api_key_env : undefined;
  if (typeof key !== 'string' || process.env[key] || openKeyStore().read(key) !== undefined) return [];
  const hint = `Its key is ${key}: set that variable before you start Heddle, or run "heddle models key ${name}".`;
  return [withCommandPrefix(hint)];
}

function parsePrice(text: string): { input: number; output: number } {
  const [input = '', output = '', ...rest] = text.split(',');
  if (rest.length > 0 || output === '')
    throw usageError(`"--price ${oneLine(text)}" should be two numbers, such as 3,15.`);
  return { input: parseDecimal(input, '--price'), output: parseDecimal(output, '--price') };
}
