import { type Refusal, refuse } from '../refusal.ts';
import { canonicalJson } from './canonical.ts';
import type { Json } from './event.ts';

export const MAX_CONTENT_BYTES = 1024 * 1024;
export const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_DEPTH = 64;
const NON_ASCII = /[\u0080-\uffff]/;

/** Accepts only text that every store keeps unchanged: no NUL, no lone surrogate, no unbounded nesting (L15). */
export function checkText(content: unknown): Refusal | undefined {
  const pending: ContentNode[] = [{ value: content, key: 'content', depth: 0 }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value, depth } = node;
    if (typeof value === 'string') {
      const problem = findTextProblem(value);
      if (problem) return refuseText(node, problem);
    } else if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) return refuseText(node, `is nested more than ${MAX_DEPTH} levels deep`);
      for (const [key, member] of Object.entries(value)) {
        const problem = findTextProblem(key);
        if (problem) return refuseText(node, `has a key that ${problem}`);
        pending.push({ value: member, key, depth: depth + 1, parent: node });
      }
    }
  }
  return undefined;
}

interface ContentNode {
  readonly value: unknown;
  readonly key: string;
  readonly depth: number;
  readonly parent?: ContentNode;
}

function pathOf({ key, parent }: ContentNode): string {
  return parent ? `${pathOf(parent)}.${key}` : key;
}

/** `body` is the event's whole text; the exact size is computed only near the limit. */
export function checkSize(body: string, content: Json): Refusal | undefined {
  if (body.length * 3 <= MAX_CONTENT_BYTES || utf8Length(body) <= MAX_CONTENT_BYTES) return undefined;
  const bytes = utf8Length(canonicalJson(content));
  if (bytes <= MAX_CONTENT_BYTES) return undefined;
  return refuse(
    'too_large',
    `The content is ${bytes} bytes; the limit is ${MAX_CONTENT_BYTES} (1 MiB). Send it in parts.`,
    { limit: MAX_CONTENT_BYTES },
  );
}

function findTextProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair';
  return undefined;
}

function refuseText(node: ContentNode, problem: string): Refusal {
  return refuse('unacceptable_text', `${pathOf(node)} ${problem}. Nothing was stored; remove it and send again.`);
}

function utf8Length(text: string): number {
  // Testing the whole text at once takes a fraction of the time.
  if (!NON_ASCII.test(text)) return text.length;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair counts two of its four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
  }
  return bytes;
}
