import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SearchPage } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { useStore } from '../data/store.ts';
import { sortThreads } from '../data/thread-order.ts';
import { threadRows } from '../data/workspace.ts';
import { currentActionGroups } from '../shell/actions.ts';
import { navigate } from '../shell/address.ts';
import { Announcer } from '../ui/announcer.tsx';
import { kindPlural } from '../ui/kinds.ts';
import { RefusalMessage } from '../ui/refusal.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { rankMatches } from './match.ts';
import { OptionRow } from './option-row.tsx';
import { buildSections, hitOption, type PaletteOption, type PaletteSection } from './options.tsx';
import { buildSearchRequest, extractFilters, parseQuery, type SearchFilter } from './query.ts';
import { SearchField } from './search-field.tsx';
import { useSearch } from './use-search.ts';

interface PaletteProps {
  /** The open thread. */
  readonly here: string | undefined;
  /** Limits the palette to threads of this kind. */
  readonly initialKind?: string | undefined;
  onClose(): void;
  onNew(title: string): void;
}

/** Finds everything by name: commands, every thread, and every text of the workspace. */
export function Palette({ here, initialKind, onClose, onNew }: PaletteProps) {
  const threads = useStore(threadRows);
  const [text, setText] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a room may open behind the palette, and is then found by what is typed
  const groups = useMemo(currentActionGroups, [threads === undefined, text]);
  const [chips, setChips] = useState<readonly SearchFilter[]>([]);
  const [requestedIndex, setRequestedIndex] = useState(0);
  const [kind, setKind] = useState(initialKind);
  const [isEnterPending, setEnterPending] = useState(false);
  const sortedRows = useMemo(() => sortThreads([...(threads?.values() ?? [])]).map(({ row }) => row), [threads]);
  const { words, filters } = parseQuery(text);
  const query = { words, filters: [...chips, ...filters] };
  const searchRequest = kind
    ? undefined
    : buildSearchRequest(query, (title) =>
        title === 'here' ? here : rankMatches(sortedRows, (row) => row.title, title)[0]?.item.id,
      );
  const { response, problem, isSearching } = useSearch(searchRequest);
  const nameSections = useMemo(
    () => buildSections({ groups, rows: sortedRows.filter(({ id }) => id !== here), query: words, kind: kind }),
    [groups, sortedRows, words, here, kind],
  );
  const namedLinks = new Set(nameSections.flatMap(({ options }) => options.map(({ to }) => to)));
  const hits = (response?.hits ?? []).filter(({ kind, link }) => kind !== 'title' || !namedLinks.has(link));
  const sections: PaletteSection[] = [
    ...(query.filters.length > 0 ? [] : nameSections),
    ...(hits.length > 0 ? [{ label: 'Found', options: hits.map(hitOption) }] : []),
    ...(words && query.filters.length === 0 && !kind
      ? [{ label: 'Begin', options: [{ id: 'begin', name: `New: “${words}”`, act: () => onNew(words) }] }]
      : []),
  ];
  const options = sections.flatMap((section) => section.options);
  const certainCount = query.filters.length > 0 ? 0 : nameSections.flatMap((section) => section.options).length;
  const activeIndex = Math.min(requestedIndex, options.length - 1);

  function changeText(next: string): void {
    const parsed = extractFilters(next);
    setText(parsed.filters.length > 0 ? parsed.words : next);
    if (parsed.filters.length > 0) setChips([...chips, ...parsed.filters]);
    setRequestedIndex(0);
    setEnterPending(false);
  }

  /** Enter refers to the typed text: while the search for it is running, the choice waits for the result. */
  function chooseActive(): void {
    if (isSearching && activeIndex >= certainCount) setEnterPending(true);
    else choose(options[activeIndex]);
  }
  useEffect(() => {
    if (!isEnterPending || isSearching) return;
    setEnterPending(false);
    queueMicrotask(() => choose(options[activeIndex]));
  });

  /** Runs the option after focus has returned to its earlier place: an action may refer to the focused element. */
  function choose(option: PaletteOption | undefined): void {
    if (!option) return;
    flushSync(onClose);
    if (option.to) navigate(option.to);
    else option.act?.();
  }

  /** Removes the last filter, or else the kind, in front of the field. */
  function eraseChip(): boolean {
    if (chips.length > 0) setChips(chips.slice(0, -1));
    else setKind(undefined);
    return chips.length > 0 || kind !== undefined;
  }

  return (
    <Sheet label="Search or run a command" onClose={onClose}>
      <div className="palette-field">
        {kind && (
          <button type="button" className="chip" onClick={() => setKind(undefined)}>
            only {kindPlural(kind)} <span aria-hidden="true">×</span>
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
        <SearchField
          label="Search or run a command"
          title="Narrow a search with kind:draft, from:alpha, after:2026-11-01, in:here"
          text={text}
          list="found"
          options={options}
          activeIndex={activeIndex}
          onText={changeText}
          onActivate={setRequestedIndex}
          onEnter={chooseActive}
          onErase={eraseChip}
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
              <OptionRow key={option.id} option={option} isActive={option === options[activeIndex]} onChoose={choose} />
            ))}
          </div>
        ))}
      </div>
      <RefusalMessage reason={problem} />
      {response && <SearchNotice response={response} />}
      {options.length === 0 && !problem && <p className="soft">Nothing is called that, and no text has these words.</p>}
      <Announcer text={`${options.length} ${options.length === 1 ? 'line' : 'lines'}`} />
    </Sheet>
  );
}

/** Says so if the workspace is still being indexed. */
function SearchNotice({ response }: { readonly response: SearchPage }) {
  const { events, total } = response.indexed;
  return (
    <p className="soft sheet-foot" role="status">
      {response.more && 'There is more: say it more exactly. '}
      {events < total &&
        `${formatNumber(events)} of ${formatNumber(total)} events can be found yet; the rest is being read.`}
    </p>
  );
}
