import type { Imported } from '../formats/import.ts';
import type { Cli } from './cli.ts';
import { createProgress, untilInterrupted } from './progress.ts';

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
export function toldImport({ out }: Cli, file: string, imported: Imported, did: string): void {
  if (out.json) {
    out.value({ file, ...imported });
    return;
  }
  const { threads, added, skipped, blobs, head, report } = imported;
  const known = skipped > 0 ? ` (${skipped} were here already)` : '';
  out.line(`${did} ${added} events of ${threads} threads${known} and ${blobs} blobs from ${file}.`);
  out.line(`Head ${head}`);
  if (report.dropped.length === 0) out.line('Nothing was lost.');
  for (const { field, count, why } of report.dropped) out.line(`Lost: ${count} ${field}, because ${why}.`);
}
