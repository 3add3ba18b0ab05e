import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SearchAnswer } from '../../src/client/index.ts';
import { placesNow } from '../actions.ts';
import { go } from '../address.ts';
import { Announcer } from '../announcer.tsx';
import { type Kind, manyOf } from '../kinds.ts';
import { Refused } from '../refused.tsx';
import { Sheet } from '../sheet.tsx';
import { useStore } from '../store.ts';
import { inOrder } from '../threads/order.ts';
import { rows } from '../workspace.ts';
import { useFound } from './found.ts';
import { best } from './match.ts';
import { hitOption, type Option, type Section, sectionsOf } from './options.tsx';
import { type Filter, readQuery, searchFor, takeFilters } from './query.ts';

interface PaletteProps {
  /** The thread one is in. */
  readonly here: string | undefined;
  /** The only kind of thread that is wanted. */
  readonly of?: Kind | undefined;
  onClose(): void;
  onNew(title: string): void;
}

/** Everything by name: what can be done here, every thread, and every text of the workspace. */
export function Palette({ here, of, onClose, onNew }: PaletteProps) {
  const all = useStore(rows);
  const [places] = useState(placesNow);
  const [text, setText] = useState('');
  const [chips, setChips] = useState<readonly Filter[]>([]);
  const [at, setAt] = useState(0);
  const [kind, setKind] = useState(of);
  const [isWaiting, setWaiting] = useState(false);
  const ordered = useMemo(() => inOrder([...(all?.values() ?? [])]).map(({ row }) => row), [all]);
  const { words, filters } = readQuery(text);
  const query = { words, filters: [...chips, ...filters] };
  const wish = kind
    ? undefined
    : searchFor(query, (title) => (title === 'here' ? here : best(ordered, (row) => row.title, title)[0]?.item.id));
  const { answer, problem, isAsking } = useFound(wish);
  const byName = useMemo(
    () => sectionsOf({ places, rows: ordered.filter(({ id }) => id !== here), typed: words, of: kind }),
    [places, ordered, words, here, kind],
  );
  const named = new Set(byName.flatMap(({ options }) => options.map(({ to }) => to)));
  const hits = (answer?.hits ?? []).filter(({ kind, link }) => kind !== 'title' || !named.has(link));
  const sections: Section[] = [
    ...(query.filters.length > 0 ? [] : byName),
    ...(hits.length > 0 ? [{ label: 'Found', options: hits.map(hitOption) }] : []),
    ...(words && query.filters.length === 0 && !kind
      ? [{ label: 'Begin', options: [{ id: 'begin', name: `New: “${words}”`, act: () => onNew(words) }] }]
      : []),
  ];
  const options = sections.flatMap((section) => section.options);
  const certain = query.filters.length > 0 ? 0 : byName.flatMap((section) => section.options).length;
  const marked = Math.min(at, options.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelectorAll('[role=option]')[marked]?.scrollIntoView({ block: 'nearest' });
  }, [marked]);

  function typed(next: string): void {
    const taken = takeFilters(next);
    setText(taken.filters.length > 0 ? taken.words : next);
    if (taken.filters.length > 0) setChips([...chips, ...taken.filters]);
    setAt(0);
    setWaiting(false);
  }

  /** Enter means what was typed: where that is still being looked for, it is chosen when it is there. */
  function enter(): void {
    if (isAsking && marked >= certain) setWaiting(true);
    else choose(options[marked]);
  }
  useEffect(() => {
    if (!isWaiting || isAsking) return;
    setWaiting(false);
    queueMicrotask(() => choose(options[marked]));
  });

  /** Done when the focus is back where it was: an action may mean what it stands on. */
  function choose(option: Option | undefined): void {
    if (!option) return;
    flushSync(onClose);
    if (option.to) go(option.to);
    else option.act?.();
  }

  function pressed(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      const next = marked + step;
      const isOver = Math.abs(step) === 1 && (next < 0 || next >= options.length);
      setAt(isOver ? (next < 0 ? options.length - 1 : 0) : Math.max(0, Math.min(options.length - 1, next)));
    } else if (event.key === 'Enter') enter();
    else if (event.key === 'Backspace' && text === '' && chips.length > 0) setChips(chips.slice(0, -1));
    else if (event.key === 'Backspace' && text === '' && kind) setKind(undefined);
    else return;
    event.preventDefault();
  }

  return (
    <Sheet label="Find or do" onClose={onClose}>
      <div className="palette-field">
        {kind && (
          <button type="button" className="chip" onClick={() => setKind(undefined)}>
            only {manyOf(kind)} <span aria-hidden="true">×</span>
          </button>
        )}
        {chips.map(({ name, value }, index) => (
          <button
            key={`${name}:${value}`}
            type="button"
            className="chip"
            aria-label={`Take away ${name} ${value}`}
            onClick={() => setChips(chips.filter((_, i) => i !== index))}
          >
            {name}:{value} <span aria-hidden="true">×</span>
          </button>
        ))}
        <input
          className="find-field"
          role="combobox"
          aria-expanded="true"
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant={options[marked]?.id}
          aria-label="Find or do"
          placeholder="Find or do"
          title="Narrow a search with kind:draft, from:alpha, after:2026-11-01, in:here"
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => typed(event.target.value)}
          onKeyDown={pressed}
        />
      </div>
      <div id="found" ref={list} role="listbox" aria-label="What there is" className="found" tabIndex={-1}>
        {sections.map((section) => (
          // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by role alone
          <div key={section.label} role="group" aria-label={section.label}>
            <p className="found-head" aria-hidden="true">
              {section.label}
            </p>
            {section.options.map((option) => (
              <Line key={option.id} option={option} isMarked={option === options[marked]} onChoose={choose} />
            ))}
          </div>
        ))}
      </div>
      <Refused because={problem} />
      {answer && <Completeness answer={answer} />}
      {options.length === 0 && !problem && <p className="soft">Nothing is called that, and no text has these words.</p>}
      <Announcer text={`${options.length} ${options.length === 1 ? 'line' : 'lines'}`} />
    </Sheet>
  );
}

interface LineProps {
  readonly option: Option;
  readonly isMarked: boolean;
  onChoose(option: Option): void;
}

function Line({ option, isMarked, onChoose }: LineProps) {
  const { id, to, name, hint } = option;
  const shared = { id, 'aria-selected': isMarked, className: 'line-of' };
  const inside = (
    <>
      <span className="row-title" dir="auto">
        {name}
      </span>
      {hint && <span className="row-words">{hint}</span>}
    </>
  );
  if (to === undefined) {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard in the field
      <div role="option" tabIndex={-1} {...shared} onClick={() => onChoose(option)}>
        {inside}
      </div>
    );
  }
  return (
    <a
      role="option"
      tabIndex={-1}
      {...shared}
      href={to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onChoose(option);
      }}
    >
      {inside}
    </a>
  );
}

/** A search over a workspace that is still being read says so. */
function Completeness({ answer }: { readonly answer: SearchAnswer }) {
  const { events, total } = answer.indexed;
  return (
    <p className="soft sheet-foot" role="status">
      {answer.more && 'There is more: say it more exactly. '}
      {events < total &&
        `${events.toLocaleString('en')} of ${total.toLocaleString('en')} events can be found yet; the rest is being read.`}
    </p>
  );
}
