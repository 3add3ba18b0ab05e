import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { browserStorage } from '../../data/browser-storage.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';

interface ReasonFormProps {
  readonly label: string;
  /** The label of the button. */
  readonly sendLabel: string;
  /** The key under which unsent text is kept. */
  readonly storageKey: string;
  readonly placeholder?: string;
  /** Whether the reason may be empty. */
  readonly isOptional?: boolean;
  readonly children?: ReactNode;
  onSend(reason: string, form: FormData): Promise<unknown>;
  onClose(): void;
}

/** Asks for the reason that is recorded with every action of the observer on the pool. */
export function ReasonForm({
  label,
  sendLabel,
  storageKey,
  placeholder,
  isOptional,
  children,
  onSend,
  onClose,
}: ReasonFormProps) {
  const [reason, setReason] = useState(() => browserStorage.unsent(storageKey)?.text ?? '');
  const { attempt, busy, refusal } = useAttempt();
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
        const formData = new FormData(event.currentTarget);
        if (!(await attempt(() => onSend(reason.trim(), formData)))) return;
        browserStorage.setUnsent(storageKey, undefined);
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
          browserStorage.setUnsent(storageKey, { text: event.target.value });
        }}
      />
      <p className="choices">
        <button type="submit" className="act strong" disabled={busy || (!isOptional && reason.trim() === '')}>
          {sendLabel}
        </button>
        <ActionButton onClick={onClose}>Cancel</ActionButton>
      </p>
      <RefusalMessage reason={refusal} />
    </form>
  );
}
