import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { browserStorage } from '../../data/browser-storage.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import styles from './reason-form.module.css';

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
      className={styles.form}
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
      <TextField
        label="Reason"
        placeholder={placeholder ?? (isOptional ? 'Optional' : '')}
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
      <p className={styles.foot}>
        <Button type="submit" kind="primary" disabled={busy || (!isOptional && reason.trim() === '')}>
          {sendLabel}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </p>
      <RefusalMessage reason={refusal} />
    </form>
  );
}
