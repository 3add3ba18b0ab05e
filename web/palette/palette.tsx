import { Plus, Search, SearchX, X } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SearchPage } from '../../src/client/index.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { useStore } from '../data/store.ts';
import { sortThreads } from '../data/thread-order.ts';
import { threadRows } from '../data/workspace.ts';
import { actionChanges, currentActionGroups } from '../shell/actions.ts';
import { navigate } from '../shell/address.ts';
import { Announcer } from '../ui/announcer.tsx';
import { IconButton } from '../ui/controls/button.tsx';
import { Kbd } from '../ui/controls/kbd.tsx';
import { Modal } from '../ui/floating/modal.tsx';
import { Glyph } from '../ui/icon.tsx';
import { kindPlural } from '../ui/kinds.ts';
import { Banner } from '../ui/status/banner.tsx';
import { EmptyState } from '../ui/status/empty-state.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { rankMatches } from './match.ts';
import { OptionRow } from './option-row.tsx';
import { buildSections, hitOption, type PaletteOption, type PaletteSection } from './options.tsx';
import styles from './palette.module.css';
import { buildSearchRequest, extractFilters, parseQuery, type SearchFilter } from './query.ts';
import { SearchField } from './search-field.tsx';
import { useSearch } from './use-search.ts';

export interface PaletteProps {
  /** The open thread. */
  readonly here: string | undefined;
  /** Limits the palette to threads of this kind. */
  readonly initialKind?: string | undefined;
  /** Searches in the open thread only. */
  readonly isHere?: boolean;
  /** What was typed before the palette had loaded, and whether Enter was pressed. */
  readonly initialText?: string;
  readonly isEntered?: boolean;
  onClose(): void;
  onNew(title: string): void;
}

