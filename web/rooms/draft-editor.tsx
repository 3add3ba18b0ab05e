import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { Button } from '../ui/controls/button.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';

interface DraftEditorProps {
  readonly formLabel: string;
  readonly original: string;
  /** The storage key of an unfinished edit. */
  readonly draftKey: string;
  /** The label of the field. */
  readonly label: string;
  /** The label of the button before and after the text is edited. */
  readonly submitLabels: { readonly same: string; readonly edited: string };
  readonly classNames: {
    readonly field?: string | undefined;
    readonly acts?: string | undefined;
    readonly send?: string;
  };
  /** It is being sent. */
  readonly isBusy?: boolean;
  /** What happens to the text, beside the buttons. */
  readonly note?: string;
  readonly children?: ReactNode;
  onSend(text: string): Promise<unknown>;
  onCancel(): void;
}

const MAX_ROWS = 20;

/** An editor for a draft; both texts and their diff are kept (D5, T19). Cancelling keeps what was typed. */
export function DraftEditor({
  formLabel,
  original,
  draftKey,
  label,
  submitLabels,
  classNames,
  isBusy = false,
  note,
  children,
  onSend,
  onCancel,
}: DraftEditorProps) {
  const [text, setText] = useState(() => browserStorage.unsent(draftKey)?.text ?? original);

  function updateText(next: string): void {
    setText(next);
    browserStorage.setUnsent(draftKey, next === original ? undefined : { text: next });
  }

  async function send(): Promise<void> {
    if (text.trim() !== '' && !isBusy && (await onSend(text))) browserStorage.setUnsent(draftKey, undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <form aria-label={formLabel} onSubmit={handleSubmit(send)}>
      <textarea
        ref={focusOnMount}
        className={classNames.field}
        aria-label={label}
        dir="auto"
        rows={Math.min(MAX_ROWS, Math.ceil(text.length / 60) + 1)}
        value={text}
        onChange={(event) => updateText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p className={classNames.acts}>
        <Button
          type="submit"
          kind="primary"
          className={classNames.send}
          title="Ctrl Enter"
          disabled={text.trim() === '' || isBusy}
        >
          {text === original ? submitLabels.same : submitLabels.edited}
        </Button>
        <Button kind="quiet" title="Esc" onClick={onCancel}>
          Cancel
        </Button>
        {note && <small>{note}</small>}
      </p>
      {children}
    </form>
  );
}
