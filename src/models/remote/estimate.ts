import type { ChatMessage } from '../model.ts';

/*
 * Without the model's own vocabulary tokens can only be guessed. Three bytes a token is too many tokens for most texts
 * and hardly ever too few, which is the side to err on.
 */
const BYTES_PER_TOKEN = 3;
const PER_MESSAGE = 4;

export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export function estimateMessages(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + PER_MESSAGE + estimateTokens(content), 0);
}

/** The end of a text that fits into so many tokens, and how many were dropped before it. */
export function keepEnd(text: string, room: number): { readonly text: string; readonly dropped: number } {
  const bytes = Buffer.from(text);
  let from = Math.max(0, bytes.length - Math.max(1, room) * BYTES_PER_TOKEN);
  while (from < bytes.length && (bytes[from]! & 0xc0) === 0x80) from++;
  return { text: bytes.subarray(from).toString(), dropped: Math.ceil(from / BYTES_PER_TOKEN) };
}

/** Messages without the oldest of those that are not the system's; the last one always stays. */
export function keepNewest(
  messages: readonly ChatMessage[],
  room: number,
): { readonly messages: readonly ChatMessage[]; readonly dropped: number } {
  const kept = [...messages];
  while (estimateMessages(kept) > room) {
    const oldest = kept.findIndex(({ role }) => role !== 'system');
    if (oldest < 0 || oldest === kept.length - 1) break;
    kept.splice(oldest, 1);
  }
  return { messages: kept, dropped: estimateMessages(messages) - estimateMessages(kept) };
}
