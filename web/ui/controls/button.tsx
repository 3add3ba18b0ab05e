import type { ComponentProps } from 'react';
import { Tooltip } from '../floating/tooltip.tsx';
import { Glyph, type Icon } from '../icon.tsx';
import styles from './button.module.css';
import { Kbd } from './kbd.tsx';

interface ButtonLook {
  /** Primary: one per view. */
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  readonly icon?: Icon;
  /** The key that does the same. */
  readonly shortcut?: string | undefined;
  /** For what cannot be undone. */
  readonly danger?: boolean;
}

export type ButtonProps = ComponentProps<'button'> & ButtonLook;

/** An icon and a word. */
export function Button({ kind = 'secondary', icon, shortcut, danger, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-keyshortcuts={shortcut}
      {...rest}
      className={[styles.button, styles[kind], danger && styles.danger, className].filter(Boolean).join(' ')}
    >
      {icon && <Glyph icon={icon} />}
      {children}
      {shortcut && <Kbd keys={shortcut} />}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> &
  Omit<ButtonLook, 'icon'> & { readonly icon: Icon; readonly label: string };

/** An icon alone; its name and key are in the tooltip. */
export function IconButton({ icon, label, shortcut, kind = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut}>
      <Button
        kind={kind}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        {...rest}
        className={[styles.iconOnly, className].filter(Boolean).join(' ')}
      >
        <Glyph icon={icon} />
      </Button>
    </Tooltip>
  );
}
