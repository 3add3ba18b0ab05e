import type { LoomExportFormat, ThreadRow } from '../../src/client/index.ts';
import { browserStorage } from '../data/browser-storage.ts';
import { pinnedThreads } from '../data/pins.ts';
import { signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { notificationPermission, requestPermission } from '../inbox/desktop-notifications.ts';
import { startThread } from '../inbox/start-thread.ts';
import { togglePanel } from '../rooms/panel-state.ts';
import { toggleArchive, togglePin } from '../rooms/thread-listing.ts';
import { KINDS, kindName, kindWithArticle, kindWords, listPath } from '../ui/kinds.ts';
import { runWithNotice, showNotice } from '../ui/notice.tsx';
import { useIsNarrow } from '../ui/sheet.tsx';
import { setFormatted, showsFormatted } from '../ui/text/formatting.ts';
import { type Action, EVERYWHERE, THIS_PAGE, useActions } from './actions.ts';
import { type Address, navigate } from './address.ts';
import { activeSheet } from './frame.tsx';
import { setTheme, theme } from './theme.ts';

/** An overlay over the whole page. */
export type Overlay =
  | { readonly kind: 'keys' | 'rename' | 'tags' }
  /** `of`: a kind of thread; `isHere`: in the open thread only. */
  | { readonly kind: 'find'; readonly of?: string | undefined; readonly isHere?: boolean }
  /** `of`: the kind that is selected at first. */
  | { readonly kind: 'new'; readonly title: string; readonly of?: string | undefined };

/** Actions available everywhere, and those for the open thread. */
export function useFrameActions(
  openRow: ThreadRow | undefined,
  address: Address,
  openOverlay: (overlay: Overlay) => void,
): void {
  const permissionState = useStore(notificationPermission);
  const currentTheme = useStore(theme);
  const isFormatted = useStore(showsFormatted);
  const isNarrow = useIsNarrow();
  const isPinned = useStore(pinnedThreads).includes(openRow?.id ?? '');
  const listedKind = address.room === 'list' ? address.kind : undefined;
  useActions(THIS_PAGE, [
    ...(openRow ? [...threadActions(openRow, openOverlay), ...listingActions(openRow, isPinned, openOverlay)] : []),
    {
      name: 'Copy link',
      act: () => void runWithNotice(() => navigator.clipboard.writeText(location.href)),
    },
    { name: 'Print this view', act: () => print() },
  ]);
  useActions(EVERYWHERE, [
    { name: 'Search or run a command', keys: ['Ctrl+k', '/'], act: () => openOverlay({ kind: 'find' }) },
    { name: 'New, with a title', keys: ['n'], act: () => openOverlay({ kind: 'new', title: '', of: listedKind }) },
    ...KINDS.map(({ kind }) => ({
      name: `Begin ${kindWithArticle(kind)}`,
      act: () => void runWithNotice(() => startThread(kind)),
    })),
    ...KINDS.map(({ kind, many }) => ({
      name: `All ${many.toLowerCase()}`,
      act: () => navigate(listPath(kind)),
    })),
    { name: 'All threads of every kind', act: () => navigate(listPath(undefined)) },
    { name: 'Import a loom or a text from a file', act: () => void runWithNotice(importFromFiles) },
    { name: 'Inbox: what needs you', act: () => navigate('/') },
    { name: 'Show or hide the side panel', keys: ['p'], act: togglePanel, when: openRow !== undefined },
    { name: 'Menu', act: () => activeSheet.set('list'), when: isNarrow },
    { name: 'Settings', act: () => navigate('/settings') },
    { name: 'Settings: tokens, to issue or revoke one', act: () => navigate('/settings#tokens') },
    { name: 'Settings: sign in on your phone', act: () => navigate('/settings#phone') },
    { name: 'Settings: you, your name and picture', act: () => navigate('/settings#profile') },
    { name: 'Settings: personas, to make or change one', act: () => navigate('/settings#personas') },
    { name: 'Settings: models', act: () => navigate('/settings#models') },
    { name: 'Add a model', act: () => navigate('/settings#add-model') },
    { name: 'Settings: default models', act: () => navigate('/settings#defaults') },
    { name: 'Settings: budget and currency, to change them', act: () => navigate('/settings#budget') },
    { name: 'Settings: this browser', act: () => navigate('/settings#browser') },
    {
      name: 'Turn on desktop notifications',
      act: () => void requestPermission(),
      when: permissionState === 'default',
    },
    { name: isFormatted ? 'Show texts as plain text' : 'Show texts formatted', act: () => setFormatted(!isFormatted) },
    { name: 'Light', act: () => setTheme('light'), when: currentTheme !== 'light' },
    { name: 'Dark', act: () => setTheme('dark'), when: currentTheme !== 'dark' },
    { name: 'Light or dark: match system', act: () => setTheme('system'), when: currentTheme !== 'system' },
    {
      name: browserStorage.hasLetterKeys() ? 'Turn single-key shortcuts off' : 'Turn single-key shortcuts on',
      act: () => browserStorage.setLetterKeys(!browserStorage.hasLetterKeys()),
    },
    { name: 'Sign out', act: () => void runWithNotice(signOut) },
    { name: 'Close (your text is kept)', keys: ['Escape'] },
    { name: 'Keys', keys: ['?'], act: () => openOverlay({ kind: 'keys' }) },
  ]);
}

async function importFromFiles(): Promise<void> {
  const { importPickedFiles: bringInPicked } = await import('../rooms/loom/files.ts');
  showNotice(await bringInPicked());
}

function listingActions(row: ThreadRow, isPinned: boolean, openOverlay: (overlay: Overlay) => void): readonly Action[] {
  const kind = kindName(row.kind);
  return [
    { name: `${isPinned ? 'Unpin' : 'Pin'} this ${kind}`, act: () => void togglePin(row) },
    { name: `Tags of this ${kind}`, act: () => openOverlay({ kind: 'tags' }) },
    {
      name: row.archived ? `Unarchive this ${kind}` : `Archive this ${kind}`,
      act: () => void toggleArchive(row),
    },
  ];
}

function threadActions(row: ThreadRow, openOverlay: (overlay: Overlay) => void): readonly Action[] {
  const exportAs = (format: LoomExportFormat) =>
    void runWithNotice(
      async (context) => (await import('../export/thread.ts')).exportThread(row, format, context),
      `Exporting “${row.title}”`,
    );
  return [
    { name: `Rename this ${kindName(row.kind)}`, act: () => openOverlay({ kind: 'rename' }) },
    { name: `Export ${kindWords(row.kind).exported} as Markdown`, act: () => exportAs('markdown') },
    { name: 'Export all of it as JSON Lines', act: () => exportAs('jsonl') },
  ];
}
