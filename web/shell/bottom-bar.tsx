import { Inbox, Menu, Plus, Search } from 'lucide-react';
import { useStore } from '../data/store.ts';
import { needs } from '../data/workspace.ts';
import { Glyph } from '../ui/icon.tsx';
import { useIsNarrow } from '../ui/sheet.tsx';
import { NeedsBadge } from '../ui/status/badge.tsx';
import type { Address } from './address.ts';
import styles from './bottom-bar.module.css';
import { activeSheet } from './frame.tsx';

interface BottomBarProps {
  readonly address: Address;
  onFind(): void;
  onNew(): void;
}

/** The ways of a phone. In a room its composer takes this place. */
export function BottomBar({ address, onFind, onNew }: BottomBarProps) {
  const isNarrow = useIsNarrow();
  const isMenuOpen = useStore(activeSheet) === 'list';
  const openNeeds = useStore(needs).filter(({ quiet }) => !quiet).length;
  if (!isNarrow || address.room === 'thread') return null;
  return (
    <nav aria-label="Main" className={styles.bar}>
      <a href="/" data-in-page aria-current={address.room === 'home' ? 'page' : undefined}>
        <Glyph icon={Inbox} size={20} />
        Inbox
        <NeedsBadge count={openNeeds} />
      </a>
      <button type="button" onClick={onFind}>
        <Glyph icon={Search} size={20} />
        Search
      </button>
      <button type="button" onClick={onNew}>
        <Glyph icon={Plus} size={20} />
        New
      </button>
      <button type="button" aria-expanded={isMenuOpen} onClick={() => activeSheet.set('list')}>
        <Glyph icon={Menu} size={20} />
        Menu
      </button>
    </nav>
  );
}
