import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly description?: string;
  /** Buttons: the one that closes first, the primary one last. */
  readonly footer?: ReactNode;
  readonly size?: 'small' | 'large';
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Over the page while it is mounted; Esc or a press outside closes it. On a phone it is a sheet at the bottom. */
export function Dialog({ title, description, footer, size = 'small', onClose, children }: DialogProps) {
  return (
    <Base.Root open={true} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup className={`${styles.dialog} ${styles[size]}`}>
            <header className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Close render={<IconButton icon={X} label="Close" shortcut="Esc" />} />
            </header>
            <div className={styles.body}>
              {description && <Base.Description className={styles.description}>{description}</Base.Description>}
              {children}
            </div>
            {footer && <footer className={styles.foot}>{footer}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
