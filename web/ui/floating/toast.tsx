import { Toast as Base } from '@base-ui/react/toast';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { Button, IconButton } from '../controls/button.tsx';
import { Glyph } from '../icon.tsx';
import styles from './toast.module.css';

const manager = Base.createToastManager();

interface ToastOptions {
  readonly message: string;
  readonly kind?: 'success' | 'failure';
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

/** A sentence at the bottom of the page. A failure stays until it is closed. */
export function showToast({ message, kind = 'success', action }: ToastOptions): void {
  const id = manager.add({
    title: message,
    type: kind,
    ...(kind === 'failure' ? { timeout: 0 } : {}),
    ...(action && {
      actionProps: {
        children: action.label,
        onClick: () => {
          manager.close(id);
          action.onPress();
        },
      },
    }),
  });
}

/** Where toasts appear: once, around the page. */
export function Toasts() {
  return (
    <Base.Provider toastManager={manager}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className={styles.toast}>
      <span className={toast.type === 'failure' ? styles.failure : styles.success}>
        <Glyph icon={toast.type === 'failure' ? TriangleAlert : CircleCheck} />
      </span>
      <Base.Title className={styles.message} render={<p />} />
      {toast.actionProps && <Base.Action render={<Button kind="quiet" />} />}
      <Base.Close render={<IconButton icon={X} label="Dismiss" />} />
    </Base.Root>
  ));
}
