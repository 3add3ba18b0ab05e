import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { IconButton } from '../controls/button.tsx';
import styles from './dialog.module.css';
import type { DialogProps } from './dialog.tsx';
import { Modal } from './modal.tsx';

/** A dialog as the library draws it. */
export function DialogPopup({ title, description, actions, footer, size = 'small', onClose, children }: DialogProps) {
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
