import styles from './kbd.module.css';

/** A key to press. Screen readers hear it from `aria-keyshortcuts` of the control it belongs to. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd does not take the focus
    <kbd className={styles.kbd} aria-hidden="true">
      {keys.length === 1 ? keys.toUpperCase() : keys}
    </kbd>
  );
}
