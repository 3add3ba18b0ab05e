import type { DragEvent } from 'react';
import type { LoomExportFormat, WireImportedLoom } from '../../../src/client/index.ts';
import { formatNumber } from '../../../src/core/text/format-number.ts';
import { client, describeError } from '../../data/session.ts';
import { createStore } from '../../data/store.ts';
import { addRow } from '../../data/workspace.ts';
import { exportFile } from '../../export/thread.ts';
import { navigate, threadPath } from '../../shell/address.ts';
import { pickFiles } from '../../ui/files.ts';
import { runWithNotice } from '../../ui/notice.tsx';
import type { OpenLoom } from './loom.ts';

export const EXPORT_FORMATS = [
  { format: 'markdown', is: 'Markdown, with authors' },
  { format: 'text', is: 'Plain text' },
  { format: 'html', is: 'HTML, with authors' },
  { format: 'jsonl', is: 'Everything' },
  { format: 'openloom', is: 'OpenLoom' },
  { format: 'loom', is: 'Python loom' },
] as const;

/** The result of an import, to show in the room it opens. */
export const importResult = createStore<{ readonly loom: string; readonly words: string } | undefined>(undefined);

/** Imports files dropped on the room as new looms, from any supported program (W26). */
export function dropTarget(loom: OpenLoom) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const files = [...event.dataTransfer.files];
      if (files.length === 0) return;
      event.preventDefault();
      void importInto(loom, files);
    },
  };
}

/** Imports files chosen with a button. */
export async function importInto({ session: { notice } }: OpenLoom, files: readonly File[]): Promise<void> {
  notice.set(undefined);
  notice.set(await importFiles(files));
}

/** Picks and imports files outside a loom room. */
export async function importPickedFiles(): Promise<string | undefined> {
  return importFiles(await pickFiles());
}

/** Opens the first imported loom, which shows what the import lost; or returns why there is none. */
async function importFiles(files: readonly File[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  try {
    const looms = await client.looms.import(files.map((file) => ({ name: file.name, content: file })));
    const [first] = looms;
    if (!first) return 'There is no loom in this file. Nothing was changed.';
    addRow((await client.thread(first.id).get()).thread);
    importResult.set({ loom: first.id, words: looms.map(importSummary).join(' ') });
    navigate(threadPath({ id: first.id, kind: 'loom' }));
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

function importSummary({ title, nodes, report }: WireImportedLoom): string {
  const droppedFields = report.dropped.map(({ field, count, why }) => `${field} (${count}: ${why})`);
  const secrets = report.secrets_removed;
  const sentences = [
    `“${title}” was imported: ${formatNumber(nodes)} ${nodes === 1 ? 'node' : 'nodes'}.`,
    droppedFields.length > 0 && `Left out: ${droppedFields.join('; ')}.`,
    secrets > 0 && `${secrets} ${secrets === 1 ? 'key was' : 'keys were'} removed.`,
    ...report.problems.map(({ what, count }) => `${what} (${count}).`),
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Commits pending changes first, so that the file contains them. */
export async function exportLoom(loom: OpenLoom, format: LoomExportFormat): Promise<void> {
  await loom.session.save();
  await runWithNotice(
    (progress) => exportFile({ id: loom.id, title: 'loom' }, format, progress),
    `Exporting as ${format}`,
  );
}
