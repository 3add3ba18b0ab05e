import { Field as Base } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  /** Only screen readers read it. */
  readonly isLabelHidden?: boolean | undefined;
  readonly hint?: ReactNode;
  /** What is wrong with the value and what to do, as a sentence. */
  readonly error?: string | undefined;
}

/** A line of text with its label; an error replaces the hint. */
export function TextField({ label, isLabelHidden, hint, error, ...rest }: FieldProps & ComponentProps<'input'>) {
  return (
    <Labelled label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      <Base.Control {...rest} className={styles.input} />
    </Labelled>
  );
}

/** Lines of text that grow with what is written. */
export function TextArea({ label, hint, error, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      <Base.Control render={<textarea {...rest} />} className={`${styles.input} ${styles.area}`} />
    </Labelled>
  );
}

/** The label, hint and error of any control. */
export function Labelled({
  label,
  isLabelHidden,
  hint,
  error,
  children,
}: FieldProps & { readonly children: ReactNode }) {
  return (
    <Base.Root className={styles.field} invalid={error !== undefined}>
      <Base.Label className={isLabelHidden ? 'unseen' : styles.label}>{label}</Base.Label>
      {children}
      {error !== undefined && (
        <Base.Error className={styles.error} match={true} role="alert">
          {error}
        </Base.Error>
      )}
      {error === undefined && hint !== undefined && <Base.Description className={styles.hint}>{hint}</Base.Description>}
    </Base.Root>
  );
}
