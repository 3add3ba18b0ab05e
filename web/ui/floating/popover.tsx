import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import styles from './popover.module.css';
import popup from './popup.module.css';

interface PopoverProps {
  readonly trigger: ReactElement;
  readonly title: string;
  readonly children: ReactNode;
}

/** A small card that a button opens beside itself. */
export function Popover({ trigger, title, children }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={popup.positioner} sideOffset={6} align="start">
          <Base.Popup className={`${popup.popup} ${styles.popover}`}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
