import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import type { Attachment } from '../../src/client/index.ts';
import { browserStorage } from '../data/browser-storage.ts';
import { useLetterField } from '../shell/letter-keys.ts';
import { ComposerBox } from '../ui/composer-box.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { isSendKey } from '../ui/send-key.ts';
import { useAttachments } from './attachments/use-attachments.tsx';

interface WriteFormProps {
  /** The storage key of the text until it is sent. */
  readonly draftKey: string;
  readonly label: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly fieldLabel: string;
  readonly hint: string;
  /** The label of the button. */
  readonly submitLabel: string;
  /** What the text belongs to, above it. */
  readonly above?: ReactNode;
  /** What happens to the text, beside the button. */
  readonly note?: string;
  /** Options for sending, in front of the button. */
  readonly children?: ReactNode;
  onSend(message: { readonly text: string; readonly attachments?: Attachment[] }): Promise<unknown>;
}

/** The form at the bottom of a room: Enter sends, Esc leaves, and the text is stored until the server has it. */
export function WriteForm(props: WriteFormProps) {
  const { draftKey, label, field, fieldLabel, hint, submitLabel, above, note, children, onSend } = props;
  const [text, setText] = useState(() => browserStorage.unsent(draftKey)?.text ?? '');
  const { attempt, busy, refusal } = useAttempt();
  useLetterField(field);
  const files = useAttachments(draftKey, field);
  const canSend = (text.trim() !== '' || files.hasFiles) && files.isReady && !busy;

  function updateText(next: string): void {
    setText(next);
    browserStorage.setUnsent(draftKey, { text: next });
  }

  async function submit(): Promise<void> {
    if (!canSend || !(await attempt(() => onSend(files.messageOf(text))))) return;
    updateText('');
    files.clear();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape') event.currentTarget.blur();
    if (!isSendKey(event)) return;
    event.preventDefault();
    void submit();
  }

  return (
    <ComposerBox
      label={label}
      hint={note}
      field={{
        ref: field,
        'aria-label': fieldLabel,
        placeholder: hint,
        value: text,
        onChange: (event) => updateText(event.target.value),
        onKeyDown,
        onPaste: files.onPaste,
      }}
      above={
        <>
          {above}
          {files.tray}
        </>
      }
      tools={
        <>
          {files.button}
          {children}
        </>
      }
      sendLabel={submitLabel}
      canSend={canSend}
      onSend={() => void submit()}
    >
      <RefusalMessage reason={refusal} />
    </ComposerBox>
  );
}
