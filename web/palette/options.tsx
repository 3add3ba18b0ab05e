import type { ReactNode } from 'react';
import type { SearchHit, ThreadRow } from '../../src/client/index.ts';
import { type Action, type Place, readableKey } from '../shell/actions.ts';
import { pathTo } from '../shell/address.ts';
import { type Kind, oneOf } from '../ui/kinds.ts';
import { visible } from '../ui/text/visible.ts';
import { Time } from '../ui/time.tsx';
import { best } from './match.ts';

/** A line of the palette: somewhere to go, or something to do. */
export interface Option {
  readonly id: string;
  readonly name: ReactNode;
  readonly hint?: ReactNode;
  readonly to?: string;
  readonly act?: () => void;
}

export interface Section {
  readonly label: string;
  readonly options: readonly Option[];
}

const THREADS = 8;
const RECENT = 5;
const OF_A_KIND = 100;

interface Known {
  readonly places: readonly Place[];
  /** Where one can go, the most recent first. */
  readonly rows: readonly ThreadRow[];
  readonly typed: string;
  /** Only these are wanted, and more of them. */
  readonly of?: Kind | undefined;
}

/** What can be reached by what was typed; whichever kind answers it best comes first. */
export function sectionsOf({ places, rows, typed, of }: Known): readonly Section[] {
  if (of) return ofKind(rows, of, typed);
  const isEmpty = typed.trim() === '';
  const threads = best(rows, ({ title }) => title, typed).slice(0, isEmpty ? RECENT : THREADS);
  const goTo = { label: isEmpty ? 'Recent' : 'Go to', options: threads.map(({ item }) => threadOption(item)) };
  const doing = places.map(({ where, actions }) => {
    const able = actions.filter(({ act, keys, many }) => act && !keys?.includes('Ctrl+k') && !(many && isEmpty));
    const found = best(able, ({ name }) => name, typed, isEmpty ? 1 : 2);
    return { label: where, score: found[0]?.score ?? 0, options: found.map(({ item }) => actionOption(where, item)) };
  });
  const score = threads[0]?.score ?? 0;
  const better = isEmpty ? [] : doing.filter((section) => section.score > score).sort((a, b) => b.score - a.score);
  const rest = doing.filter((section) => !better.includes(section));
  return [...better, goTo, ...rest].filter(({ options }) => options.length > 0);
}

function ofKind(rows: readonly ThreadRow[], kind: Kind, typed: string): readonly Section[] {
  const own = rows.filter((row) => row.kind === kind);
  const found = best(own, ({ title }) => title, typed).slice(0, OF_A_KIND);
  return [{ label: `${found.length} of ${own.length}`, options: found.map(({ item }) => threadOption(item)) }];
}

/** A thread to go to, with its kind. */
export function threadOption(row: ThreadRow): Option {
  return {
    id: `thread-${row.id}`,
    to: pathTo(row),
    name: visible(row.title),
    hint: (
      <>
        {oneOf(row.kind)} · <Time ts={row.last.ts} />
      </>
    ),
  };
}

function actionOption(where: string, { name, keys, act }: Action): Option {
  const id = `do-${where}-${name}`.replace(/[^\w-]+/g, '-');
  return { id, name, ...(act && { act }), hint: keys && <kbd>{keys.map(readableKey).join(' ')}</kbd> };
}

/** A text that was found, with the words that were meant. */
export function hitOption({ link, title, kind, from, ts, parts }: SearchHit, index: number): Option {
  return {
    id: `hit-${index}`,
    to: link,
    name: (
      <>
        <span className="hit-text" dir="auto">
          {parts.map(({ text, hit }, i) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
            hit ? <mark key={i}>{visible(text)}</mark> : visible(text),
          )}
        </span>
        <span className="hit-where soft">
          {kind} by {from} in <bdi>{visible(title)}</bdi>
        </span>
      </>
    ),
    hint: <Time ts={ts} />,
  };
}
