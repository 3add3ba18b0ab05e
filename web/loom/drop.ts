import type { DragEvent } from 'react';
import { textOf } from '../../src/core/loom/weave.ts';
import { rows } from '../workspace.ts';
import type { Loom } from './loom.ts';

const LARGEST = 4 * 1024 * 1024;
const PLAIN = /\.(txt|text|md|markdown)$/i;

/** A text file that is dropped on the room is written at the end of the text, as if it were typed. */
export function dropTarget(loom: Loom) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      void take(loom, file);
    },
  };
}

async function take(loom: Loom, file: File): Promise<void> {
  const { notice } = loom.desk;
  if (!PLAIN.test(file.name) && !file.type.startsWith('text/')) {
    return notice.set(
      `${file.name} is not a plain text. Other looms are brought in with "heddle loom import"; nothing was changed.`,
    );
  }
  if (file.size > LARGEST) {
    return notice.set(`${file.name} is larger than 4 MB. Bring it in with "heddle loom import"; nothing was changed.`);
  }
  const text = (await file.text()).toWellFormed().replaceAll('\r\n', '\n').replaceAll('\0', '');
  const view = loom.editor?.view;
  if (!view) return;
  const end = view.state.doc.length;
  view.dispatch({
    changes: { from: end, insert: text },
    selection: { anchor: end + text.length },
    scrollIntoView: true,
  });
  view.focus();
}

export function exportText(loom: Loom): string {
  return textOf(loom.desk.weave());
}

export function download(loom: Loom, text: string, ending: string): void {
  const title = rows.get()?.get(loom.id)?.title ?? 'loom';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, '-')}.${ending}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
