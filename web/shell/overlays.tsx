import { useEffect, useLayoutEffect } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { sleep } from '../data/sleep.ts';
import { createStore, useStore } from '../data/store.ts';
import { loadDialog } from '../ui/floating/dialog.tsx';
import { loadAhead } from '../ui/load-ahead.ts';
import type { Overlay } from './frame-actions.ts';

const RETRY_MS = 1_000;
/** Loaded once the page is shown. Not `lazy`: React would show a dialog that is there already only a while later. */
const dialogs = createStore<typeof import('./dialogs.tsx') | undefined>(undefined);

async function loadDialogs(): Promise<void> {
  await loadDialog();
  while (!dialogs.get()) {
    const loaded = await import('./dialogs.tsx').catch(() => undefined);
    if (loaded) dialogs.set(loaded);
    else await sleep(RETRY_MS);
  }
}

/** What is typed while a dialog is being loaded, for its field; Enter sends it. */
export interface TypedAhead {
  readonly text: string;
  readonly isSent: boolean;
}

const NOTHING_TYPED: TypedAhead = { text: '', isSent: false };
let typedAhead = NOTHING_TYPED;

interface OverlaysProps {
  readonly overlay: Overlay | undefined;
  readonly openRow: ThreadRow | undefined;
  onClose(): void;
}

/** The dialogs that can be opened from everywhere. */
export function Overlays({ overlay, openRow, onClose }: OverlaysProps) {
  const loaded = useStore(dialogs);
  useEffect(() => loadAhead(loadDialogs), []);
  useEffect(() => void (overlay && loadDialogs()), [overlay]);
  if (!overlay || overlay.kind === 'find') return null;
  if (!loaded) return <LoadingDialog />;
  const { KeyMap, NewThreadDialog, RenameDialog, TagsDialog } = loaded;
  if (overlay.kind === 'keys') return <KeyMap onClose={onClose} />;
  if (overlay.kind === 'new')
    return <NewThreadDialog title={overlay.title} takeTyped={takeTyped} kind={overlay.of} onClose={onClose} />;
  if (overlay.kind === 'tags') return openRow && <TagsDialog row={openRow} onClose={onClose} />;
  return openRow && <RenameDialog row={openRow} takeTyped={takeTyped} onClose={onClose} />;
}

/** Keeps what is typed from being read as shortcuts. */
function LoadingDialog() {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isText = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
      if (!isText && event.key !== 'Enter') return;
      const { text, isSent } = typedAhead;
      if (!isSent) typedAhead = isText ? { text: text + event.key, isSent } : { text, isSent: true };
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, []);
  return null;
}

function takeTyped(): TypedAhead {
  const typed = typedAhead;
  typedAhead = NOTHING_TYPED;
  return typed;
}
