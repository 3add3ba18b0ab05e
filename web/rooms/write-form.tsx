import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import { kept } from '../data/browser-storage.ts';
import { useComposer } from '../shell/letter-keys.ts';
import { Refused, useWish } from '../ui/request.tsx';

interface WriteFormProps {
  /** Where what is typed is kept until it is sent. */
  readonly keep: string;
  readonly label: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly fieldLabel: string;
  readonly hint: string;
  /** What the button says. */
  readonly does: string;
  /** How it is sent, before the button. */
  readonly children?: ReactNode;
  send(text: string): Promise<unknown>;
}

/** Where one writes at the foot of a room: Enter sends, Esc leaves, and a text is kept until the server has it. */
export function WriteForm({ keep, label, field, fieldLabel, hint, does, children, send }: WriteFormProps) {
  const [text, setText] = useState(() => kept.unsent(keep)?.text ?? '');
  const { wish, busy, refusal } = useWish();
  useComposer(field);
  const isSendable = text.trim() !== '' && !busy;

  function change(next: string): void {
    setText(next);
    kept.keepUnsent(keep, { text: next });
  }

  async function submit(): Promise<void> {
    if (isSendable && (await wish(() => send(text)))) change('');
  }

  function pressed(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape') event.currentTarget.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  }

  return (
    <form
      className="composer"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={fieldLabel}
        placeholder={hint}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={pressed}
      />
      <div className="composer-foot">
        {children}
        <button type="submit" className="act send" disabled={!isSendable}>
          {does}
        </button>
      </div>
      <Refused because={refusal} />
    </form>
  );
}
