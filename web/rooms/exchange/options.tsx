import type { ReactNode } from 'react';
import { Kbd } from '../../ui/controls/kbd.tsx';
import { Glyph, type Icon } from '../../ui/icon.tsx';
import styles from './options.module.css';

export interface Option<Value extends string> {
  readonly value: Value;
  readonly icon: Icon;
  /** The verb. */
  readonly name: string;
  /** The consequence. */
  readonly effect: string;
  readonly shortcut?: string | undefined;
  /** Choosing it opens a form below it. */
  readonly hasForm?: boolean;
}

interface OptionsProps<Value extends string> {
  readonly options: readonly Option<Value>[];
  /** The option whose form is open. */
  readonly selected?: Value | undefined;
  readonly isDisabled?: boolean;
  onSelect(value: Value): void;
  /** The form of the open option. */
  readonly children?: ReactNode;
}

/** Ways to go on as one joined list: verb, consequence, key. */
export function Options<Value extends string>(props: OptionsProps<Value>) {
  const { options, selected, isDisabled = false, onSelect, children } = props;
  return (
    <ul className={styles.options}>
      {options.map(({ value, icon, name, effect, shortcut, hasForm }) => (
        <li key={value}>
          <button
            type="button"
            className={styles.option}
            aria-expanded={hasForm ? selected === value : undefined}
            aria-keyshortcuts={shortcut}
            disabled={isDisabled}
            onClick={() => onSelect(value)}
          >
            <Glyph icon={icon} />
            <span>
              <b>{name}</b> <small>{effect}</small>
            </span>
            {shortcut && <Kbd keys={shortcut} />}
          </button>
          {selected === value && <div className={styles.form}>{children}</div>}
        </li>
      ))}
    </ul>
  );
}
