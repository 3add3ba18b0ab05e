import type { RemoteProvider } from './options.ts';
import type { Droppable, LimitName, Quirks } from './quirks.ts';
import type { RefusedField } from './refused-field.ts';

/** How the request is to be made next; `lasts`: every other request to this server and model as well. */
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
  const { field, isValue, most } = refused;
  if (field === 'max_tokens') return mendLimit(refused, known, provider);
  if (field === 'n') return { quirks: { most: { n: 1 } }, lasts: true };
  if (field === 'logprobs' && most !== undefined) return { quirks: { most: { logprobs: most } }, lasts: true };
  // Where only the value was wrong another one may be right: this call alone goes without.
  return without(field, known, !isValue);
}

function mendLimit({ name, most }: RefusedField, known: Quirks, provider: RemoteProvider): Mending | undefined {
  if (most !== undefined) return { quirks: { most: { max_tokens: most } }, lasts: true };
  // Anthropic always wants a limit, and has one name for it.
  if (provider === 'anthropic') return undefined;
  const other = OTHER_NAME[name];
  if (known.limit === undefined && other) return { quirks: { limit: other }, lasts: true };
  return without('max_tokens', known, true);
}

function without(field: Droppable, known: Quirks, lasts: boolean): Mending | undefined {
  return known.without?.includes(field) ? undefined : { quirks: { without: [field] }, lasts };
}
