import { Toast as Base } from '@base-ui/react/toast';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { Glyph } from '../icon.tsx';
import styles from './toast.module.css';
import type { ToastOptions } from './toast.tsx';

const manager = Base.createToastManager();
/** Toasts from before there was a place to show them. */
let waiting: ToastOptions[] | undefined = [];

/** Adds a toast to those that are shown, as soon as they can be. */
export function addToast(options: ToastOptions): void {
  if (waiting) waiting.push(options);
  else add(options);
}

function add({ message, kind = 'success', action }: ToastOptions): void {
  const id = manager.add({
    title: message,
    type: kind,
    ...(kind === 'failure' ? { timeout: 0, priority: 'high' as const } : {}),
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
  // The provider listens from its own effect on, which runs before this one.
  useEffect(() => {
    const earlier = waiting ?? [];
    waiting = undefined;
    for (const options of earlier) add(options);
  }, []);
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
    // Its buttons can be reached, so it is not hidden from screen readers, though an alert has said it.
    <Base.Root key={toast.id} toast={toast} className={styles.toast} aria-hidden={false}>
      <span className={toast.type === 'failure' ? styles.failure : styles.success}>
        <Glyph icon={toast.type === 'failure' ? TriangleAlert : CircleCheck} />
      </span>
      <Base.Title className={styles.message} render={<p />} />
      {toast.actionProps && <Base.Action aria-hidden={false} render={<Button kind="quiet" />} />}
      <Base.Close aria-hidden={false} render={<IconButton icon={X} label="Dismiss" />} />
    </Base.Root>
  ));
}
