import { type KeyboardEvent, useState } from 'react';
import { go, pathTo } from './address.ts';
import { Sheet } from './sheet.tsx';
import { useStore } from './store.ts';
import { visible } from './text/visible.ts';
import { inOrder } from './threads/order.ts';
import { Time } from './time.tsx';
import { rows } from './workspace.ts';

const SHOWN = 12;

/** Finds a thread by words of its title. */
export function Find({ onClose, onNew }: { onClose(): void; onNew(title: string): void }) {
  const all = useStore(rows);
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = inOrder([...(all?.values() ?? [])])
    .map(({ row }) => row)
    .filter(({ title }) => wanted.every((word) => title.toLowerCase().includes(word)))
    .slice(0, SHOWN);
  const marked = Math.min(at, found.length - 1);

  function choose(): void {
    const row = found[marked];
    onClose();
    if (row) go(pathTo(row));
    else onNew(words.trim());
  }

  function pressed(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt(Math.max(0, Math.min(found.length - 1, marked + step)));
    else if (event.key === 'Enter') choose();
    else return;
    event.preventDefault();
  }

  return (
    <Sheet label="Find a thread" onClose={onClose}>
      <input
        className="find-field"
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found[marked] && `found-${found[marked].id}`}
        aria-label="Words of a title"
        placeholder="Find a thread"
        dir="auto"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={pressed}
      />
      <div id="found" role="listbox" aria-label="Threads found" className="found" tabIndex={-1}>
        {found.map((row, index) => (
          <div key={row.id} id={`found-${row.id}`} role="option" aria-selected={index === marked} tabIndex={-1}>
            <a href={pathTo(row)} data-in-page tabIndex={-1} onClick={onClose}>
              <span className="row-title" dir="auto">
                {visible(row.title)}
              </span>
              <span className="row-words">
                <Time ts={row.last.ts} />
              </span>
            </a>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="soft">
          No thread is called that.{' '}
          <button type="button" className="act" onClick={() => onNew(words.trim())}>
            Begin one
          </button>
        </p>
      )}
    </Sheet>
  );
}
