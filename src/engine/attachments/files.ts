import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { openBlob } from '../../log/blobs.ts';
import type { EventLog } from '../../log/event-log.ts';
import { UPLOAD } from '../../log/record-kinds.ts';
import { type FileFacts, sniffFile } from './sniff.ts';

/** What the server knows about a file: derived from its bytes, so it can be found out again. */
export interface BlobFacts extends FileFacts {
  readonly size: number;
}

/** Files that were attached, as blobs of the log (I27). */
export function createFiles(log: EventLog) {
  let queue: Promise<unknown> = Promise.resolve();

  /** Undefined if there is no such blob. */
  async function describe(blob: string): Promise<BlobFacts | Refusal | undefined> {
    const known = await recordedFacts(blob);
    if (known) return known;
    return inTurn(async () => {
      const bytes = await open(blob);
      if (!bytes || isRefusal(bytes)) return bytes;
      const facts = { size: bytes.length, ...sniffFile(bytes) };
      await record(blob, facts);
      return facts;
    });
  }

  async function open(blob: string): Promise<Buffer | Refusal | undefined> {
    const stored = await log.blob(blob);
    if (!stored) return undefined;
    const problem = `The file ${blob.slice(0, 12)}… is damaged: its bytes changed in the store. See "heddle verify".`;
    return openBlob(stored).catch(() => refuse('bad_file', problem));
  }

  async function recordedFacts(blob: string): Promise<BlobFacts | undefined> {
    const row = await log.record(UPLOAD, blob);
    if (row === undefined) return undefined;
    const { by: _, at: __, ...facts } = JSON.parse(row) as BlobFacts & { by?: string; at?: string };
    return facts;
  }

  async function record(blob: string, facts: BlobFacts & { readonly by?: string; readonly at?: string }) {
    await log.putRecords([{ kind: UPLOAD, key: blob, value: JSON.stringify(facts) }]);
  }

  /** One file is in memory at a time, however many are asked for. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  }

  return { describe, open, recordedFacts, record, inTurn };
}

export type Files = ReturnType<typeof createFiles>;
