import type { Refusal } from '../../core/refusal.ts';
import { openKeys } from '../../workspace/keys/key-store.ts';
import type { NewModel } from '../../workspace/settings/edit.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { asStarted } from '../output/hints.ts';
import type { Output } from '../output/output.ts';
import { oneLine } from '../output/text.ts';

/** A model in words of the command line. An empty one takes a field out. */
export interface ModelOptions {
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly keyEnv?: string;
  readonly context?: string;
  readonly price?: string;
  readonly path?: string;
  readonly extra?: string;
}

type Uses = NewModel['defaultFor'];
const USES: readonly string[] = ['mind', 'auditor', 'loom'] satisfies Uses;

/** The fields that were said, as heddle.yaml has them; of those that are empty, null where they are wanted. */
export function fieldsOf(options: ModelOptions, empty?: null): Record<string, unknown> {
  const { provider, baseUrl, model, keyEnv, context, price, path, extra } = options;
  const said = {
    provider,
    base_url: baseUrl,
    model,
    api_key_env: keyEnv,
    context: context && number('--context', context),
    price: price && priceOf(price),
    path,
    extra: extra && extraIn(extra),
  };
  const fields = Object.entries(said).map(([field, value]) => [field, value === '' ? empty : value] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Further fields of a request, as JSON. */
export function extraIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw usage(`"--extra ${oneLine(text)}" should be a JSON object, such as '{"min_p": 0.1}'.`);
}

export function usesIn(text: string): Uses {
  const uses = text
    .split(',')
    .map((use) => use.trim())
    .filter(Boolean);
  const strange = uses.find((use) => !USES.includes(use));
  if (strange !== undefined) throw usage(`"--for ${oneLine(strange)}" should be mind, auditor or loom.`);
  return uses as unknown as Uses;
}

export function orFail<Done>(done: Done | Refusal): Done {
  if (typeof done !== 'object' || done === null || !('refusal' in done)) return done as Done;
  const { code, message } = done.refusal;
  throw code === 'malformed' ? usage(oneLine(message)) : new Failure(code, oneLine(message), EXIT.refused);
}

/** Where its key is looked for, if it is not there yet. */
export function sayOfKey(out: Output, name: string, fields: object): void {
  const key = 'api_key_env' in fields ? fields.api_key_env : undefined;
  if (typeof key === 'string' && !process.env[key] && openKeys().read(key) === undefined)
    out.line(
      asStarted(`Its key is ${key}: set that variable where Heddle is started, or run "heddle models key ${name}".`),
    );
}

function priceOf(text: string): { input: number; output: number } {
  const [input = '', output = '', ...rest] = text.split(',');
  if (rest.length > 0 || output === '') throw usage(`"--price ${oneLine(text)}" should be two numbers, such as 3,15.`);
  return { input: number('--price', input), output: number('--price', output) };
}

function number(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw usage(`"${option} ${oneLine(text)}" is not a number.`);
  return value;
}
