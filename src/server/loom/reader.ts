import { Worker } from 'node:worker_threads';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { LoomFormat, LoomImportReport } from '../../formats/loom/tree.ts';
import { partsOfTree, type TreePart } from '../../formats/loom/tree-parts.ts';
import { workerFile } from '../../platform/worker-file.ts';
import { joinPieces, type ParsedLoom, parseLooms, type UploadedFile } from './import.ts';

/** A parsed loom that is not stored yet. */
export interface UploadedLoom {
  readonly title: string;
  readonly system?: string;
  readonly file: string;
  readonly format: LoomFormat;
  readonly nodes: number;
}

/** Reads looms from files. Request the parts in order, loom by loom; then the report of each. */
export interface LoomReader {
  readonly looms: readonly UploadedLoom[];
  /** The next part of a loom; undefined after the last. */
  next(loom: number): Promise<TreePart | undefined>;
  report(loom: number): Promise<LoomImportReport>;
  close(): void;
}

/** Messages to the worker thread and its responses, in this order. */
export type ReaderRequest = { readonly next: number } | { readonly report: number };
export type ReaderResponse =
  | { readonly looms: readonly UploadedLoom[] }
  | { readonly part: TreePart | undefined }
  | { readonly report: LoomImportReport }
  | Refusal;
export interface ReaderData {
  readonly files: readonly UploadedFile[];
  readonly format: LoomFormat | 'auto';
}

/** Smaller inputs are parsed inline, which is faster than starting a thread. */
const INLINE_BYTES = 256 * 1024;
const WORKER_FILE = workerFile(import.meta.url, './reader-worker.ts', 'loom-reader.js');

/** Parses large files on a worker thread, so that nobody else waits (T23). */
export async function openLoomReader(
  files: readonly UploadedFile[],
  format: LoomFormat | 'auto',
  signal: AbortSignal,
): Promise<LoomReader | Refusal> {
  const size = files.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + piece.length, 0);
  if (size > INLINE_BYTES) return openWorkerReader(files, format, signal);
  const parsedLooms = parseLooms(files.map(joinPieces), format);
  return isRefusal(parsedLooms) ? parsedLooms : createReader(parsedLooms);
}

export function createReader(parsedLooms: readonly ParsedLoom[]): LoomReader {
  const trees = parsedLooms.map((loom) => {
    const { parts, report } = partsOfTree(loom);
    return { parts: parts[Symbol.iterator](), report };
  });
  return {
    looms: parsedLooms.map(({ tree, file, report }) => ({
      title: tree.title,
      ...(tree.system !== undefined && { system: tree.system }),
      file,
      format: report.format,
      nodes: tree.nodes.length,
    })),
    next: async (loom) => trees[loom]?.parts.next().value,
    report: async (loom) => trees[loom]?.report() as LoomImportReport,
    close: () => {},
  };
}

async function openWorkerReader(
  files: readonly UploadedFile[],
  format: LoomFormat | 'auto',
  signal: AbortSignal,
): Promise<LoomReader | Refusal> {
  signal.throwIfAborted();
  const transferFiles = files.map(({ name, pieces }) => ({ name, pieces: pieces.map(transferable) }));
  const workerData: ReaderData = { files: transferFiles, format };
  const transferList = transferFiles.flatMap(({ pieces }) => pieces.map(({ buffer }) => buffer));
  const worker = new Worker(WORKER_FILE, { workerData, transferList });
  const close = () => void worker.terminate();
  signal.addEventListener('abort', close, { once: true });

  function nextResponse(): Promise<ReaderResponse> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: ReaderResponse) => finish(() => resolve(message));
      const onError = (error: Error) => finish(() => reject(error));
      const onExit = () =>
        onError(signal.aborted ? signal.reason : new Error('The worker that read the files stopped.'));
      function finish(settle: () => void) {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        settle();
      }
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
  async function ask<Result>(request: ReaderRequest): Promise<Result> {
    const response = nextResponse();
    worker.postMessage(request);
    return (await response) as Result;
  }

  const firstResponse = await nextResponse();
  if (!('looms' in firstResponse)) {
    close();
    return firstResponse as Refusal;
  }
  return {
    looms: firstResponse.looms,
    next: async (next) => (await ask<{ part: TreePart | undefined }>({ next })).part,
    report: async (report) => (await ask<{ report: LoomImportReport }>({ report })).report,
    close,
  };
}

/** Returns bytes that own their whole buffer, which can be transferred to a thread. */
function transferable(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const ownsBuffer = piece.buffer instanceof ArrayBuffer && piece.byteLength === piece.buffer.byteLength;
  return ownsBuffer ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece);
}