/** Finds everything by name: commands, every thread, and every text of the workspace. */
export function Palette(props: PaletteProps) {
  const { here, initialKind, isHere = false, initialText = '', isEntered = false, onClose, onNew } = props;
  const threads = useStore(threadRows);
  const [text, setText] = useState(initialText);
  const changes = useStore(actionChanges);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a room may open behind the palette, or know more to do
  const groups = useMemo(currentActionGroups, [threads === undefined, text, changes]);
  const [chips, setChips] = useState<readonly SearchFilter[]>(isHere ? [{ name: 'in', value: 'here' }] : []);
  const [requestedIndex, setRequestedIndex] = useState(0);
  const [kind, setKind] = useState(initialKind);
  const [isEnterPending, setEnterPending] = useState(isEntered);
  const sortedRows = useMemo(() => sortThreads([...(threads?.values() ?? [])]).map(({ row }) => row), [threads]);
  const isCommandsOnly = text.startsWith('>');
  const { words, filters } = parseQuery(isCommandsOnly ? text.slice(1) : text);
  const query = { words, filters: [...chips, ...filters] };
  const searchRequest =
    kind || isCommandsOnly
      ? undefined
      : buildSearchRequest(query, (title) =>
          title === 'here' ? here : rankMatches(sortedRows, (row) => row.title, title)[0]?.item.id,
        );
  const { response, problem, isSearching } = useSearch(searchRequest);
  const nameSections = useMemo(
    () =>
      buildSections({ groups, rows: sortedRows.filter(({ id }) => id !== here), query: words, kind, isCommandsOnly }),
    [groups, sortedRows, words, here, kind, isCommandsOnly],
  );
  const namedLinks = new Set(nameSections.flatMap(({ options }) => options.map(({ to }) => to)));
  const hits = (response?.hits ?? []).filter(({ kind, link }) => kind !== 'title' || !namedLinks.has(link));
  const sections: PaletteSection[] = [
    ...(query.filters.length > 0 ? [] : nameSections),
    ...(hits.length > 0 ? [{ label: 'Found in text', options: hits.map(hitOption) }] : []),
    ...(words && query.filters.length === 0 && !kind && !isCommandsOnly ? [newSection(words, onNew)] : []),
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

  const isNothingFound = options.length === 0 && !problem && !isSearching;
  return (
    <Modal label="Search or run a command" className={styles.palette} isAtTop={true} onClose={onClose}>
      <div className={styles.head}>
        <span className={styles.glass}>
          <Glyph icon={Search} />
        </span>
        {kind && (
          <FilterChip label={`only ${kindPlural(kind)}`} onRemove={() => setKind(undefined)}>
            only {kindPlural(kind)}
          </FilterChip>
        )}
        {chips.map(({ name, value }, index) => (
          <FilterChip
            key={`${name}:${value}`}
            label={`Remove ${name} ${value}`}
            onRemove={() => setChips(chips.filter((_, i) => i !== index))}
          >
            <b>{name}</b> {value}
          </FilterChip>
        ))}
        <SearchField
          label="Search or run a command"
          text={text}
          list="found"
          options={options}
          activeIndex={activeIndex}
          onText={changeText}
          onActivate={setRequestedIndex}
          onEnter={chooseActive}
          onErase={eraseChip}
        />
        <IconButton icon={X} label="Close" shortcut="Esc" onClick={onClose} />
      </div>
      <div className={styles.results}>
        <div id="found" role="listbox" aria-label="Results" tabIndex={-1}>
          {sections.map((section) => (
            // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by role alone
            <div key={section.label} role="group" aria-label={section.label}>
              <p className={styles.label} aria-hidden="true">
                {section.label}
              </p>
              {section.options.map((option) => (
                <OptionRow
                  key={option.id}
                  option={option}
                  query={words}
                  isActive={option === options[activeIndex]}
                  onChoose={choose}
                />
              ))}
            </div>
          ))}
        </div>
        {problem && <Banner tone="failure">{escapeBidi(problem)}</Banner>}
        {isNothingFound && (
          <EmptyState
            icon={SearchX}
            title="Nothing found"
            text="No command, thread or text matches. Try fewer words, or the beginning of a word."
          />
        )}
        <SearchNotice response={response} isSearching={isSearching === true} />
      </div>
      <p className={styles.foot}>
        <Kbd keys="↑" /> <Kbd keys="↓" /> to move <Kbd keys="↵" /> to open <Kbd keys=">" /> commands only
        <span className={styles.filters}>
          <code>kind:</code> <code>from:</code> <code>in:</code> <code>after:</code> filter texts
        </span>
      </p>
      <Announcer text={`${options.length} ${options.length === 1 ? 'result' : 'results'}`} />
    </Modal>
  );
}

function newSection(title: string, onNew: (title: string) => void): PaletteSection {
  const name = `New: “${escapeBidi(title)}”`;
  return { label: 'New', options: [{ id: 'begin', icon: <Glyph icon={Plus} />, name, act: () => onNew(title) }] };
}

interface FilterChipProps {
  readonly label: string;
  readonly children: ReactNode;
  onRemove(): void;
}

/** A filter in front of the field; a press removes it. */
function FilterChip({ label, children, onRemove }: FilterChipProps) {
  return (
    <button type="button" className={styles.chip} aria-label={label} title="Remove this filter" onClick={onRemove}>
      <span>{children}</span>
      <Glyph icon={X} size={12} />
    </button>
  );
}

/** What the list does not show: a search under way, more matches, or texts that are not indexed yet. */
function SearchNotice({ response, isSearching }: { readonly response?: SearchPage | undefined; isSearching: boolean }) {
  const { events, total } = response?.indexed ?? { events: 0, total: 0 };
  const sentences = [
    ...(isSearching ? ['Searching texts…'] : []),
    ...(response?.more ? ['There are more matches. Add a word to narrow them down.'] : []),
    ...(events < total ? [`${formatNumber(events)} of ${formatNumber(total)} events are indexed so far.`] : []),
  ];
  return (
    <p className={styles.notice} role="status">
      {sentences.join(' ')}
    </p>
  );
}
