import { createHttp } from '../../src/client/http.ts';
import { HeddleUnreachable, type LoomExportFormat, type ThreadRow } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { saveAs } from '../ui/files.ts';
import { numeral } from '../ui/numeral.ts';
import type { UnderWay } from '../ui/work-context.ts';
import { headOf, textOf } from './markdown.ts';
import { partsOf } from './passages.ts';

const http = createHttp({ url: '' });
/** So many parts become text before the page is let do something else. */
const AT_ONCE = 1000;
const MEGABYTE = 1_000_000;

/** A thread as a file: all of it as JSON Lines, which another workspace takes in, or what is read in it as Markdown. */
export async function exportThread(row: ThreadRow, format: LoomExportFormat, under: UnderWay): Promise<void> {
  if (format !== 'markdown' || row.kind === 'loom') return exportFile(row, format, under);
  const parts = await partsOf(http, row, under);
  const texts = [headOf(row.title)];
  for (let from = 0; from < parts.length; from += AT_ONCE) {
    texts.push(textOf(parts.slice(from, from + AT_ONCE)));
    await new Promise((resolve) => setTimeout(resolve));
    under.signal.throwIfAborted();
  }
  saveAs(new Blob(texts, { type: 'text/markdown' }), `${nameOf(row.title)}.md`);
}

/** As the server writes it. */
export async function exportFile(
  { id, title }: Pick<ThreadRow, 'id' | 'title'>,
  format: LoomExportFormat,
  under: UnderWay,
): Promise<void> {
  const response = await client.thread(id).loom.export({ format }, under.signal);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const type = response.headers.get('content-type') ?? '';
  saveAs(new Blob(await chunksOf(response, under), { type }), name ?? `${nameOf(title)}.${format}`);
}

async function chunksOf({ body }: Response, { signal, tell }: UnderWay): Promise<BlobPart[]> {
  const chunks: BlobPart[] = [];
  const reader = body?.getReader();
  for (let bytes = 0, told = 0; reader; ) {
    const { value, done } = await reader.read().catch((cause) => {
      throw signal.aborted ? signal.reason : new HeddleUnreachable('The file broke off.', { cause });
    });
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    if (bytes - told < MEGABYTE) continue;
    told = bytes;
    tell(`${numeral(Math.floor(bytes / MEGABYTE))} MB`);
  }
  return chunks;
}

/** A title as a file may be called. */
function nameOf(title: string): string {
  return (
    title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'thread'
  );
}
