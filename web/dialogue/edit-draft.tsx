import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { kept } from '../kept.ts';
import type { Draft } from './reads.ts';

interface EditDraftProps {
  readonly draft: Draft;
  /** Where an unfinished edit is kept. */
  readonly keep: string;
  onAccept(text: string): Promise<unknown>;
  onLeave(): void;
}

/** A draft as the person makes it; both texts and the difference are kept (D5). Leaving keeps what was typed. */
export function EditDraft({ draft, keep, onAccept, onLeave }: EditDraftProps) {
  const [text, setText] = useState(() => kept.unsent(keep)?.text ?? draft.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);

  function change(next: string): void {
    setText(next);
    kept.keepUnsent(keep, next === draft.text ? undefined : { text: next });
  }

  async function accept(): Promise<void> {
    if (text.trim() !== '' && (await onAccept(text))) kept.keepUnsent(keep, undefined);
  }

  function pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') onLeave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void accept();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <form
      aria-label={`Edit draft ${draft.index}`}
      onSubmit={(event) => {
        event.preventDefault();
        void accept();
      }}
    >
      <textarea
        ref={field}
        className="passage"
        aria-label={`Draft ${draft.index} as you accept it`}
        dir="auto"
        rows={Math.min(20, Math.ceil(text.length / 60) + 1)}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={pressed}
      />
      <p className="draft-acts">
        <button type="submit" className="act accept" title="Ctrl Enter" disabled={text.trim() === ''}>
          {text === draft.text ? `Accept #${draft.index}` : `Accept #${draft.index} with these edits`}
        </button>
        <button type="button" className="act" title="Esc" onClick={onLeave}>
          Leave it
        </button>
      </p>
    </form>
  );
}
