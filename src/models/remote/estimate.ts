import type { ChatMessage } from '../model.ts';

/*
 * Without the model's own vocabulary, tokens can only be estimated. Three bytes per token overestimates most texts
 * and hardly ever underestimates, which is the safe side.
 */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_MESSAGE = 4;
/** Long runs of spaces are one token; no other text has so few tokens per byte. */
const MAX_BYTES_PER_TOKEN = 128;

export function estimateTokens(text: string): number {
  return tokensInBytes(Buffer.byteLength(text));
}

export function tokensInBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/**
 * Whether a provider's reported usage is possible: no text has more tokens than bytes, and none has close to zero
 * tokens (M13). `maxTokens` raises the upper bound, for tokens such as those a model thinks in and does not show.
 */
export function isPlausibleTokenCount(reported: number | undefined, estimated: number, maxTokens: number): boolean {
  if (reported === undefined || !Number.isSafeInteger(reported)) return false;
  const bytes = estimated * BYTES_PER_TOKEN;
  const minTokens = Math.max(Math.min(1, bytes), Math.floor(bytes / MAX_BYTES_PER_TOKEN));
  return reported >= minTokens && reported <= Math.max(bytes, maxTokens);
}

export function estimateMessages(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content, images = [] }) => {
    const imageTokens = images.reduce((total, { tokens }) => total + tokens + TOKENS_PER_MESSAGE, 0);
    return sum + TOKENS_PER_MESSAGE + estimateTokens(content) + imageTokens;
  }, 0);
}

/** The start of a text that fits into `maxBytes`. */
export function keepStart(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = Math.max(0, Math.min(maxBytes, bytes.length));
  while (end > 0 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}

/** The end of a text that fits into `maxTokens`, and how many tokens were dropped before it. */
export function keepEnd(text: string, maxTokens: number): { readonly text: string; readonly dropped: number } {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - Math.max(1, maxTokens) * BYTES_PER_TOKEN);
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return { text: bytes.subarray(start).toString(), dropped: Math.ceil(start / BYTES_PER_TOKEN) };
}

/** Drops the oldest messages that are not system messages; the last message always stays. */
export function keepNewest(
  messages: readonly ChatMessage[],
  maxTokens: number,
): { readonly messages: readonly ChatMessage[]; readonly dropped: number } {
  const remaining = [...messages];
  while (estimateMessages(remaining) > maxTokens) {
    const oldest = remaining.findIndex(({ role }) => role !== 'system');
    if (oldest < 0 || oldest === remaining.length - 1) break;
    remaining.splice(oldest, 1);
  }
  return { messages: remaining, dropped: estimateMessages(messages) - estimateMessages(remaining) };
}
