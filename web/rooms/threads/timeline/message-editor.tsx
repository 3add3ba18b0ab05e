import { useLayoutEffect } from 'react';
import type { WireEvent } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { useFocusReturn } from '../../../ui/focus.ts';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { DraftEditor } from '../../draft-editor.tsx';
import { editKey } from '../data/own-edit.ts';
import type { OpenThread } from '../data/thread.ts';
import styles from './drafts.module.css';
import { eventText } from './entries.ts';

interface MessageEditorProps {
  readonly event: WireEvent;
  readonly thread: OpenThread;
  onClose(): void;
}

/** Gives one's own message another text, in its place (T35). What was typed is stored until it is saved or cancelled. */
export function MessageEditor({ event, thread, onClose }: MessageEditorProps) {
  const draftKey = editKey(thread.id, event.id);
  const original = eventText(event);
  const { attempt, busy, refusal } = useAttempt();
  const saveLabel = busy ? 'Saving…' : 'Save';
  useFocusReturn();
  useLayoutEffect(() => {
    document.getElementById(event.id)?.scrollIntoView({ block: 'nearest' });
  }, [event.id]);

  function close(): void {
    browserStorage.setUnsent(draftKey, undefined);
    onClose();
    // The button that opened it may be gone; the row is not.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.getElementById(event.id)?.focus({ preventScroll: true });
    });
  }

  async function save(text: string): Promise<void> {
    if (text === original || (await attempt(() => thread.remote.edit(event.id, text)))) close();
  }

  return (
    <DraftEditor
      formLabel="Edit your message"
      original={original}
      draftKey={draftKey}
      label="Your message, edited"
      submitLabels={{ same: saveLabel, edited: saveLabel }}
      isBusy={busy}
      classNames={{ field: styles.field, acts: styles.acts }}
      note="This wakes nobody. Earlier versions are kept."
      onSend={save}
      onCancel={close}
    >
      <RefusalMessage reason={refusal} />
    </DraftEditor>
  );
}
