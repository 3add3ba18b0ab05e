import type { Value } from './json.ts';

/* Fields of objects from a file: absent, null or of another type is the same as not there. */

export type Fields = { [key: string]: Value };

export function isObject(value: Value | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Only what the file says: never what every object inherits. */
export function own(object: Value | undefined, key: string): Value | undefined {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function object(value: Value | undefined, key: string): Fields | undefined {
  const found = own(value, key);
  return isObject(found) ? found : undefined;
}

export function list(value: Value | undefined, key: string): readonly Value[] | undefined {
  const found = own(value, key);
  return Array.isArray(found) ? found : undefined;
}

/** Text, or a number written where text should be: ids often are. */
export function text(value: Value | undefined, key: string): string | undefined {
  return asText(own(value, key));
}

export function asText(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

export function words(value: Value | undefined, key: string): string | undefined {
  return text(value, key)?.trim() || undefined;
}

export function number(value: Value | undefined, key: string): number | undefined {
  const found = own(value, key);
  if (typeof found === 'number') return found;
  if (typeof found !== 'string' || found.trim() === '') return undefined;
  const parsed = Number(found);
  return Number.isFinite(parsed) ? parsed : undefined;
}

/** True, or what programs write for it. */
export function flag(value: Value | undefined, key: string): boolean {
  const found = own(value, key);
  return found === true || found === 1 || found === 'true';
}
