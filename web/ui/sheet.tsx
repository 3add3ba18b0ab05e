import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

interface SheetProps {
  readonly label: string;
  /** `page`: it covers the whole page. */
  readonly side?: 'right' | 'page' | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal sheet over the page: it takes the focus, and Esc or a click outside closes it. */
export function Sheet({ label, side, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser scrolls to the first button, which may be the last thing in the sheet.
    element?.scrollTo({ top: 0, behavior: 'instant' });
    return () => element?.close(); // Restores the focus.
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself
    <dialog
      ref={dialog}
      aria-label={label}
      className={side ? `sheet ${side}` : 'sheet'}
      onCancel={(event) => {
        event.preventDefault(); // The browser fires `close` later, when another sheet may be open.
        onClose();
      }}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="sheet-inside">{children}</div>
    </dialog>
  );
}

const narrowQuery = typeof matchMedia === 'undefined' ? undefined : matchMedia('(max-width: 760px)');
const wideQuery = typeof matchMedia === 'undefined' ? undefined : matchMedia('(min-width: 1080px)');

/** Whether the page is too narrow to show list and panel next to the text. */
export function useIsNarrow(): boolean {
  return useMediaQuery(narrowQuery);
}

export function useIsWide(): boolean {
  return useMediaQuery(wideQuery);
}

function useMediaQuery(query: MediaQueryList | undefined): boolean {
  return useSyncExternalStore(
    (onChange) => {
      query?.addEventListener('change', onChange);
      return () => query?.removeEventListener('change', onChange);
    },
    () => query?.matches ?? false,
  );
}
