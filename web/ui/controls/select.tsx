import { type ComponentType, useEffect } from 'react';
import { createLoadable } from '../loadable.ts';
import { Labelled } from './field.tsx';
import styles from './select.module.css';

export interface SelectOption<T extends string> {
  readonly value: T;
  readonly label: string;
  /** What choosing it means. */
  readonly hint?: string;
}

export interface SelectProps<T extends string> {
  readonly label: string;
  /** What stands beside it says what it is for. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly value: T | null;
  readonly options: readonly SelectOption<T>[];
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly onChange: (value: T) => void;
}

/** It comes with the first select that is shown: no room begins with one. */
const popup = createLoadable<SelectProps<string>>(async () => (await import('./select-popup.tsx')).SelectPopup);

/** For a form whose first field is a select. */
export const loadSelect = popup.load;

/** One of several values. */
export function Select<T extends string>(props: SelectProps<T>) {
  const Popup = popup.useComponent() as ComponentType<SelectProps<T>> | undefined;
  useEffect(() => void popup.load(), []);
  if (Popup) return <Popup {...props} />;
  const { label, isLabelHidden, hint, error, value, options, placeholder } = props;
  return (
    <Labelled label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      <button type="button" disabled className={styles.trigger}>
        <span className={styles.value}>{options.find((option) => option.value === value)?.label ?? placeholder}</span>
      </button>
    </Labelled>
  );
}
