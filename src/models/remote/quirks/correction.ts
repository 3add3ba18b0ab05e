import type { RemoteProvider } from '../options.ts';
import type { Droppable, LimitName, Quirks } from './quirks.ts';
import type { RefusedField } from './refused-field.ts';

/** How the request is to be made next; `lasts`: once it was taken, every other to this server and model as well. */
export interface Mending {
  readonly quirks: Quirks;
  readonly lasts: boolean;
}

const OTHER_NAME: Readonly<Record<string, LimitName>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** What to change in a request that was refused for one of its fields; undefined when nothing can be changed. */
export function mendingOf(refused: RefusedField, known: Quirks, provider: RemoteProvider): Mending | undefined {
  const { field, isValue, most, teaches } = refused;
  if (field === 'max_tokens') return mendLimit(refused, known, provider);
  if (field === 'n') return { quirks: { most: { n: 1 } }, lasts: teaches };
  if (field === 'logprobs' && most !== undefined) return { quirks: { most: { logprobs: most } }, lasts: teaches };
  // Where only the value was wrong another one may be right: this call alone goes without.
  return without(field, known, teaches && !isValue);
}

function mendLimit(
  { name, most, isValue, teaches }: RefusedField,
  known: Quirks,
  provider: RemoteProvider,
): Mending | undefined {
  if (most !== undefined) return { quirks: { most: { max_tokens: most } }, lasts: teaches };
  // Anthropic always wants a limit, and has one name for it.
  if (provider === 'anthropic') return undefined;
  const other = OTHER_NAME[name];
  const lasts = teaches && !isValue;
  if (known.limit === undefined && other) return { quirks: { limit: other }, lasts };
  return without('max_tokens', known, lasts);
}

function without(field: Droppable, known: Quirks, lasts: boolean): Mending | undefined {
  return known.without?.includes(field) ? undefined : { quirks: { without: [field] }, lasts };
}
