import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useFocusReturn } from '../focus.ts';
import styles from './dialog.module.css';

interface ModalProps {
  /** Its name for screen readers, where no `Dialog.Title` is inside. */
  readonly label?: string;
  readonly className: string | undefined;
  /** At the top of the page, and all of a phone: for what is typed in, as the keyboard takes the bottom. */
  readonly isAtTop?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A layer over the page while it is mounted. The focus goes in before the next key can come and goes back, at once,
 * when it is unmounted. Esc or a press outside closes it; no key of the room works under it (`data-modal`).
 */
export function Modal({ label, className, isAtTop = false, onClose, children }: ModalProps) {
  useFocusReturn();
  return (
    <Base.Root open={true} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={isAtTop ? `${styles.viewport} ${styles.top}` : styles.viewport}>
          <Base.Popup className={className} aria-label={label} data-modal="" initialFocus={false} finalFocus={false}>
            <FocusedContent>{children}</FocusedContent>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** Focuses the first field, or else the layer itself, unless a child has taken the focus already. */
function FocusedContent({ children }: { readonly children: ReactNode }) {
  const marker = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const popup = marker.current?.closest<HTMLElement>('[data-modal]');
    if (!popup || popup.contains(document.activeElement)) return;
    const field = popup.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select');
    (field ?? popup).focus({ preventScroll: true });
  }, []);
  return (
    <>
      <span ref={marker} hidden />
      {children}
    </>
  );
}
