import { Paperclip } from 'lucide-react';
import { type ClipboardEvent, type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { Attachment } from '../../../src/client/index.ts';
import { useStore } from '../../data/store.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { pickFiles } from '../../ui/files.ts';
import { DropTarget } from './drop-target.tsx';
import { FileTray } from './file-tray.tsx';
import { createUploads, messageOf } from './uploads.ts';

interface ComposerFiles {
  /** The files, for the place above the text; drops anywhere on the page end up here too. */
  readonly tray: ReactNode;
  /** The button that picks files, for the tools below the text. */
  readonly button: ReactNode;
  readonly hasFiles: boolean;
  /** Whether nothing is on its way and nothing has failed. */
  readonly isReady: boolean;
  /** Takes pasted files; for the text field. */
  onPaste(event: ClipboardEvent): void;
  /** The text and the files as they are sent. */
  messageOf(text: string): { readonly text: string; readonly attachments?: Attachment[] };
  /** Empties the tray once the message is sent. */
  clear(): void;
}

/** The files of a composer. `key` is the storage key of its unsent text: the files stay with that text. */
export function useAttachments(key: string, field: RefObject<HTMLTextAreaElement | null>): ComposerFiles {
  const [current, setCurrent] = useState(() => ({ key, uploads: createUploads(key) }));
  if (current.key !== key) setCurrent({ key, uploads: createUploads(key) });
  const { uploads } = current;
  const { files, notice } = useStore(uploads.tray);
  const isReady = files.every(({ attachment }) => attachment !== undefined);

  /** Whoever attaches a file goes on to write; a form that was folded away opens. */
  function add(added: readonly File[]): void {
    uploads.add(added);
    field.current?.focus();
  }

  useEffect(() => {
    if (isReady) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isReady]);

  return {
    tray: (
      <>
        <FileTray files={files} notice={notice} onRemove={uploads.remove} onRetry={uploads.retry} />
        <DropTarget onFiles={add} />
      </>
    ),
    button: (
      <IconButton
        icon={Paperclip}
        label="Attach files"
        onClick={() => void pickFiles().then((picked) => picked.length > 0 && add(picked))}
      />
    ),
    hasFiles: files.length > 0,
    isReady,
    onPaste(event) {
      const pasted = [...event.clipboardData.files];
      if (pasted.length === 0) return;
      // A picture copied from a page brings its address as text too; the picture is meant.
      event.preventDefault();
      add(pasted);
    },
    messageOf: (text) => messageOf(text, files),
    clear: uploads.clear,
  };
}
