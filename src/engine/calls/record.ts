import { MAX_BLOB_BYTES } from '../../log/blobs.ts';
import type { RawResponse, Usage } from '../../models/model.ts';
import { tokensInBytes } from '../../models/remote/estimate.ts';
import type { Heard } from './collect.ts';

interface Ended extends Pick<Heard, 'last' | 'pieces' | 'textBytes'> {
  readonly promptTokens: number;
}

/** What a call has used: what it says itself, or, where it broke off without a word, what was heard of it (M13). */
export function usedBy({ last, pieces, textBytes, promptTokens }: Ended): Usage {
  const said = last.usage && last.usage.promptTokens + last.usage.generatedTokens > 0 ? last.usage : undefined;
  const guess = { promptTokens: pieces > 0 ? promptTokens : 0, generatedTokens: tokensHeard(pieces, textBytes) };
  const used = said ?? { ...guess, estimated: true };
  // A try that had its answer begun and was made again has read the prompt as well.
  const tries = (last.failed ?? []).filter(hasBegun).length;
  if (tries === 0) return used;
  return { ...used, promptTokens: used.promptTokens + tries * promptTokens, estimated: true };
}

/** A piece may be a token or a page. */
function tokensHeard(pieces: number, textBytes: number): number {
  return Math.max(pieces, tokensInBytes(textBytes));
}

function hasBegun({ status, body, refused }: RawResponse): boolean {
  return !refused && status !== undefined && status >= 200 && status <= 299 && body !== '';
}

const LONGEST_TEXT = 256 * 1024;
/** Taking secrets out may make it a little longer. */
const MOST_BYTES = 0.75 * MAX_BLOB_BYTES;

/** The record of a call, with its longest texts shortened where it would be too large to be kept. */
export function recordText(record: object): string {
  const whole = JSON.stringify(record);
  if (Buffer.byteLength(whole) <= MOST_BYTES) return whole;
  return JSON.stringify({ ...record, shortened: true }, (_, value: unknown) =>
    typeof value === 'string' && value.length > LONGEST_TEXT ? value.slice(0, LONGEST_TEXT).toWellFormed() : value,
  );
}
