import type { LoomExportFormat, ThreadRow } from '../../src/client/index.ts';
import { browserStorage } from '../data/browser-storage.ts';
import { signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { notificationPermission, requestPermission } from '../inbox/desktop-notifications.ts';
import { startThread } from '../inbox/start-thread.ts';
import { KINDS, kindName, kindWithArticle, kindWords } from '../ui/kinds.ts';
import { runWithNotice, showNotice } from '../ui/notice.tsx';
import { useIsNarrow } from '../ui/sheet.tsx';
import { setFormatted, showsFormatted } from '../ui/text/formatting.ts';
import { type Action, EVERYWHERE, THIS_PAGE, useActions } from './actions.ts';
import { navigate } from './address.ts';
import { activeSheet, togglePanel } from './frame.tsx';
import { setTheme, theme } from './theme.ts';

/** An overlay over the whole page. */
export type Overlay =
  | { readonly kind: 'keys' | 'rename' }
  | { readonly kind: 'find'; readonly of?: string | undefined }
  | { readonly kind: 'new'; readonly title: string };

/** Actions available everywhere, and those for the open thread. */
export function useFrameActions(openRow: ThreadRow | undefined, openOverlay: (overlay: Overlay) => void): void {
  const permissionState = useStore(notificationPermission);
  const currentTheme = useStore(theme);
  const isFormatted = useStore(showsFormatted);
  const isNarrow = useIsNarrow();
  useActions(THIS_PAGE, [
    ...(openRow ? threadActions(openRow, openOverlay) : []),
    {
      name: 'Copy the link to here',
      act: () => void runWithNotice(() => navigator.clipboard.writeText(location.href)),
    },
    { name: 'Print what I look at', act: () => print() },
  ]);
  useActions(EVERYWHERE, [
    { name: 'Search or run a command', keys: ['Ctrl+k', '/'], act: () => openOverlay({ kind: 'find' }) },
    { name: 'New, with a title', keys: ['n'], act: () => openOverlay({ kind: 'new', title: '' }) },
    ...KINDS.map(({ kind }) => ({
      name: `Begin ${kindWithArticle(kind)}`,
      act: () => void runWithNotice(() => startThread(kind)),
    })),
    ...KINDS.map(({ kind, many }) => ({
      name: `All ${many.toLowerCase()}`,
      act: () => openOverlay({ kind: 'find', of: kind }),
      many: true as const,
    })),
    { name: 'Import a loom or a text from a file', act: () => void runWithNotice(importFromFiles) },
    { name: 'Home: what needs you', act: () => navigate('/') },
    { name: 'Show or fold the panel beside', keys: ['p'], act: togglePanel, when: openRow !== undefined },
    { name: 'Show the list', act: () => activeSheet.set('list'), when: isNarrow },
    { name: 'Settings', act: () => navigate('/settings') },
    { name: 'Settings: tokens, to issue or revoke one', act: () => navigate('/settings#tokens') },
    { name: 'Settings: models', act: () => navigate('/settings#models') },
    { name: 'Add a model', act: () => navigate('/settings#add-model') },
    { name: 'Settings: which models are used', act: () => navigate('/settings#defaults') },
    { name: 'Settings: budget, to change it', act: () => navigate('/settings#budget') },
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
