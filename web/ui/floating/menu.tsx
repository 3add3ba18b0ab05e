import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
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

interface MenuCheckProps {
  readonly checked: boolean;
  /** A face or an icon before the words. */
  readonly face?: ReactNode;
  /** What choosing it means. */
  readonly hint?: string | undefined;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** One of several things that can be on at the same time; the menu stays open. */
export function MenuCheck({ checked, face, hint, onChange, children }: MenuCheckProps) {
  return (
    <Base.CheckboxItem className={popup.item} checked={checked} onCheckedChange={onChange} closeOnClick={false}>
      {face}
      <span className={popup.grow}>
        {children}
        {hint && <small className={popup.hint}>{hint}</small>}
      </span>
      <span className={popup.tick}>
        <Base.CheckboxItemIndicator>
          <Glyph icon={Check} />
        </Base.CheckboxItemIndicator>
      </span>
    </Base.CheckboxItem>
  );
}

export function MenuSeparator() {
  return <Base.Separator className={popup.separator} />;
}
