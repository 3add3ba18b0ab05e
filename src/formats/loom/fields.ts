import type { JsonValue } from './json.ts';

/* Readers for fields of objects from a file. Absent, null and wrongly typed fields all count as missing. */

export type JsonFields = { [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads only own properties, never inherited ones. */
export function getField(object: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function getObject(value: JsonValue | undefined, key: string): JsonFields | undefined {
  const field = getField(value, key);
  return isObject(field) ? field : undefined;
}

export function getList(value: JsonValue | undefined, key: string): readonly JsonValue[] | undefined {
  const field = getField(value, key);
  return Array.isArray(field) ? field : undefined;
}

/** Reads text, or a number in place of text, as is common for ids. */
export function getText(value: JsonValue | undefined, key: string): string | undefined {
  return asText(getField(value, key));
}

export function asText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

export function getTrimmed(value: JsonValue | undefined, key: string): string | undefined {
  return getText(value, key)?.trim() || undefined;
}

export function getNumber(value: JsonValue | undefined, key: string): number | undefined {
  const field = getField(value, key);
  if (typeof field === 'number') return field;
  if (typeof field !== 'string' || field.trim() === '') return undefined;
  const parsed = Number(field);
  return Number.isFinite(parsed) ? parsed : undefined;
}

/** Reads true, or another value that programs write for true. */
export function getFlag(value: JsonValue | undefined, key: string): boolean {
  const field = getField(value, key);
  return field === true || field === 1 || field === 'true';
}
