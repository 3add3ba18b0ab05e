import { Suspense } from 'react';
import { createStore, useStore } from '../../data/store.ts';
import { lazyWithRetry } from '../lazy.ts';

export interface ToastOptions {
  readonly message: string;
  readonly kind?: 'success' | 'failure';
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

/** The first toast loads what shows them. */
const isNeeded = createStore(false);
const loadHost = () => import('./toast-host.tsx');
const ToastHost = lazyWithRetry(async () => (await loadHost()).Toasts);

/** A sentence at the bottom of the page. A failure stays until it is closed. */
export function showToast(options: ToastOptions): void {
  isNeeded.set(true);
  void loadHost().then(({ addToast }) => addToast(options));
}

/** Where toasts appear: once, around the page. */
export function Toasts() {
  if (!useStore(isNeeded)) return null;
  return (
    <Suspense>
      <ToastHost />
    </Suspense>
  );
}
