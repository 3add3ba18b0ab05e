import type { DragEvent } from 'react';
import type { LoomExportFormat, WireImportedLoom } from '../../../src/client/index.ts';
import { client, sentenceFor } from '../../data/session.ts';
import { createStore } from '../../data/store.ts';
import { addRow } from '../../data/workspace.ts';
import { exportFile } from '../../export/thread.ts';
import { go, pathTo } from '../../shell/address.ts';
import { pickFiles } from '../../ui/files.ts';
import { doing } from '../../ui/notice.tsx';
import { numeral } from '../../ui/numeral.ts';
import type { Loom } from './loom.ts';

/** What came of an import, to be told in the room it leads to. */
export const broughtIn = createStore<{ readonly loom: string; readonly words: string } | undefined>(undefined);

/** Files that are dropped on the room become looms of their own, whichever program they came from (W26). */
export function dropTarget(loom: Loom) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const files = [...event.dataTransfer.files];
      if (files.length === 0) return;
      event.preventDefault();
      void bringInto(loom, files);
    },
  };
}

/** The same, for files that came by a button. */
export async function bringInto({ desk: { notice } }: Loom, files: readonly File[]): Promise<void> {
  notice.set(undefined);
  notice.set(await bringIn(files));
}

/** For whoever is not in a loom. */
export async function bringInPicked(): Promise<string | undefined> {
  return bringIn(await pickFiles());
}

/** Goes to the first loom that came of the files, which says what of them is not in it; or says why there is none. */
async function bringIn(files: readonly File[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  try {
    const made = await client.looms.import(files.map((file) => ({ name: file.name, content: file })));
    const [first] = made;
    if (!first) return 'There is no loom in this file. Nothing was changed.';
    addRow((await client.thread(first.id).get()).thread);
    broughtIn.set({ loom: first.id, words: made.map(lossOf).join(' ') });
    go(pathTo({ id: first.id, kind: 'loom' }));
    return undefined;
  } catch (error) {
    return sentenceFor(error);
  }
}

function lossOf({ title, nodes, report }: WireImportedLoom): string {
  const lost = report.dropped.map(({ field, count, why }) => `${field} (${count}: ${why})`);
  const secrets = report.secrets_removed;
  const told = [
    `“${title}” was brought in: ${numeral(nodes)} ${nodes === 1 ? 'node' : 'nodes'}.`,
    lost.length > 0 && `Left out: ${lost.join('; ')}.`,
    secrets > 0 && `${secrets} ${secrets === 1 ? 'key was' : 'keys were'} taken out.`,
    ...report.problems.map(({ what, count }) => `${what} (${count}).`),
  ];
  return told.filter(Boolean).join(' ');
}

/** What is not committed is committed first, so that the file has it. */
export async function takeOut(loom: Loom, format: LoomExportFormat): Promise<void> {
  await loom.desk.save();
  await doing((under) => exportFile({ id: loom.id, title: 'loom' }, format, under), `Exporting as ${format}`);
}
