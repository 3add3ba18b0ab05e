import { Menu as Base } from '@base-ui/react/menu';
import { MenuParts, type MenuProps } from './menu.tsx';
import popup from './popup.module.css';

/** The open menu, with its button. */
export function MenuPopup({ trigger, children }: MenuProps) {
  return (
    <MenuParts value={Base}>
      <Base.Root modal={false} defaultOpen={true}>
        <Base.Trigger render={trigger} />
        <Base.Portal>
          <Base.Positioner className={popup.positioner} sideOffset={4} align="start">
            <Base.Popup className={popup.popup}>{children}</Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </MenuParts>
  );
}
