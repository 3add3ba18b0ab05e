import { type ReactNode, useId } from 'react';
import styles from './radio-cards.module.css';

export interface RadioCard<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  /** What choosing it means. */
  readonly hint?: ReactNode;
  /** In front of the label, such as a face. */
  readonly face?: ReactNode;
  readonly disabled?: boolean;
}

interface RadioCardsProps<T extends string> {
  readonly label: string;
  readonly value: T | undefined;
  readonly options: readonly RadioCard<T>[];
  readonly onChange: (value: T) => void;
}

/** One of a few, each with a sentence that says what it means. */
export function RadioCards<T extends string>({ label, value, options, onChange }: RadioCardsProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.cards} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.card}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.face}
          <span className={styles.words}>
            <b>{option.label}</b>
            {option.hint && <small dir="auto">{option.hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
