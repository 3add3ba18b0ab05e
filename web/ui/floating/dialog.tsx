import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import styles from './dialog.module.css';
import { Modal } from './modal.tsx';

interface DialogProps {
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

/** Over the page while it is mounted; Esc or a press outside closes it. On a phone it is a sheet at the bottom. */
export function Dialog({ title, description, actions, footer, size = 'small', onClose, children }: DialogProps) {
  return (
    <Modal className={`${styles.dialog} ${styles[size]}`} onClose={onClose}>
      <header className={styles.head}>
        <Base.Title className={styles.title}>{title}</Base.Title>
        {actions}
        <Base.Close render={<IconButton icon={X} label="Close" shortcut="Esc" />} />
      </header>
      <div className={styles.body}>
        {description && <Base.Description className={styles.description}>{description}</Base.Description>}
        {children}
      </div>
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </Modal>
  );
}
