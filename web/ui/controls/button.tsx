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

type ButtonLinkProps = ComponentProps<'a'> & Pick<ButtonLook, 'kind' | 'icon' | 'shortcut'>;

/** A link that looks like a button: it leads to another place of the page. */
export function ButtonLink({ kind = 'secondary', icon, shortcut, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a
      data-in-page
      aria-keyshortcuts={shortcut}
      {...rest}
      className={[styles.button, styles[kind], className].filter(Boolean).join(' ')}
    >
      {icon && <Glyph icon={icon} />}
      {children}
      {shortcut && <Kbd keys={shortcut} />}
    </a>
  );
}

interface LinkButtonProps {
  readonly icon: Icon;
  readonly label: string;
  /** An address on this page. */
  readonly href: string;
  /** One is there. */
  readonly isCurrent?: boolean;
}

/** An icon that leads to another place of the page. */
export function LinkButton({ icon, label, href, isCurrent = false }: LinkButtonProps) {
  return (
    <Tooltip label={label}>
      <a
        href={href}
        data-in-page
        aria-label={label}
        aria-current={isCurrent ? 'page' : undefined}
        className={`${styles.button} ${styles.quiet} ${styles.iconOnly}`}
      >
        <Glyph icon={icon} />
      </a>
    </Tooltip>
  );
}
