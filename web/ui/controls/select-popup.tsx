import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import popup from '../floating/popup.module.css';
import { Glyph } from '../icon.tsx';
import { Labelled } from './field.tsx';
import styles from './select.module.css';
import type { SelectProps } from './select.tsx';

/** A select as the library draws it. */
export function SelectPopup(props: SelectProps<string>) {
  const {
    label,
    isLabelHidden,
    hint,
    error,
    value,
    options,
    placeholder = 'Choose',
    disabled = false,
    onChange,
  } = props;
  // What is outside a native dialog cannot be pressed while it is open.
  const [dialog, setDialog] = useState<HTMLElement | null>(null);
  return (
    <Labelled label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      <Base.Root
        value={value}
        disabled={disabled}
        items={[...options]}
        onValueChange={(next) => next !== null && onChange(next)}
      >
        <Base.Trigger className={styles.trigger} ref={(trigger) => setDialog(trigger?.closest('dialog') ?? null)}>
          <Base.Value placeholder={placeholder} className={styles.value} />
          <Base.Icon className={styles.icon}>
            <Glyph icon={ChevronsUpDown} size={14} />
          </Base.Icon>
        </Base.Trigger>
        <Base.Portal {...(dialog && { container: dialog })}>
          <Base.Positioner className={popup.positioner} sideOffset={4} alignItemWithTrigger={false}>
            <Base.Popup className={`${popup.popup} ${styles.popup}`}>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={popup.item}>
                  <span className={styles.tick}>
                    <Base.ItemIndicator>
                      <Glyph icon={Check} />
                    </Base.ItemIndicator>
                  </span>
                  <span>
                    <Base.ItemText>{option.label}</Base.ItemText>
                    {option.hint && <small className={popup.hint}>{option.hint}</small>}
                  </span>
                </Base.Item>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </Labelled>
  );
}
