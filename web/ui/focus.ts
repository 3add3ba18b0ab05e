/**
 * A `ref` for an element that appears because the person wants to write in it: it has the focus
 * before anything else can happen, so that it receives the next key.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
