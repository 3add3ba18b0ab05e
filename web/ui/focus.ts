/**
 * As `ref`: an element that comes because somebody wants to write in it has the focus before anything else can
 * happen, so that the next key is its own.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
