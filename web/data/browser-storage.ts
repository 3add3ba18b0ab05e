/** What this browser keeps by itself: unsent text, what was seen, how the page is folded. Losing it loses no event. */
export interface Unsent {
  readonly text: string;
  readonly to?: string;
  readonly replyTo?: string;
  readonly task?: boolean;
}

export type Theme = 'system' | 'light' | 'dark';

const PREFIX = 'heddle.';

export const kept = {
  unsent: (thread: string) => read<Unsent>(`unsent.${thread}`),
  keepUnsent: (thread: string, unsent: Unsent | undefined) =>
    write(`unsent.${thread}`, unsent?.text ? unsent : undefined),

  /** One name for each, so that tabs do not overwrite each other's. */
  outbox: <Item>(thread: string) => names(`outbox.${thread}.`).flatMap((name) => read<Item>(name) ?? []),
  keepOutgoing: (thread: string, command: string, item: unknown) => write(`outbox.${thread}.${command}`, item),
  forgetOutgoing: (thread: string, command: string) => write(`outbox.${thread}.${command}`, undefined),
  /** How many of them wait for the connection; one that was refused waits for the person. */
  waiting: () => names('outbox.').filter((name) => !read<{ refusal?: string }>(name)?.refusal).length,

  /** Text of a loom that is not committed. */
  scratch: <Value>(name: string) => read<Value>(`scratch.${name}`),
  keepScratch: (name: string, scratch: unknown) => write(`scratch.${name}`, scratch),

  /** How continuations are asked for, and which keys do what in a loom. */
  loomWish: <Value>() => read<Value>('loom.wish'),
  keepLoomWish: (wish: unknown) => write('loom.wish', wish),
  loomKeys: <Value>() => read<Value>('loom.keys'),
  keepLoomKeys: (keys: unknown) => write('loom.keys', keys),

  /** The seq of the newest event looked at here, by thread. */
  seen: () => read<Readonly<Record<string, number>>>('seen') ?? {},
  keepSeen: (seen: Readonly<Record<string, number>>) => write('seen', seen),
  /** What was there before this browser's first visit is not news to it. */
  firstVisit: () => {
    const before = read<string>('first-visit');
    if (before) return before;
    const now = new Date().toISOString();
    write('first-visit', now);
    return now;
  },

  /** How far the tour is, while somebody takes it. */
  tour: <Value>() => read<Value>('tour'),
  keepTour: (tour: unknown) => write('tour', tour),

  isFolded: () => read<boolean>('folded') ?? false,
  keepFolded: (folded: boolean) => write('folded', folded || undefined),
  /** Light or dark, where that is not left to the system. */
  theme: () => read<Theme>('theme') ?? 'system',
  keepTheme: (theme: Theme) => write('theme', theme === 'system' ? undefined : theme),
  letterKeys: () => read<boolean>('letter-keys') ?? true,
  keepLetterKeys: (on: boolean) => write('letter-keys', on),
} as const;

/** Tells when another tab of this browser changed what is kept. Returns how to stop. */
export function whenKeptElsewhere(name: string, changed: () => void): () => void {
  const heard = ({ key }: StorageEvent) => key === PREFIX + name && changed();
  addEventListener('storage', heard);
  return () => removeEventListener('storage', heard);
}

function names(start: string): readonly string[] {
  try {
    const all = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    return all
      .filter((key) => key.startsWith(PREFIX + start))
      .map((key) => key.slice(PREFIX.length))
      .sort();
  } catch {
    return [];
  }
}

function read<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined; // Storage is off, or holds what an older page wrote.
  }
}

function write(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is off or full: the page goes on without it.
  }
}
