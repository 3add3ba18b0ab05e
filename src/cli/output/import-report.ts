import { pluralize } from '../../core/text/pluralize.ts';
import type { AdoptResult } from '../../workspace/transfer.ts';
import type { Cli } from '../cli.ts';
import { createProgress, interruptSignal } from './progress.ts';
import { oneLine } from './text.ts';

export const IMPORT_STOPPED = 'Stopped. Everything stored so far is complete; run the same command again for the rest.';

export function createImportProgress({ out }: Cli) {
  const verifyProgress = createProgress(out, 'Verifying the file', 'bytes');
  const storeProgress = createProgress(out, 'Storing', 'events');
  const end = () => {
    verifyProgress.end();
    storeProgress.end();
  };
  return { signal: interruptSignal(), onProving: verifyProgress.update, onProgress: storeProgress.update, end };
}

/** Prints what was imported and what was lost. The loss report appears even when it is empty (L20). */
export function printImport(
  { out }: Cli,
  file: string,
  result: AdoptResult,
  { verb, mine }: ImportReportOptions,
): void {
  const { threads, added, skipped, blobs, head, report, open } = result;
  const skippedNote = skipped > 0 ? ` (${skipped} were already here)` : '';
  const losses = report.dropped.map(({ field, count, why }) => `Lost: ${count} ${field}, because ${why}.`);
  out.answer(
    { file, ...result },
    `${verb} ${pluralize(added, 'event')} of ${pluralize(threads, 'thread')}${skippedNote} and ${pluralize(blobs, 'blob')} from ${file}.`,
    `Head ${head}`,
    ...(losses.length === 0 ? ['Nothing was lost.'] : losses),
    ...(open.length > 0 ? openWorkLines(open, mine) : []),
  );
}

interface ImportReportOptions {
  /** "Imported" or "Restored". */
  readonly verb: string;
  /** Whether the data is the human's own, so that its work continues automatically. */
  readonly mine: boolean;
}

const MAX_NAMED = 5;

/** The open work, and how to start or prevent it (L25). */
function openWorkLines(open: AdoptResult['open'], mine: boolean): readonly string[] {
  const names = open.slice(0, MAX_NAMED).map(({ title }) => `“${oneLine(title)}”`);
  const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : '';
  const threadNames = `${names.join(', ')}${more}`;
  return mine
    ? [
        `There is unfinished work in ${threadNames}: it continues as soon as a server runs.`,
        'To pause a thread first: heddle control THREAD pause on',
      ]
    : [
        `There is unfinished work in ${threadNames}: it waits until you resume it.`,
        'To start it: heddle resume THREAD',
      ];
}
