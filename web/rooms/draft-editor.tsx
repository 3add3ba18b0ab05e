import { type KeyboardEvent, useState } from 'react';
import { kept } from '../data/browser-storage.ts';
import { takesFocus } from '../ui/focus.ts';

interface EditDraftProps {
  readonly index: number;
  readonly drafted: string;
  /** Where an unfinished edit is kept. */
  readonly keep: string;
  /** What the field is called. */
  readonly label: string;
  /** What the button says while nothing is changed, and after. */
  readonly does: { readonly same: string; readonly edited: string };
  readonly looks: { readonly field: string; readonly acts: string; readonly send: string };
  onSend(text: string): Promise<unknown>;
  onLeave(): void;
}

const MOST_ROWS = 20;

/** A draft as the person makes it; both texts and the difference are kept (D5, T19). Leaving keeps what was typed. */
export function EditDraft({ index, drafted, keep, label, does, looks, onSend, onLeave }: EditDraftProps) {
  const [text, setText] = useState(() => kept.unsent(keep)?.text ?? drafted);

  function change(next: string): void {
    setText(next);
    kept.keepUnsent(keep, next === drafted ? undefined : { text: next });
  }

  async function send(): Promise<void> {
    if (text.trim() !== '' && (await onSend(text))) kept.keepUnsent(keep, undefined);
  }

  function pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') onLeave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <form
      aria-label={`Edit draft ${index}`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={takesFocus}
        className={looks.field}
        aria-label={label}
        dir="auto"
        rows={Math.min(MOST_ROWS, Math.ceil(text.length / 60) + 1)}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={pressed}
      />
      <p className={looks.acts}>
        <button type="submit" className={looks.send} title="Ctrl Enter" disabled={text.trim() === ''}>
          {text === drafted ? does.same : does.edited}
        </button>
        <button type="button" className="act" title="Esc" onClick={onLeave}>
          Leave it
        </button>
      </p>
    </form>
  );
}
