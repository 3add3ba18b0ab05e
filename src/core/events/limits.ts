import { type Refusal, refuse } from '../refusal.ts';
import { canonical } from './canonical.ts';
import type { Json } from './event.ts';

export const MAX_CONTENT_BYTES = 1024 * 1024;
export const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_DEPTH = 64;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Text that every store keeps as it is: no NUL, no half of a surrogate pair, no bottomless nesting (L15). */
export function checkText(content: Json): Refusal | undefined {
  const open: Part[] = [{ value: content, key: 'content', depth: 0 }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { value, depth } = part;
    if (typeof value === 'string') {
      const problem = badText(value);
      if (problem) return unacceptable(part, problem);
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) return unacceptable(part, `is nested more than ${MAX_DEPTH} levels deep`);
      for (const [key, member] of Object.entries(value)) {
        const problem = badText(key);
        if (problem) return unacceptable(part, `has a key that ${problem}`);
        open.push({ value: member, key, depth: depth + 1, within: part });
      }
    }
  }
  return undefined;
}

interface Part {
  readonly value: Json;
  readonly key: string;
  readonly depth: number;
  readonly within?: Part;
}

function pathOf({ key, within }: Part): string {
  return within ? `${pathOf(within)}.${key}` : key;
}

/** `body` is the event's whole text: only one near the limit is measured exactly. */
export function checkSize(body: string, content: Json): Refusal | undefined {
  if (body.length * 3 <= MAX_CONTENT_BYTES || utf8Length(body) <= MAX_CONTENT_BYTES) return undefined;
  const bytes = utf8Length(canonical(content));
  if (bytes <= MAX_CONTENT_BYTES) return undefined;
  return refuse(
    'too_large',
    `The content is ${bytes} bytes; the limit is ${MAX_CONTENT_BYTES} (1 MiB). Send it in parts.`,
    { limit: MAX_CONTENT_BYTES },
  );
}

function badText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair';
  return undefined;
}

function unacceptable(part: Part, problem: string): Refusal {
  return refuse('unacceptable_text', `${pathOf(part)} ${problem}. Nothing was stored; remove it and send again.`);
}

function utf8Length(text: string): number {
  // Asked of the whole text at once, which takes a fraction of the time.
  if (!BEYOND_ASCII.test(text)) return text.length;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // The two halves of a surrogate pair make four bytes together.
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
  }
  return bytes;
}
