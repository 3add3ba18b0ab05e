import { getOwn } from '../../core/util/get-own.ts';
import { usageError } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { readTextFile } from './text.ts';

export interface PairOptions {
  /** How the user can find the valid keys. */
  readonly keys: string;
  /** Keys whose values stay text even if they look like numbers; @FILE reads the text from a file. */
  readonly texts: readonly string[];
  /** Keys whose values are on or off. */
  readonly switches?: readonly string[];
  /** The current settings: `budget.money=1` keeps the rest of the budget. */
  readonly before: object;
}

/** Parses settings from a command line: key=value, with "none" for no value. */
export function parsePairs(pairs: readonly string[], options: PairOptions): Record<string, unknown> {
  const { keys, before } = options;
  const values = new Map<string, unknown>();
  for (const pair of pairs) {
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (key === '') throw usageError(`"${pair}" should be key=value. "${keys}" shows the keys.`);
    const [, whole, part] = /^([^.]+)\.(.+)$/.exec(key) ?? [];
    if (whole === undefined || part === undefined) values.set(key, parseValue(key, value, options));
    else {
      const currentValue = values.get(whole) ?? getOwn(before as Readonly<Record<string, unknown>>, whole);
      values.set(whole, withPart(objectOf(currentValue), part, parseValue(key, value, options)));
    }
  }
  return Object.fromEntries(values);
}

/** A value that is not valid JSON stays a string. The core validates it. */
function parseValue(key: string, text: string, { texts, switches = [] }: PairOptions): unknown {
  if (switches.includes(key) && (text === 'on' || text === 'off')) return text === 'on';
  if (text === 'none' || text === 'null' || text === 'off') return key === 'budget' ? {} : null;
  if (texts.includes(key)) return text.startsWith('@') ? readTextFile(text.slice(1)) : text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function withPart(whole: object, part: string, value: unknown): object {
  const rest = Object.entries(whole).filter(([key]) => key !== part);
  return Object.fromEntries(value === null ? rest : [...rest, [part, value]]);
}

/** A setting for people, on one line. */
export function formatSetting(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return oneLine(value);
  if (Array.isArray(value)) return value.map(formatSetting).join('; ');
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value as object);
  return parts.length === 0 ? 'none' : parts.map(([key, part]) => `${formatSetting(part)} ${key}`).join(', ');
}
