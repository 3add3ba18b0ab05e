import { Copy, Info, Link } from 'lucide-react';
import type { ReactNode } from 'react';
import { openExplain } from '../explain/target.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { copyLink, copyText } from './copy-text.ts';
import styles from './text-actions.module.css';
import { TextMenu, type TextMenuItem } from './text-menu.tsx';

interface TextActionsProps {
  /** The text's address. */
  readonly link: string;
  readonly text: string;
  /** The room's own buttons, in front. */
  readonly children?: ReactNode;
  /** The room's own lines of the menu. */
  readonly items?: readonly TextMenuItem[];
  /** Copy and Source are in the menu too, where there is little room. */
  readonly isFolded?: boolean;
  /** Shows the source in the room's own way. */
  onSource?(): void;
}

/** For a text that is not a place of its own to explain or send: copy it, or its address. */
export function CopyActions({ link, text }: Pick<TextActionsProps, 'link' | 'text'>) {
  return (
    <span className={styles.actions}>
      <CopyButton text={text} />
      <IconButton icon={Link} label="Copy link" onClick={() => copyLink(link)} />
    </span>
  );
}

/** What can be done with any text, in every room: copy it, see its source, send it elsewhere, open it as something. */
export function TextActions({
  link,
  text,
  children,
  items = [],
  isFolded = false,
  onSource = () => openExplain(link),
}: TextActionsProps) {
  const folded: readonly TextMenuItem[] = [
    { icon: Copy, label: 'Copy', onSelect: () => copyText(text) },
    { icon: Info, label: 'Source', shortcut: 'w', onSelect: onSource },
  ];
  return (
    <span className={styles.actions}>
      {children}
      {!isFolded && (
        <>
          <CopyButton text={text} />
          <IconButton icon={Info} label="Source" shortcut="w" onClick={onSource} />
        </>
      )}
      <TextMenu link={link} items={isFolded ? [...folded, ...items] : items} />
    </span>
  );
}
