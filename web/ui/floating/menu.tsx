import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from '../controls/kbd.tsx';
import { Glyph, type Icon } from '../icon.tsx';
import popup from './popup.module.css';

interface MenuProps {
  /** A button. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
}

/** Actions that one button opens; its children are `MenuItem` and `MenuSeparator`. */
export function Menu({ trigger, children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={popup.positioner} sideOffset={4} align="start">
          <Base.Popup className={popup.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  readonly icon?: Icon;
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, shortcut, danger, disabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item
      className={danger ? `${popup.item} ${popup.danger}` : popup.item}
      disabled={disabled}
      aria-keyshortcuts={shortcut}
      onClick={onSelect}
    >
      {icon && <Glyph icon={icon} />}
      <span>{children}</span>
      {shortcut && <Kbd keys={shortcut} />}
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className={popup.separator} />;
}
