import { HeddleUnreachable, type LoomExportFormat, type ThreadRow } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { client } from '../data/session.ts';
import { sleep } from '../data/sleep.ts';
import { saveAs } from '../ui/files.ts';
import type { WorkContext } from '../ui/work-context.ts';
import { formatPassages, formatTitle } from './markdown.ts';
import { readPassages } from './passages.ts';

/** The number of passages formatted before yielding to the page. */
const BATCH_SIZE = 1000;
const MEGABYTE = 1_000_000;

/** Exports a thread: all of it as JSON Lines, which another workspace can import, or its readable text as Markdown. */
export async function exportThread(row: ThreadRow, format: LoomExportFormat, context: WorkContext): Promise<void> {
  if (format !== 'markdown' || row.kind === 'loom') return exportFile(row, format, context);
  const passages = await readPassages(client, row, context);
  const texts = [formatTitle(row.title)];
  for (let from = 0; from < passages.length; from += BATCH_SIZE) {
    texts.push(formatPassages(passages.slice(from, from + BATCH_SIZE)));
    await sleep();
    context.signal.throwIfAborted();
  }
  saveAs(new Blob(texts, { type: 'text/markdown' }), `${fileNameOf(row.title)}.md`);
}

/** Downloads the file as the server writes it. */
export async function exportFile(
  { id, title }: Pick<ThreadRow, 'id' | 'title'>,
  format: LoomExportFormat,
  context: WorkContext,
): Promise<void> {
  const response = await client.thread(id).loom.export({ format }, context.signal);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const type = response.headers.get('content-type') ?? '';
  saveAs(new Blob(await readChunks(response, context), { type }), name ?? `${fileNameOf(title)}.${format}`);
}

async function readChunks({ body }: Response, { signal, onProgress }: WorkContext): Promise<BlobPart[]> {
  const chunks: BlobPart[] = [];
  const reader = body?.getReader();
  for (let bytes = 0, reportedBytes = 0; reader; ) {
    const { value, done } = await reader.read().catch((cause) => {
      throw signal.aborted ? signal.reason : new HeddleUnreachable('The download was interrupted.', { cause });
    });
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    if (bytes - reportedBytes < MEGABYTE) continue;
    reportedBytes = bytes;
    onProgress(`${formatNumber(Math.floor(bytes / MEGABYTE))} MB`);
  }
  return chunks;
}

/** The title, reduced to characters that a file name may have. */
function fileNameOf(title: string): string {
  return (
    title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'thread'
  );
}
