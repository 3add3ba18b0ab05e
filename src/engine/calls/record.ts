import { MAX_BLOB_BYTES } from '../../log/blobs.ts';
import type { ModelUsage, RawResponse } from '../../models/model.ts';
import { tokensInBytes } from '../../models/remote/estimate.ts';
import type { CollectedStream } from './collect.ts';

interface StreamEnd extends Pick<CollectedStream, 'last' | 'pieces' | 'textBytes'> {
  readonly promptTokens: number;
}

/**
 * Usage of a call: as the server reported it, or estimated from the received text if the stream broke off first (M13).
 */
export function usageOfStream({ last, pieces, textBytes, promptTokens }: StreamEnd): ModelUsage {
  const reportedUsage = last.usage && last.usage.promptTokens + last.usage.generatedTokens > 0 ? last.usage : undefined;
  const estimate = { promptTokens: pieces > 0 ? promptTokens : 0, generatedTokens: estimateTokens(pieces, textBytes) };
  const usage = reportedUsage ?? { ...estimate, estimated: true };
  // A failed try whose answer had begun has read the prompt as well.
  const startedTries = (last.failed ?? []).filter(hasStarted).length;
  if (startedTries === 0) return usage;
  return { ...usage, promptTokens: usage.promptTokens + startedTries * promptTokens, estimated: true };
}

/** A chunk may be one token or a whole page. */
function estimateTokens(pieces: number, textBytes: number): number {
  return Math.max(pieces, tokensInBytes(textBytes));
}

function hasStarted({ status, body, refused }: RawResponse): boolean {
  return !refused && status !== undefined && status >= 200 && status <= 299 && body !== '';
}

const MAX_TEXT_CHARS = 256 * 1024;
/** Leaves room because removing secrets may lengthen the text. */
const MAX_BYTES = 0.75 * MAX_BLOB_BYTES;

/** The record of a call as text; its longest texts are shortened if it would be too large to store. */
export function recordText(record: object): string {
  const fullText = JSON.stringify(record);
  if (Buffer.byteLength(fullText) <= MAX_BYTES) return fullText;
  return JSON.stringify({ ...record, shortened: true }, (_, value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT_CHARS ? value.slice(0, MAX_TEXT_CHARS).toWellFormed() : value,
  );
}
