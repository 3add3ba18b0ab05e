import type { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import {
  cloneElement,
  createContext,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useState,
} from 'react';
import { Kbd } from '../controls/kbd.tsx';
import { Glyph, type Icon } from '../icon.tsx';
import { createLoadable } from '../loadable.ts';
import popup from './popup.module.css';

export interface MenuProps {
  /** A button. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
}

/** The library weighs a quarter of the first load, so it comes with the first menu that somebody turns to. */
const popupPart = createLoadable<MenuProps>(async () => (await import('./menu-popup.tsx')).MenuPopup);
const load = () => void popupPart.load();

/** Actions that one button opens; its children are `MenuItem` and `MenuSeparator`. */
export function Menu({ trigger, children }: MenuProps) {
  const [wasOpened, setOpened] = useState(false);
  const Popup = popupPart.useComponent();
  if (Popup && wasOpened) return <Popup trigger={trigger}>{children}</Popup>;
  const open = () => {
    setOpened(true);
    load();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    open();
  };
  return cloneElement(trigger as ReactElement<HTMLAttributes<HTMLElement>>, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: load,
    onFocus: load,
    onClick: open,
    onKeyDown,
  });
}

/** The library's parts, which only an open menu has. */
export const MenuParts = createContext<typeof Base | undefined>(undefined);

function useParts(): typeof Base {
  const parts = useContext(MenuParts);
  if (!parts) throw new Error('Only a menu has items.');
  return parts;
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
  const { Item } = useParts();
  return (
    <Item
      className={danger ? `${popup.item} ${popup.danger}` : popup.item}
      disabled={disabled}
      aria-keyshortcuts={shortcut}
      onClick={onSelect}
    >
      {icon && <Glyph icon={icon} />}
      <span>{children}</span>
      {shortcut && <Kbd keys={shortcut} />}
    </Item>
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
  const { CheckboxItem, CheckboxItemIndicator } = useParts();
  return (
    <CheckboxItem className={popup.item} checked={checked} onCheckedChange={onChange} closeOnClick={false}>
      {face}
      <span className={popup.grow}>
        {children}
        {hint && <small className={popup.hint}>{hint}</small>}
      </span>
      <span className={popup.tick}>
        <CheckboxItemIndicator>
          <Glyph icon={Check} />
        </CheckboxItemIndicator>
      </span>
    </CheckboxItem>
  );
}

export function MenuSeparator() {
  const { Separator } = useParts();
  return <Separator className={popup.separator} />;
}
