import { Worker } from 'node:worker_threads';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { ImportReport, LoomFormat } from '../../formats/loom/tree.ts';
import { partsOfTree, type TreePart } from '../../formats/loom/tree-parts.ts';
import { workerFile } from '../../platform/worker-file.ts';
import { type ReadLoom, readAll, type UploadedFile, whole } from './import.ts';

/** A loom that was read and is to be stored. */
export interface LoomHead {
  readonly title: string;
  readonly system?: string;
  readonly file: string;
  readonly format: LoomFormat;
  readonly nodes: number;
}

/** Looms out of files. Their parts are asked for one after the other, loom by loom; then the report of each. */
export interface LoomReader {
  readonly looms: readonly LoomHead[];
  /** The next part of this loom; undefined when there is none. */
  next(loom: number): Promise<TreePart | undefined>;
  report(loom: number): Promise<ImportReport>;
  close(): void;
}

/** What the thread is asked for and answers, in this order. */
export type ReaderQuestion = { readonly next: number } | { readonly report: number };
export type ReaderAnswer =
  | { readonly looms: readonly LoomHead[] }
  | { readonly part: TreePart | undefined }
  | { readonly report: ImportReport }
  | Refusal;
export interface ReaderData {
  readonly files: readonly UploadedFile[];
  readonly format: LoomFormat | 'auto';
}

/** Less than this is read in a moment, sooner than a thread would start. */
const AT_ONCE = 256 * 1024;
const FILE = workerFile(import.meta.url, './reader-worker.ts', 'loom-reader.js');

/** Reads files on a thread of their own where they are large, so that nobody else waits (T23). */
export async function openLoomReader(
  files: readonly UploadedFile[],
  format: LoomFormat | 'auto',
  signal: AbortSignal,
): Promise<LoomReader | Refusal> {
  const size = files.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + piece.length, 0);
  if (size > AT_ONCE) return onThread(files, format, signal);
  const read = readAll(files.map(whole), format);
  return isRefusal(read) ? read : readerOf(read);
}

export function readerOf(read: readonly ReadLoom[]): LoomReader {
  const trees = read.map((loom) => {
    const { parts, report } = partsOfTree(loom);
    return { parts: parts[Symbol.iterator](), report };
  });
  return {
    looms: read.map(({ tree, file, report }) => ({
      title: tree.title,
      ...(tree.system !== undefined && { system: tree.system }),
      file,
      format: report.format,
      nodes: tree.nodes.length,
    })),
    next: async (loom) => trees[loom]?.parts.next().value,
    report: async (loom) => trees[loom]?.report() as ImportReport,
    close: () => {},
  };
}

async function onThread(
  files: readonly UploadedFile[],
  format: LoomFormat | 'auto',
  signal: AbortSignal,
): Promise<LoomReader | Refusal> {
  signal.throwIfAborted();
  const given = files.map(({ name, pieces }) => ({ name, pieces: pieces.map(transferable) }));
  const workerData: ReaderData = { files: given, format };
  const transferList = given.flatMap(({ pieces }) => pieces.map(({ buffer }) => buffer));
  const worker = new Worker(FILE, { workerData, transferList });
  const close = () => void worker.terminate();
  signal.addEventListener('abort', close, { once: true });

  function answer(): Promise<ReaderAnswer> {
    return new Promise((resolve, reject) => {
      const heard = (message: ReaderAnswer) => finish(() => resolve(message));
      const failed = (error: Error) => finish(() => reject(error));
      const ended = () => failed(signal.aborted ? signal.reason : new Error('The thread that read the files ended.'));
      function finish(settle: () => void) {
        worker.off('message', heard).off('error', failed).off('exit', ended);
        settle();
      }
      worker.on('message', heard).on('error', failed).on('exit', ended);
    });
  }
  async function ask<Answer>(question: ReaderQuestion): Promise<Answer> {
    const answered = answer();
    worker.postMessage(question);
    return (await answered) as Answer;
  }

  const first = await answer();
  if (!('looms' in first)) {
    close();
    return first as Refusal;
  }
  return {
    looms: first.looms,
    next: async (next) => (await ask<{ part: TreePart | undefined }>({ next })).part,
    report: async (report) => (await ask<{ report: ImportReport }>({ report })).report,
    close,
  };
}

/** In memory of its own, which a thread can be given. */
function transferable(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = piece.buffer instanceof ArrayBuffer && piece.byteLength === piece.buffer.byteLength;
  return isAlone ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece);
}
