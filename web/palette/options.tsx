import type { ReactNode } from 'react';
import type { SearchHit, ThreadRow } from '../../src/client/index.ts';
import { nameInThread, ThreadPeople } from '../data/thread-people.tsx';
import { threadRows } from '../data/workspace.ts';
import { type Action, type ActionGroup, formatKey } from '../shell/actions.ts';
import { threadPath } from '../shell/address.ts';
import { Glyph } from '../ui/icon.tsx';
import { KindIcon } from '../ui/kind-icon.tsx';
import { kindName } from '../ui/kinds.ts';
import { Face } from '../ui/people/participant.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { Time } from '../ui/time.tsx';
import { actionIcon } from './action-icon.ts';
import { rankMatches } from './match.ts';

/** An option of the palette: a place to go to, or a command to run. */
export interface PaletteOption {
  readonly id: string;
  readonly icon: ReactNode;
  readonly name: ReactNode;
  readonly hint?: ReactNode;
  /** The keys that do the same, as people read them. */
  readonly keys?: readonly string[] | undefined;
  readonly to?: string;
  readonly act?: () => void;
}

export interface PaletteSection {
  readonly label: string;
  readonly options: readonly PaletteOption[];
}

const MAX_THREADS = 8;
const MAX_RECENT = 5;
const MAX_OF_KIND = 100;

interface SectionsInput {
  readonly groups: readonly ActionGroup[];
  /** Threads to go to, most recent first. */
  readonly rows: readonly ThreadRow[];
  readonly query: string;
  /** Shows only threads of this kind, and more of them. */
  readonly kind?: string | undefined;
  /** Leaves out threads. */
  readonly isCommandsOnly?: boolean;
}

/** The options that match the query; the section with the best match comes first. */
export function buildSections(input: SectionsInput): readonly PaletteSection[] {
  const { groups, query, kind, isCommandsOnly = false } = input;
  const rows = isCommandsOnly ? [] : input.rows;
  if (kind) return kindSections(rows, kind, query);
  const isEmpty = query.trim() === '';
  const threads = rankMatches(rows, ({ title }) => title, query).slice(0, isEmpty ? MAX_RECENT : MAX_THREADS);
  const threadSection = {
    label: isEmpty ? 'Recent' : 'Threads',
    options: threads.map(({ item }) => threadOption(item)),
  };
  const actionSections = groups.map(({ label, actions }) => {
    const available = actions.filter(({ act, keys, many }) => act && !keys?.includes('Ctrl+k') && !(many && isEmpty));
    const matches = rankMatches(available, ({ name }) => name, query, isEmpty ? 1 : 2);
    return {
      label,
      score: matches[0]?.score ?? 0,
      options: matches.map(({ item }) => actionOption(label, item)),
    };
  });
  const score = threads[0]?.score ?? 0;
  const leading = isEmpty
    ? []
    : actionSections.filter((section) => section.score > score).sort((a, b) => b.score - a.score);
  const rest = actionSections.filter((section) => !leading.includes(section));
  return [...leading, threadSection, ...rest].filter(({ options }) => options.length > 0);
}

function kindSections(rows: readonly ThreadRow[], kind: string, query: string): readonly PaletteSection[] {
  const rowsOfKind = rows.filter((row) => row.kind === kind);
  const matches = rankMatches(rowsOfKind, ({ title }) => title, query).slice(0, MAX_OF_KIND);
  return [
    { label: `${matches.length} of ${rowsOfKind.length}`, options: matches.map(({ item }) => threadOption(item)) },
  ];
}

/** An option that goes to a thread and shows its kind. */
export function threadOption(row: ThreadRow): PaletteOption {
  return {
    id: `thread-${row.id}`,
    to: threadPath(row),
    icon: <KindIcon kind={row.kind} />,
    name: escapeBidi(row.title),
    hint: (
      <>
        {kindName(row.kind)} · <Time ts={row.last.ts} />
      </>
    ),
  };
}

function actionOption(groupLabel: string, { name, keys, act }: Action): PaletteOption {
  const id = `do-${groupLabel}-${name}`.replace(/[^\w-]+/g, '-');
  return { id, icon: <Glyph icon={actionIcon(name)} />, name, ...(act && { act }), keys: keys?.map(formatKey) };
}

/** An option for a search hit, with the matching words marked. */
export function hitOption({ link, title, thread, kind, from, ts, parts }: SearchHit, index: number): PaletteOption {
  return {
    id: `hit-${index}`,
    to: link,
    icon: (
      <ThreadPeople thread={thread}>
        <Face id={from} size="small" />
      </ThreadPeople>
    ),
    name: parts.map(({ text, hit }, i) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
      hit ? <mark key={i}>{escapeBidi(text)}</mark> : escapeBidi(text),
    ),
    hint: (
      <>
        <span className="unseen">by {nameInThread(threadRows.get()?.get(thread), from)} </span>
        {kind} in <bdi>{escapeBidi(title)}</bdi> · <Time ts={ts} />
      </>
    ),
  };
}
