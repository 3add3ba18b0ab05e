import { Inbox, Plus, Search, X } from 'lucide-react';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { pinnedThreads } from '../data/pins.ts';
import { useStore } from '../data/store.ts';
import { kindCounts, needs, threadRows, unreadCounts } from '../data/workspace.ts';
import { IconButton } from '../ui/controls/button.tsx';
import { Kbd } from '../ui/controls/kbd.tsx';
import { Glyph } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind-icon.tsx';
import { kindWords, listedKinds, listPath } from '../ui/kinds.ts';
import { Mark } from '../ui/mark.tsx';
import { Sheet, useIsNarrow } from '../ui/sheet.tsx';
import { NeedsBadge } from '../ui/status/badge.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { formatKey } from './actions.ts';
import { type Address, threadPath } from './address.ts';
import { activeSheet } from './frame.tsx';
import styles from './sidebar.module.css';
import { SidebarFoot } from './sidebar-foot.tsx';

interface SidebarProps {
  readonly workspace: string;
  readonly me: string;
  readonly address: Address;
  onFind(): void;
  onNew(): void;
}

/** Where one can go: the inbox, the lists of threads by kind, pinned threads. On a phone it is the menu. */
export function Sidebar(props: SidebarProps) {
  const isNarrow = useIsNarrow();
  const isOpen = useStore(activeSheet) === 'list';
  if (!isNarrow) return <Navigation {...props} />;
  if (!isOpen) return null;
  return (
    <Sheet label="Menu" side="page" onClose={() => activeSheet.set(undefined)}>
      <Navigation {...props} isMenu={true} />
    </Sheet>
  );
}

interface NavigationProps extends SidebarProps {
  /** On a phone it can be closed. */
  readonly isMenu?: boolean;
}

function Navigation({ workspace, me, address, isMenu = false, onFind, onNew }: NavigationProps) {
  const openNeeds = useStore(needs).filter(({ quiet }) => !quiet).length;
  const counts = useStore(kindCounts);
  return (
    <nav aria-label="Workspace" className={styles.sidebar}>
      <p className={styles.workspace}>
        <Mark />
        <span dir="auto">{escapeBidi(workspace || 'Heddle')}</span>
        <IconButton icon={Plus} label="New" shortcut="n" onClick={onNew} />
        {isMenu && <IconButton icon={X} label="Close" shortcut="Esc" onClick={() => activeSheet.set(undefined)} />}
      </p>
      <button type="button" className={styles.search} aria-keyshortcuts="Control+k" onClick={onFind}>
        <Glyph icon={Search} />
        <span>Search or run a command</span>
        <Kbd keys={formatKey('Ctrl+k')} />
      </button>
      <ul className={styles.list}>
        <li>
          <a href="/" data-in-page className={styles.item} aria-current={address.room === 'home' ? 'page' : undefined}>
            <Glyph icon={Inbox} />
            <span>Inbox</span>
            <NeedsBadge count={openNeeds} />
          </a>
        </li>
        {listedKinds(counts.keys()).map((kind) => (
          <li key={kind}>
            <KindLink kind={kind} count={counts.get(kind) ?? 0} isOpen={isListOf(address, kind)} />
          </li>
        ))}
      </ul>
      <Pins openId={address.room === 'thread' ? address.id : undefined} />
      <SidebarFoot me={me} isInSettings={address.room === 'settings'} />
    </nav>
  );
}

function isListOf(address: Address, kind: string): boolean {
  return address.room === 'list' && address.kind === kind;
}

function KindLink({
  kind,
  count,
  isOpen,
}: {
  readonly kind: string;
  readonly count: number;
  readonly isOpen: boolean;
}) {
  return (
    <a href={listPath(kind)} data-in-page className={styles.item} aria-current={isOpen ? 'page' : undefined}>
      <KindIcon kind={kind} />
      <span>{kindWords(kind).many}</span>
      <small className={styles.count}>{formatNumber(count)}</small>
    </a>
  );
}

function Pins({ openId }: { readonly openId: string | undefined }) {
  const rows = useStore(threadRows);
  const unread = useStore(unreadCounts);
  const pinned = useStore(pinnedThreads).flatMap((id) => rows?.get(id) ?? []);
  if (pinned.length === 0) return null;
  return (
    <section aria-label="Pinned" className={styles.pins}>
      <h2>Pinned</h2>
      <ul className={styles.list}>
        {pinned.map((row) => (
          <li key={row.id}>
            <a
              href={threadPath(row)}
              data-in-page
              className={unread.has(row.id) ? `${styles.item} ${styles.unread}` : styles.item}
              aria-current={row.id === openId ? 'page' : undefined}
            >
              <KindIcon kind={row.kind} />
              <span dir="auto">{escapeBidi(row.title)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
