import { type ReactNode, useEffect } from 'react';
import { createLoadable } from '../loadable.ts';

export interface DialogProps {
  readonly title: string;
  readonly description?: string;
  /** Icon buttons beside Close. */
  readonly actions?: ReactNode;
  /** Buttons: the one that closes first, the primary one last. */
  readonly footer?: ReactNode;
  /** Wide: for texts side by side. Side: at the right edge, over its whole height. Full: the whole page. */
  readonly size?: 'small' | 'large' | 'wide' | 'side' | 'full';
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** No first view has a dialog open, so what draws it comes after the first room. */
const popup = createLoadable<DialogProps>(async () => (await import('./dialog-popup.tsx')).DialogPopup);
export const loadDialog = popup.load;

/** Over the page while it is mounted; Esc or a press outside closes it. On a phone it is a sheet at the bottom. */
export function Dialog(props: DialogProps) {
  const Popup = popup.useComponent();
  useEffect(() => void popup.load(), []);
  if (Popup) return <Popup {...props} />;
  // It is there for keys already: none of the room's is meant now.
  return <div role="dialog" aria-label={props.title} aria-busy="true" data-modal="" />;
}
