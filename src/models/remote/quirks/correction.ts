import type { RemoteProvider } from '../options.ts';
import type { DroppableField, LimitName, Quirks } from './quirks.ts';
import type { RefusedField } from './refused-field.ts';

/**
 * How to change the next request. `isPermanent`: once the server accepts it, every request to this server and model
 * uses it.
 */
export interface Correction {
  readonly quirks: Quirks;
  readonly isPermanent: boolean;
}

const ALTERNATIVE_NAMES: Readonly<Record<string, LimitName>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** The change to make after a server refused one of the fields; undefined if nothing can be changed. */
export function correctionFor(
  refusedField: RefusedField,
  knownQuirks: Quirks,
  provider: RemoteProvider,
): Correction | undefined {
  const { field, isValue, maximum, isReliable } = refusedField;
  if (field === 'max_tokens') return correctLimit(refusedField, knownQuirks, provider);
  if (field === 'n') return { quirks: { most: { n: 1 } }, isPermanent: isReliable };
  if (field === 'logprobs' && maximum !== undefined)
    return { quirks: { most: { logprobs: maximum } }, isPermanent: isReliable };
  // If only the value was wrong, another value may work: only this call drops the field.
  return dropField(field, knownQuirks, isReliable && !isValue);
}

function correctLimit(
  { name, maximum, isValue, isReliable }: RefusedField,
  knownQuirks: Quirks,
  provider: RemoteProvider,
): Correction | undefined {
  if (maximum !== undefined) return { quirks: { most: { max_tokens: maximum } }, isPermanent: isReliable };
  // Anthropic always requires a limit, and has only one name for it.
  if (provider === 'anthropic') return undefined;
  const alternative = ALTERNATIVE_NAMES[name];
  const isPermanent = isReliable && !isValue;
  if (knownQuirks.limit === undefined && alternative) return { quirks: { limit: alternative }, isPermanent };
  return dropField('max_tokens', knownQuirks, isPermanent);
}

function dropField(field: DroppableField, knownQuirks: Quirks, isPermanent: boolean): Correction | undefined {
  return knownQuirks.without?.includes(field) ? undefined : { quirks: { without: [field] }, isPermanent };
}
