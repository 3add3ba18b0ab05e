import { Switch as Base } from '@base-ui/react/switch';
import type { ReactNode } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  readonly label: ReactNode;
  /** What it does when it is on. */
  readonly hint?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** On or off, in force at once. */
export function Switch({ label, hint, checked, disabled = false, onChange }: SwitchProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control
    <label className={styles.row}>
      <Base.Root className={styles.switch} checked={checked} disabled={disabled} onCheckedChange={onChange}>
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
      <span>
        {label}
        {hint && <small className={styles.hint}>{hint}</small>}
      </span>
    </label>
  );
}
