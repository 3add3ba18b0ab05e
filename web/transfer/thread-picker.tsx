import { useMemo, useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { sortThreads } from '../data/thread-order.ts';
import { threadRows } from '../data/workspace.ts';
import { rankMatches } from '../palette/match.ts';
import { OptionRow } from '../palette/option-row.tsx';
import { threadOption } from '../palette/options.tsx';
import { SearchField } from '../palette/search-field.tsx';
import { Announcer } from '../ui/announcer.tsx';
import styles from './dialogs.module.css';

const MAX_RECENT = 5;
const MAX_FOUND = 50;

interface ThreadPickerProps {
  readonly excluded: readonly string[];
  readonly label: string;
  /** No thread is chosen yet, so the picker says so if there is none to choose. */
  readonly isRequired: boolean;
  onChoose(row: ThreadRow): void;
}

/** A search for threads by title, most recent first. */
export function ThreadPicker({ excluded, label, isRequired, onChoose }: ThreadPickerProps) {
  const threads = useStore(threadRows);
  const [query, setQuery] = useState('');
  const [requestedIndex, setRequestedIndex] = useState(0);
  const sortedRows = useMemo(() => sortThreads([...(threads?.values() ?? [])]).map(({ row }) => row), [threads]);
  const others = sortedRows.filter(({ id }) => !excluded.includes(id));
  const matches = rankMatches(others, ({ title }) => title, query).slice(
    0,
    query.trim() === '' ? MAX_RECENT : MAX_FOUND,
  );
  const options = matches.map(({ item }) => {
    const { to: _, ...option } = threadOption(item);
    return { ...option, act: () => choose(item) };
  });
  const activeIndex = Math.min(requestedIndex, options.length - 1);

  function choose(row: ThreadRow): void {
    setQuery('');
    setRequestedIndex(0);
    onChoose(row);
  }

  if (others.length === 0) return isRequired ? <p className={styles.faint}>There is no other thread.</p> : null;
  return (
    <div className={styles.picker}>
      <SearchField
        label={label}
        isFramed={true}
        text={query}
        list="threads-found"
        options={options}
        activeIndex={activeIndex}
        onText={(text) => {
          setQuery(text);
          setRequestedIndex(0);
        }}
        onActivate={setRequestedIndex}
        onEnter={() => options[activeIndex]?.act()}
      />
      <div id="threads-found" role="listbox" aria-label="Threads" className={styles.found} tabIndex={-1}>
        {options.map((option, i) => (
          <OptionRow key={option.id} option={option} isActive={i === activeIndex} query={query} onChoose={option.act} />
        ))}
      </div>
      {options.length === 0 && <p className={styles.faint}>No other thread has this title.</p>}
      <Announcer text={`${options.length} ${options.length === 1 ? 'thread' : 'threads'}`} />
    </div>
  );
}
