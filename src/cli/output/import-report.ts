import type { Adopted } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { counted } from './numbers.ts';
import { createProgress, untilInterrupted } from './progress.ts';
import { oneLine } from './text.ts';

export const STOPPED_IMPORT = 'Stopped. What is stored is whole; run the same command again for the rest.';

export function importProgress({ out }: Cli) {
  const proving = createProgress(out, 'Proving the file', 'bytes');
  const storing = createProgress(out, 'Storing', 'events');
  const end = () => {
    proving.end();
    storing.end();
  };
  return { signal: untilInterrupted(), proving: proving.update, progress: storing.update, end };
}

/** What came in, and what did not: the loss report is given even when it is empty (L20). */
export function toldImport({ out }: Cli, file: string, imported: Adopted, { did, mine }: Telling): void {
  if (out.json) {
    out.value({ file, ...imported });
    return;
  }
  const { threads, added, skipped, blobs, head, report, open } = imported;
  const known = skipped > 0 ? ` (${skipped} were here already)` : '';
  out.line(
    `${did} ${counted(added, 'event')} of ${counted(threads, 'thread')}${known} and ${counted(blobs, 'blob')} from ${file}.`,
  );
  out.line(`Head ${head}`);
  if (report.dropped.length === 0) out.line('Nothing was lost.');
  for (const { field, count, why } of report.dropped) out.line(`Lost: ${count} ${field}, because ${why}.`);
  if (open.length > 0) for (const line of openLines(open, mine)) out.line(line);
}

interface Telling {
  /** "Imported" or "Restored". */
  readonly did: string;
  /** Whether it is the human's own, and goes on by itself. */
  readonly mine: boolean;
}

const NAMED = 5;

/** What will begin, and how to begin it or to prevent it (L25). */
function openLines(open: Adopted['open'], mine: boolean): readonly string[] {
  const names = open.slice(0, NAMED).map(({ title }) => `“${oneLine(title)}”`);
  const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : '';
  const where = `${names.join(', ')}${more}`;
  return mine
    ? [
        `Work is open in ${where}: it goes on as soon as a server runs.`,
        'To hold a thread first: heddle control THREAD pause on',
      ]
    : [`Work is open in ${where}: nothing of it runs until you say so.`, 'To let it begin: heddle resume THREAD'];
}
