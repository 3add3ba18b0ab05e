import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { Kbd } from '../controls/kbd.tsx';
import popup from './popup.module.css';
import styles from './tooltip.module.css';

interface TooltipProps {
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly children: ReactElement;
}

/** The name of an icon and its key, on hover and on focus. The control has the name itself for screen readers. */
export function Tooltip({ label, shortcut, children }: TooltipProps) {
  return (
    <Base.Root
      onOpenChange={(_open, details) => {
        // Esc belongs to the dialog or menu that the control is in; the tooltip goes with it.
        if (details.reason === 'escape-key') details.allowPropagation();
      }}
    >
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className={popup.positioner} sideOffset={6}>
          <Base.Popup className={styles.tooltip} aria-hidden="true">
            {label}
            {shortcut && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
