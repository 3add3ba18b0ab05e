import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import { Button } from './button.tsx';
import styles from './segments.module.css';

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** One of a few ways to show the same thing. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  return (
    <ToggleGroup
      aria-label={label}
      className={styles.segments}
      value={[value]}
      onValueChange={([next]) => next !== undefined && onChange(next as T)}
    >
      {options.map((option) => (
        <Toggle key={option.value} value={option.value} render={<Button kind="quiet" />}>
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
