import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SearchAnswer } from '../../src/client/index.ts';
import { useStore } from '../data/store.ts';
import { inOrder } from '../data/thread-order.ts';
import { rows } from '../data/workspace.ts';
import { placesNow } from '../shell/actions.ts';
import { go } from '../shell/address.ts';
import { Announcer } from '../ui/announcer.tsx';
import { type Kind, manyOf } from '../ui/kinds.ts';
import { numeral } from '../ui/numeral.ts';
import { Refused } from '../ui/request.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { best } from './match.ts';
import { Line } from './option-row.tsx';
import { hitOption, type Option, type Section, sectionsOf } from './options.tsx';
import { type Filter, readQuery, searchFor, takeFilters } from './query.ts';
import { FindField } from './search-field.tsx';
import { useFound } from './use-search.ts';

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
  const [text, setText] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a room may open behind the palette, and is then found by what is typed
  const places = useMemo(placesNow, [all === undefined, text]);
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

  /** The last filter, or the kind, before the field. */
  function erase(): boolean {
    if (chips.length > 0) setChips(chips.slice(0, -1));
    else setKind(undefined);
    return chips.length > 0 || kind !== undefined;
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
        <FindField
          label="Find or do"
          title="Narrow a search with kind:draft, from:alpha, after:2026-11-01, in:here"
          text={text}
          list="found"
          options={options}
          marked={marked}
          onText={typed}
          onMark={setAt}
          onEnter={enter}
          onErase={erase}
        />
      </div>
      <div id="found" role="listbox" aria-label="What there is" className="found" tabIndex={-1}>
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

/** A search over a workspace that is still being read says so. */
function Completeness({ answer }: { readonly answer: SearchAnswer }) {
  const { events, total } = answer.indexed;
  return (
    <p className="soft sheet-foot" role="status">
      {answer.more && 'There is more: say it more exactly. '}
      {events < total && `${numeral(events)} of ${numeral(total)} events can be found yet; the rest is being read.`}
    </p>
  );
}
