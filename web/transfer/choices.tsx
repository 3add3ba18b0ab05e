import type { ComponentProps, ReactNode } from 'react';
import styles from './dialogs.module.css';

/** Ways to go on, one below the other. */
export function Choices({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.choices}>{children}</ul>;
}

interface ChoiceButtonProps extends ComponentProps<'button'> {
  readonly name: string;
  /** What choosing it does. */
  readonly text: string;
}

export function ChoiceButton({ name, text, ...button }: ChoiceButtonProps) {
  return (
    <li>
      <button type="button" {...button} className={styles.choice}>
        <b>{name}</b> <small>{text}</small>
      </button>
    </li>
  );
}
