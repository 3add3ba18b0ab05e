import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { kept } from '../../data/browser-storage.ts';
import { Refused, useWish } from '../../ui/request.tsx';

interface ReasonFormProps {
  readonly label: string;
  /** What the button says. */
  readonly does: string;
  /** Under which name what is typed is kept until it was sent. */
  readonly keep: string;
  readonly placeholder?: string;
  /** Whether it may be left empty. */
  readonly isOptional?: boolean;
  readonly children?: ReactNode;
  send(reason: string, form: FormData): Promise<unknown>;
  onClose(): void;
}

/** Whatever the observer does to the pool has a reason, which is written down. */
export function ReasonForm({ label, does, keep, placeholder, isOptional, children, send, onClose }: ReasonFormProps) {
  const [reason, setReason] = useState(() => kept.unsent(keep)?.text ?? '');
  const { wish, busy, refusal } = useWish();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), []);
  return (
    <form
      ref={form}
      className="reason-form"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
      }}
      onSubmit={async (event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        if (!(await wish(() => send(reason.trim(), given)))) return;
        kept.keepUnsent(keep, undefined);
        onClose();
      }}
    >
      {children}
      <input
        aria-label="Reason"
        placeholder={placeholder ?? (isOptional ? 'Reason, if you want to give one' : 'Reason')}
        dir="auto"
        required={!isOptional}
        maxLength={4000}
        autoComplete="off"
        value={reason}
        onChange={(event) => {
          setReason(event.target.value);
          kept.keepUnsent(keep, { text: event.target.value });
        }}
      />
      <p className="choices">
        <button type="submit" className="act strong" disabled={busy || (!isOptional && reason.trim() === '')}>
          {does}
        </button>
        <button type="button" className="act" onClick={onClose}>
          Leave it
        </button>
      </p>
      <Refused because={refusal} />
    </form>
  );
}
