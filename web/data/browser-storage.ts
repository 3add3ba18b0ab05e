import type { Attachment } from '../../src/client/index.ts';
import { ifTabIsGone, tabId } from './tab.ts';
import { nameInTab, textsOfOthers } from './tab-texts.ts';

/** Data kept only in this browser: unsent text, read marks, folded parts of the page. Losing it loses no event. */
export interface UnsentMessage {
  readonly text: string;
  readonly to?: string;
  readonly replyTo?: string;
  readonly task?: boolean;
  /** Files that are on the server already. */
  readonly attachments?: readonly Attachment[];
}

export type Theme = 'system' | 'light' | 'dark';

const PREFIX = 'heddle.';
export const TEXT_OWNER = 'text-owner';
/** What somebody has written here and nobody else may see or send. */
const PERSONAL = ['outbox.', 'unsent.', 'scratch.'];

export const browserStorage = {
  /** The key begins with the id of the thread. */
  unsent: (key: string) => readItem<UnsentMessage>(nameInTab(`unsent.${key}`, tabId())),
  setUnsent: (key: string, unsent: UnsentMessage | undefined) =>
    writeItem(nameInTab(`unsent.${key}`, tabId()), unsent?.text || unsent?.attachments ? unsent : undefined),

  /** Each message has its own storage key, so that tabs do not overwrite each other's messages. */
  outbox: <Item>(thread: string) => namesWithPrefix(`outbox.${thread}.`).flatMap((name) => readItem<Item>(name) ?? []),
  threadsWithOutgoing: () => [...new Set(namesWithPrefix('outbox.').map((name) => name.split('.')[1] ?? ''))],
  setOutgoing: (thread: string, command: string, item: unknown) => writeItem(`outbox.${thread}.${command}`, item),
  removeOutgoing: (thread: string, command: string) => writeItem(`outbox.${thread}.${command}`, undefined),
  /** The number of messages waiting for the connection. Refused ones do not count: they wait for the person. */
  countPending: () =>
    namesWithPrefix('outbox.').filter((name) => !readItem<{ refusal?: string }>(name)?.refusal).length,

  /** Whose unsent texts are in use here. */
  textOwner: () => readItem<string>(TEXT_OWNER),

  /** Uncommitted text of a loom. */
  scratch: <Value>(key: string) => readItem<Value>(nameInTab(`scratch.${key}`, tabId())),
  setScratch: (key: string, scratch: unknown) => writeItem(nameInTab(`scratch.${key}`, tabId()), scratch),
  scratchOfOthers: <Value>(key: string) =>
    namesWithPrefix(`scratch.${key}@`)
      .filter((name) => name !== nameInTab(`scratch.${key}`, tabId()))
      .flatMap((name) => readItem<Value>(name) ?? []),

  /** The loom's options for continuations and its key bindings. */
  loomOptions: <Value>() => readItem<Value>('loom.wish'),
  setLoomOptions: (options: unknown) => writeItem('loom.wish', options),
  loomKeys: <Value>() => readItem<Value>('loom.keys'),
  setLoomKeys: (keys: unknown) => writeItem('loom.keys', keys),

  /** The seq of the newest event read in this browser, by thread. */
  readMarks: () => readItem<Readonly<Record<string, number>>>('seen') ?? {},
  setReadMarks: (marks: Readonly<Record<string, number>>) => writeItem('seen', marks),
  /** Events from before this browser's first visit do not count as unread. */
  firstVisit: () => {
    const stored = readItem<string>('first-visit');
    if (stored) return stored;
    const now = new Date().toISOString();
    writeItem('first-visit', now);
    return now;
  },

  /** Whether the first-run screen of an empty workspace was left, by its name. */
  hasOpened: (workspace: string) => readItem<string>('opened') === workspace,
  setOpened: (workspace: string) => writeItem('opened', workspace),

  /** Progress of the tour, while it is running. */
  tour: <Value>() => readItem<Value>('tour'),
  setTour: (tour: unknown) => writeItem('tour', tour),

  /** Undefined until the person opens or closes a panel. */
  panelFolded: () => readItem<boolean>('folded'),
  setPanelFolded: (isFolded: boolean) => writeItem('folded', isFolded),
  panelWidth: () => readItem<number>('panel-width'),
  setPanelWidth: (width: number) => writeItem('panel-width', width),
  /** Light or dark, unless it follows the system. */
  theme: () => readItem<Theme>('theme') ?? 'system',
  setTheme: (theme: Theme) => writeItem('theme', theme === 'system' ? undefined : theme),
  /** Markdown formatted, unless the person wants texts as they were written. */
  showsFormatted: () => readItem<boolean>('formatted') ?? true,
  setFormatted: (isFormatted: boolean) => writeItem('formatted', isFormatted ? undefined : false),
  hasLetterKeys: () => readItem<boolean>('letter-keys') ?? true,
  setLetterKeys: (isOn: boolean) => writeItem('letter-keys', isOn),
} as const;

/** Puts the unsent texts of the person before aside, and those of this one back. */
export function claimTexts(owner: string): void {
  const before = browserStorage.textOwner();
  if (before === owner) return;
  const shelf = (of: string) => `of.${encodeURIComponent(of)}/`;
  if (before !== undefined) {
    for (const name of PERSONAL.flatMap(namesWithPrefix)) moveItem(name, shelf(before) + name);
  }
  for (const name of namesWithPrefix(shelf(owner))) moveItem(name, name.slice(shelf(owner).length));
  writeItem(TEXT_OWNER, owner);
}

/** Calls `onChange` when another tab of this browser changes a stored value. Returns a function that stops it. */
export function watchStorage(name: string, onChange: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => key === PREFIX + name && onChange();
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/**
 * What a person types belongs to their tab. Text of this thread whose tab is gone becomes this tab's, unless it has its
 * own. Returns undefined if no other tab has any.
 */
export function adoptTexts(thread: string): Promise<void> | undefined {
  const texts = textsOfOthers(namesWithPrefix(''), thread, tabId());
  return texts.length === 0 ? undefined : adoptEach();

  async function adoptEach(): Promise<void> {
    for (const { name, owner, ownName } of texts) await ifTabIsGone(owner, () => moveItem(name, ownName));
  }
}

function moveItem(from: string, to: string): void {
  const value = readItem(from);
  if (value === undefined || readItem(to) !== undefined) return;
  writeItem(to, value);
  if (readItem(to) !== undefined) writeItem(from, undefined);
}

function namesWithPrefix(prefix: string): readonly string[] {
  try {
    const all = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    return all
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length))
      .sort();
  } catch {
    return [];
  }
}

function readItem<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined; // Storage is off, or holds a value that an older page wrote.
  }
}

function writeItem(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is off or full: the page works without it.
  }
}
