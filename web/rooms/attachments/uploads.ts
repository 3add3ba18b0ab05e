import type { Attachment } from '../../../src/client/index.ts';
import {
  cleanFileName,
  formatSize,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
} from '../../../src/core/attachments/attachment.ts';
import { browserStorage } from '../../data/browser-storage.ts';
import { client, describeError } from '../../data/session.ts';
import { createStore } from '../../data/store.ts';

/** A file in the tray of a composer. */
export interface TrayFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** How much was sent, from 0 to 1, while it is being sent. */
  readonly progress?: number;
  /** Why it is not on the server. */
  readonly problem?: string;
  /** Whether another try may help. */
  readonly canRetry?: boolean;
  /** Set once the server has it. */
  readonly attachment?: Attachment;
}

interface Tray {
  readonly files: readonly TrayFile[];
  /** About files that were left out. */
  readonly notice?: string;
}

const MAX_AT_ONCE = 3;
let lastId = 0;

/**
 * The files of a text that is not sent yet (I27). They are uploaded at once; what stays with the text in this browser is
 * their reference, not their bytes.
 */
export function createUploads(key: string) {
  const storageKey = `${key}.files`;
  const stored = browserStorage.unsent(storageKey)?.attachments ?? [];
  const tray = createStore<Tray>({ files: stored.map(trayFileOf) });
  const sources = new Map<number, File>();
  const cancels = new Map<number, AbortController>();
  let running = 0;

  function add(files: readonly File[]): void {
    const room = Math.max(0, MAX_ATTACHMENTS - tray.get().files.length);
    const added = files.slice(0, room).map((file) => {
      const problem = problemWith(file);
      const item: TrayFile = { id: ++lastId, name: cleanFileName(file.name), size: file.size, ...problem };
      if (!problem) sources.set(item.id, file);
      return item;
    });
    const leftOut = files.length - added.length;
    const notice = `A message can have ${MAX_ATTACHMENTS} files. ${leftOut} ${leftOut === 1 ? 'was' : 'were'} left out.`;
    tray.set(({ files: before }) => ({ files: [...before, ...added], ...(leftOut > 0 && { notice }) }));
    startNext();
  }

  function startNext(): void {
    for (const { id, progress, problem, attachment } of tray.get().files) {
      const file = sources.get(id);
      if (running >= MAX_AT_ONCE) return;
      if (file && progress === undefined && problem === undefined && !attachment) void upload(id, file);
    }
  }

  async function upload(id: number, file: File): Promise<void> {
    const cancel = new AbortController();
    cancels.set(id, cancel);
    running++;
    update(id, ({ id: _, name, size }) => ({ id, name, size, progress: 0 }));
    try {
      const onProgress = (progress: number) => update(id, (item) => ({ ...item, progress }));
      const blob = await client.blobs.upload(file, { signal: cancel.signal, onProgress });
      update(id, ({ name }) => ({ id, name, size: blob.size, attachment: { ...blob, name } }));
    } catch (error) {
      if (!cancel.signal.aborted)
        update(id, ({ name, size }) => ({ id, name, size, problem: describeUploadError(error), canRetry: true }));
    } finally {
      running--;
      cancels.delete(id);
      save();
      startNext();
    }
  }

  function update(id: number, change: (item: TrayFile) => TrayFile): void {
    tray.set((before) => ({ ...before, files: before.files.map((item) => (item.id === id ? change(item) : item)) }));
  }

  function remove(id: number): void {
    cancels.get(id)?.abort();
    sources.delete(id);
    tray.set(({ files }) => ({ files: files.filter((item) => item.id !== id) }));
    save();
    startNext();
  }

  function retry(id: number): void {
    update(id, ({ name, size }) => ({ id, name, size }));
    startNext();
  }

  function clear(): void {
    for (const cancel of cancels.values()) cancel.abort();
    sources.clear();
    tray.set({ files: [] });
    save();
  }

  function save(): void {
    const attachments = tray.get().files.flatMap(({ attachment }) => attachment ?? []);
    keepAttachments(key, attachments);
  }

  return { tray, add, remove, retry, clear };
}

/** Puts files back beside an unsent text. */
export function keepAttachments(key: string, attachments: readonly Attachment[]): void {
  browserStorage.setUnsent(`${key}.files`, attachments.length > 0 ? { text: '', attachments } : undefined);
}

/** What is sent: text and files. Files without a word are named, so that they can be found. */
export function messageOf(
  text: string,
  files: readonly TrayFile[],
): { readonly text: string; readonly attachments?: Attachment[] } {
  const attachments = files.flatMap(({ attachment }) => attachment ?? []);
  if (attachments.length === 0) return { text };
  const words = text.trim() === '' ? attachments.map(({ name }) => name).join(', ') : text;
  return { text: words, attachments };
}

function trayFileOf(attachment: Attachment): TrayFile {
  return { id: ++lastId, name: attachment.name, size: attachment.size, attachment };
}

function problemWith({ size }: File): Pick<TrayFile, 'problem'> | undefined {
  if (size <= MAX_ATTACHMENT_BYTES) return undefined;
  return { problem: `Larger than ${formatSize(MAX_ATTACHMENT_BYTES)}, the most that one file can have.` };
}

function describeUploadError(error: unknown): string {
  if (error instanceof Error && error.name === 'HeddleUnreachable')
    return 'Not uploaded: files need a connection to the server. Your text is kept.';
  return `Not uploaded. ${describeError(error)}`;
}
