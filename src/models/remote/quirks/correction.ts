import type { RemoteProvider } from '../options.ts';
import type { DroppableField, LimitName, Quirks } from './quirks.ts';
import type { RefusedField } from './refused-field.ts';

/** How the request is to be made next; `isPermanent`: once it was taken, every other to this server and model as well. */
export interface Correction {
  readonly quirks: Quirks;
  readonly isPermanent: boolean;
}

const ALTERNATIVE_NAMES: Readonly<Record<string, LimitName>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** What to change in a request that was refused for one of its fields; undefined when nothing can be changed. */
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
  // Where only the value was wrong another one may be right: this call alone goes without.
  return dropField(field, knownQuirks, isReliable && !isValue);
}

function correctLimit(
  { name, maximum, isValue, isReliable }: RefusedField,
  knownQuirks: Quirks,
  provider: RemoteProvider,
): Correction | undefined {
  if (maximum !== undefined) return { quirks: { most: { max_tokens: maximum } }, isPermanent: isReliable };
  // Anthropic always wants a limit, and has one name for it.
  if (provider === 'anthropic') return undefined;
  const alternative = ALTERNATIVE_NAMES[name];
  const isPermanent = isReliable && !isValue;
  if (knownQuirks.limit === undefined && alternative) return { quirks: { limit: alternative }, isPermanent };
  return dropField('max_tokens', knownQuirks, isPermanent);
}

function dropField(field: DroppableField, knownQuirks: Quirks, isPermanent: boolean): Correction | undefined {
  return knownQuirks.without?.includes(field) ? undefined : { quirks: { without: [field] }, isPermanent };
}
