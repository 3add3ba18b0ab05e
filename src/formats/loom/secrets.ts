import type { Json } from '../../core/events/event.ts';
import type { JsonValue } from './json.ts';
import { replaceWebTokens } from './web-tokens.ts';

/* Files of other programs contain API keys of their owners. The import keeps none and counts each. */

const SECRET_NAME =
  /api[_-]?key|apikey|secret|passw(or)?d|authori[sz]ation|bearer|credential|(access|auth|refresh|session|api|bot|id)[_-]?token|private[_-]?key|cookie/i;
/** Matches secrets by well-known prefixes; never matches a hash or a node id. */
const SECRET_VALUE =
  /\bsk-[A-Za-z0-9_-]{16,}|\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*|\bhdl_[A-Za-z0-9_-]{43}|\bhf_[A-Za-z0-9]{20,}|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}|\bAIza[A-Za-z0-9_-]{30,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAKIA[A-Z0-9]{16}\b|\bgsk_[A-Za-z0-9]{30,}|\bpplx-[A-Za-z0-9]{30,}/g;
/** Every pattern contains one of these, so most text needs only a few quick searches. */
const HINTS = [
  'sk-',
  'earer',
  'hdl_',
  'hf_',
  'ghp_',
  'gho_',
  'ghu_',
  'ghs_',
  'ghr_',
  'github_pat_',
  'AIza',
  'xox',
  'AKIA',
  'gsk_',
  'pplx-',
  'eyJ',
];
const PLACEHOLDER = '[secret removed]';

function isSecret(name: string, value: string): boolean {
  if (name.length > 100 || value === '' || value === '""') return false;
  // "token" can also mean a piece of text from a model.
  return SECRET_NAME.test(name) || (/^token$/i.test(name) && /^\S{16,}$/.test(value));
}

export function removeSecrets(text: string): { text: string; count: number } {
  if (!HINTS.some((hint) => text.includes(hint))) return { text, count: 0 };
  const withoutTokens = replaceWebTokens(text, PLACEHOLDER);
  let { count } = withoutTokens;
  const clean = withoutTokens.text.replace(SECRET_VALUE, () => {
    count++;
    return PLACEHOLDER;
  });
  return { text: clean, count };
}

/** Counts the secrets in a value that is dropped as a whole. */
export function countSecrets(name: string, value: JsonValue | undefined): number {
  const stack: [string, JsonValue | undefined][] = [[name, value]];
  let count = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [key, member] = next;
    if (typeof member === 'string') {
      if (isSecret(key, member)) count++;
      else count += removeSecrets(member).count;
    } else if (Array.isArray(member)) for (const item of member) stack.push([key, item]);
    else if (typeof member === 'object' && member !== null)
      for (const inner of Object.keys(member)) stack.push([inner, member[inner]]);
  }
  return count;
}

const MAX_DEPTH = 16;
const MAX_SIZE = 32_768;

/** Returns a small, shallow value without anything that looks like a secret; undefined if it cannot be kept. */
export function keepableValue(name: string, value: JsonValue): Json | undefined {
  if (!isAcceptable(name) || name.length > 100 || countSecrets(name, value) > 0) return undefined;
  let size = 0;
  const stack: { value: JsonValue; depth: number }[] = [{ value, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value: member, depth } = next;
    if (++size > MAX_SIZE || depth > MAX_DEPTH) return undefined;
    if (typeof member === 'string') {
      size += member.length;
      if (!isAcceptable(member)) return undefined;
    } else if (typeof member === 'object' && member !== null) {
      for (const key of Object.keys(member)) {
        if (!isAcceptable(key)) return undefined;
        size += key.length;
        stack.push({ value: (member as Record<string, JsonValue>)[key] ?? null, depth: depth + 1 });
      }
    }
  }
  return size > MAX_SIZE ? undefined : (value as Json);
}

function isAcceptable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0') && text !== '__proto__' && removeSecrets(text).count === 0;
}
