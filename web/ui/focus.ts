import { useLayoutEffect, useState } from 'react';

/**
 * A `ref` for an element that appears because the person wants to write in it: it has the focus
 * before anything else can happen, so that it receives the next key.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}

/** While mounted the focus is elsewhere; afterwards it is where it was, before anything else can happen. */
export function useFocusReturn(): void {
  const [previous] = useState(() => document.activeElement);
  useLayoutEffect(
    () => () => {
      if (previous instanceof HTMLElement && previous.isConnected) previous.focus({ preventScroll: true });
    },
    [previous],
  );
}
