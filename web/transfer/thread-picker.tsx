import { useMemo, useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { inOrder } from '../data/thread-order.ts';
import { rows } from '../data/workspace.ts';
import { best } from '../palette/match.ts';
import { Line } from '../palette/option-row.tsx';
import { threadOption } from '../palette/options.tsx';
import { FindField } from '../palette/search-field.tsx';
import { Announcer } from '../ui/announcer.tsx';

const RECENT = 5;
const MOST = 50;

interface FindThreadProps {
  readonly except: readonly string[];
  readonly label: string;
  /** Nothing is chosen yet, so it is said where there is nothing to choose. */
  readonly isNeeded: boolean;
  onChoose(row: ThreadRow): void;
}

/** Any thread by its title, the most recent first. */
export function FindThread({ except, label, isNeeded, onChoose }: FindThreadProps) {
  const all = useStore(rows);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const ordered = useMemo(() => inOrder([...(all?.values() ?? [])]).map(({ row }) => row), [all]);
  const others = ordered.filter(({ id }) => !except.includes(id));
  const found = best(others, ({ title }) => title, typed).slice(0, typed.trim() === '' ? RECENT : MOST);
  const options = found.map(({ item }) => {
    const { to: _, ...option } = threadOption(item);
    return { ...option, act: () => choose(item) };
  });
  const marked = Math.min(at, options.length - 1);

  function choose(row: ThreadRow): void {
    setTyped('');
    setAt(0);
    onChoose(row);
  }

  if (others.length === 0) return isNeeded ? <p className="soft">There is no other thread.</p> : null;
  return (
    <div>
      <FindField
        label={label}
        text={typed}
        list="threads-found"
        options={options}
        marked={marked}
        onText={(text) => {
          setTyped(text);
          setAt(0);
        }}
        onMark={setAt}
        onEnter={() => options[marked]?.act()}
      />
      <div id="threads-found" role="listbox" aria-label="Threads" className="found" tabIndex={-1}>
        {options.map((option, i) => (
          <Line key={option.id} option={option} isMarked={i === marked} onChoose={option.act} />
        ))}
      </div>
      {options.length === 0 && <p className="soft">No other thread is called that.</p>}
      <Announcer text={`${options.length} ${options.length === 1 ? 'thread' : 'threads'}`} />
    </div>
  );
}
