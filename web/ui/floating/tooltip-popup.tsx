import { Tooltip as Base } from '@base-ui/react/tooltip';
import { Kbd } from '../controls/kbd.tsx';
import popup from './popup.module.css';
import styles from './tooltip.module.css';

interface TooltipPopupProps {
  readonly anchor: Element;
  readonly label: string;
  readonly shortcut: string | undefined;
}

export function TooltipPopup({ anchor, label, shortcut }: TooltipPopupProps) {
  return (
    <Base.Root open={true}>
      <Base.Portal>
        <Base.Positioner className={`${popup.positioner} ${styles.positioner}`} anchor={anchor} sideOffset={6}>
          <Base.Popup className={styles.tooltip} aria-hidden="true">
            {label}
            {shortcut && <Kbd keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
