import { Copy, Ellipsis, Info } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { openExplain } from '../explain/target.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { lazyWithRetry } from '../ui/lazy.ts';
import { runWithNotice } from '../ui/notice.tsx';
import styles from './text-actions.module.css';
import type { TextMenuItem } from './text-menu.tsx';

const TextMenu = lazyWithRetry(async () => (await import('./text-menu.tsx')).TextMenu);

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
    { icon: Copy, label: 'Copy', onSelect: () => void runWithNotice(() => navigator.clipboard.writeText(text)) },
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
      <Suspense fallback={<IconButton icon={Ellipsis} label="More" />}>
        <TextMenu link={link} items={isFolded ? [...folded, ...items] : items} />
      </Suspense>
    </span>
  );
}
