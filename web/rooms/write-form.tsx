import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { useLetterField } from '../shell/letter-keys.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';

interface WriteFormProps {
  /** The storage key of the text until it is sent. */
  readonly draftKey: string;
  readonly label: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly fieldLabel: string;
  readonly hint: string;
  /** The label of the button. */
  readonly submitLabel: string;
  /** Options for sending, in front of the button. */
  readonly children?: ReactNode;
  onSend(text: string): Promise<unknown>;
}

/** The form at the bottom of a room: Enter sends, Esc leaves, and the text is stored until the server has it. */
export function WriteForm({ draftKey, label, field, fieldLabel, hint, submitLabel, children, onSend }: WriteFormProps) {
  const [text, setText] = useState(() => browserStorage.unsent(draftKey)?.text ?? '');
  const { attempt, busy, refusal } = useAttempt();
  useLetterField(field);
  const canSend = text.trim() !== '' && !busy;

  function updateText(next: string): void {
    setText(next);
    browserStorage.setUnsent(draftKey, { text: next });
  }

  async function submit(): Promise<void> {
    if (canSend && (await attempt(() => onSend(text)))) updateText('');
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape') event.currentTarget.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  }

  return (
    <form className="composer" aria-label={label} onSubmit={handleSubmit(submit)}>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={fieldLabel}
        placeholder={hint}
        value={text}
        onChange={(event) => updateText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="composer-foot">
        {children}
        <button type="submit" className="act send" disabled={!canSend}>
          {submitLabel}
        </button>
      </div>
      <RefusalMessage reason={refusal} />
    </form>
  );
}
