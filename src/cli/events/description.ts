import { titleText } from '../../core/threads/title.ts';
import { oneLine } from '../output/text.ts';

/** How an event is told: as something said, or as a note of what happened. */
export type Described =
  | { readonly kind: 'said'; readonly label: string; readonly text: string }
  | { readonly kind: 'note'; readonly text: string };

// biome-ignore lint/suspicious/noExplicitAny: an event of a newer version may hold anything, so nothing is relied on
export type Loose = any;

/** For each type of event, how it is told of whoever it is from. */
export type Tellers = Readonly<Record<string, (content: Loose, from: string) => Described>>;

export function said(label: string, content: Loose): Described {
  return { kind: 'said', label, text: typeof content === 'string' ? content : JSON.stringify(content) };
}

export function note(text: string): Described {
  return { kind: 'note', text: oneLine(text) };
}

export function quoted(text: Loose): string {
  return `“${oneLine(titleText(text))}”`;
}

export function list(ids: Loose): string {
  return Array.isArray(ids) ? ids.join(', ') : String(ids);
}

/** What came behind it, where something did: a reason, a problem. */
export function because(reason: Loose): string {
  return reason === undefined || reason === '' ? '' : `: ${reason}`;
}

/** Of a run whose model cannot answer now. */
export function waits({ run, audit, until, why }: Loose): Described {
  const who = audit === undefined ? `run ${run}` : `audit ${audit}`;
  return note(`${who} waits for its model${untilWords(until)}${because(why)}`);
}

export function untilWords(until: unknown): string {
  return typeof until === 'string' ? ` until ${until.slice(11, 19)} UTC` : '';
}

export function pairs(value: Loose): string {
  const given = Object.entries(value ?? {}).map(([name, part]) => `${name} ${wordsOf(part)}`);
  return given.length > 0 ? ` (${given.join(', ')})` : '';
}

function wordsOf(part: Loose): string {
  if (part === null) return 'none';
  if (Array.isArray(part)) return part.map(wordsOf).join(', ');
  return typeof part === 'object' ? pairs(part).trim() || 'none' : String(part);
}
