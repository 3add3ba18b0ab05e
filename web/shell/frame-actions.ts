import type { LoomExportFormat, ThreadRow } from '../../src/client/index.ts';
import { kept } from '../data/browser-storage.ts';
import { signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { askPermission, permission } from '../inbox/desktop-notifications.ts';
import { start } from '../inbox/start-thread.ts';
import { KINDS, type Kind, oneOf, withArticle } from '../ui/kinds.ts';
import { doing, tell } from '../ui/notice.tsx';
import { useNarrow } from '../ui/sheet.tsx';
import { type Action, EVERYWHERE, THIS_PAGE, useActions } from './actions.ts';
import { go } from './address.ts';
import { sheet, togglePanel } from './frame.tsx';
import { setTheme, theme } from './theme.ts';

/** What lies over the whole page. */
export type Over =
  | { readonly kind: 'keys' | 'rename' }
  | { readonly kind: 'find'; readonly of?: Kind | undefined }
  | { readonly kind: 'new'; readonly title: string };

/** What can be done wherever one is, and with whatever thread is open. */
export function useFrameActions(open: ThreadRow | undefined, lay: (over: Over) => void): void {
  const mayTell = useStore(permission);
  const shown = useStore(theme);
  const isNarrow = useNarrow();
  useActions(THIS_PAGE, [
    ...(open ? ofThread(open, lay) : []),
    { name: 'Copy the link to here', act: () => void doing(() => navigator.clipboard.writeText(location.href)) },
    { name: 'Print what I look at', act: () => print() },
  ]);
  useActions(EVERYWHERE, [
    { name: 'Find or do', keys: ['Ctrl+k', '/'], act: () => lay({ kind: 'find' }) },
    { name: 'New, with a title', keys: ['n'], act: () => lay({ kind: 'new', title: '' }) },
    ...KINDS.map(({ kind }) => ({ name: `Begin ${withArticle(kind)}`, act: () => void doing(() => start(kind)) })),
    ...KINDS.map(({ kind, many }) => ({
      name: `All ${many.toLowerCase()}`,
      act: () => lay({ kind: 'find', of: kind }),
      many: true as const,
    })),
    { name: 'Import a loom or a text from a file', act: () => void doing(fromFiles) },
    { name: 'Home: what needs you', act: () => go('/') },
    { name: 'Show or fold the panel beside', keys: ['p'], act: togglePanel, when: open !== undefined },
    { name: 'Show the list', act: () => sheet.set('list'), when: isNarrow },
    { name: 'Settings', act: () => go('/settings') },
    { name: 'Settings: tokens, to issue or revoke one', act: () => go('/settings#tokens') },
    { name: 'Settings: models', act: () => go('/settings#models') },
    { name: 'Add a model', act: () => go('/settings#add-model') },
    { name: 'Settings: which models are used', act: () => go('/settings#defaults') },
    { name: 'Settings: budget, to change it', act: () => go('/settings#budget') },
    { name: 'Settings: this browser', act: () => go('/settings#browser') },
    { name: 'Tell me on the desktop what needs me', act: () => void askPermission(), when: mayTell === 'default' },
    { name: 'Light', act: () => setTheme('light'), when: shown !== 'light' },
    { name: 'Dark', act: () => setTheme('dark'), when: shown !== 'dark' },
    { name: 'Light or dark as the system has it', act: () => setTheme('system'), when: shown !== 'system' },
    {
      name: kept.letterKeys() ? 'Switch single letters off as keys' : 'Switch single letters on as keys',
      act: () => kept.keepLetterKeys(!kept.letterKeys()),
    },
    { name: 'Sign out', act: () => void doing(signOut) },
    { name: 'Leave what you are in; text is kept', keys: ['Escape'] },
    { name: 'Keys', keys: ['?'], act: () => lay({ kind: 'keys' }) },
  ]);
}

async function fromFiles(): Promise<void> {
  const { bringInPicked } = await import('../rooms/loom/files.ts');
  tell(await bringInPicked());
}

function ofThread(row: ThreadRow, lay: (over: Over) => void): readonly Action[] {
  const save = (format: LoomExportFormat) =>
    void doing(
      async (under) => (await import('../export/thread.ts')).exportThread(row, format, under),
      `Exporting “${row.title}”`,
    );
  const text = {
    conversation: 'what was said',
    dialogue: 'what was accepted',
    exchange: 'rounds and audits',
    loom: 'the text',
  };
  return [
    { name: `Rename this ${oneOf(row.kind)}`, act: () => lay({ kind: 'rename' }) },
    { name: `Export ${text[row.kind]} as Markdown`, act: () => save('markdown') },
    { name: 'Export all of it as JSON Lines', act: () => save('jsonl') },
  ];
}
