import { MAX_BLOB_BYTES } from '../../log/blobs.ts';
import type { ModelUsage, RawResponse } from '../../models/model.ts';
import { tokensInBytes } from '../../models/remote/estimate.ts';
import type { CollectedStream } from './collect.ts';

interface StreamEnd extends Pick<CollectedStream, 'last' | 'pieces' | 'textBytes'> {
  readonly promptTokens: number;
}

/** What a call has used: what it says itself, or, where it broke off without a word, what was heard of it (M13). */
export function usageOfStream({ last, pieces, textBytes, promptTokens }: StreamEnd): ModelUsage {
  const reportedUsage = last.usage && last.usage.promptTokens + last.usage.generatedTokens > 0 ? last.usage : undefined;
  const estimate = { promptTokens: pieces > 0 ? promptTokens : 0, generatedTokens: estimateTokens(pieces, textBytes) };
  const usage = reportedUsage ?? { ...estimate, estimated: true };
  // A try that had its answer begun and was made again has read the prompt as well.
  const startedTries = (last.failed ?? []).filter(hasStarted).length;
  if (startedTries === 0) return usage;
  return { ...usage, promptTokens: usage.promptTokens + startedTries * promptTokens, estimated: true };
}

/** A piece may be a token or a page. */
function estimateTokens(pieces: number, textBytes: number): number {
  return Math.max(pieces, tokensInBytes(textBytes));
}

function hasStarted({ status, body, refused }: RawResponse): boolean {
  return !refused && status !== undefined && status >= 200 && status <= 299 && body !== '';
}

const MAX_TEXT_CHARS = 256 * 1024;
/** Taking secrets out may make it a little longer. */
const MAX_BYTES = 0.75 * MAX_BLOB_BYTES;

/** The record of a call, with its longest texts shortened where it would be too large to be kept. */
export function recordText(record: object): string {
  const fullText = JSON.stringify(record);
  if (Buffer.byteLength(fullText) <= MAX_BYTES) return fullText;
  return JSON.stringify({ ...record, shortened: true }, (_, value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT_CHARS ? value.slice(0, MAX_TEXT_CHARS).toWellFormed() : value,
  );
}
