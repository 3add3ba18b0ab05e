import { type CSSProperties, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { Tooltip } from '../../../ui/floating/tooltip.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import styles from './scrubber.module.css';
import { rangeOf, type StripMark, windowOfStrip } from './strip.ts';

/** The least width of a mark with its label. */
const MARK_WIDTH = 44;
const DEFAULT_CAPACITY = 7;

interface ScrubberProps {
  /** Oldest first. */
  readonly strip: readonly StripMark[];
  readonly selected: number | undefined;
  /** Marks that are compared. */
  readonly ringed: readonly number[];
  /** The number of older drafts that are not loaded. */
  readonly unloaded: number;
  readonly hue: number;
  /** The id of what shows the selected mark. */
  readonly panel: string;
  onSelect(iter: number): void;
  onShowOlder(): void;
}

/** The drafts of a turn in order of time: a mark for each, apart by their length, moved along by pointer or arrows. */
export function Scrubber({ strip, selected, ringed, unloaded, hue, panel, onSelect, onShowOlder }: ScrubberProps) {
  const list = useRef<HTMLDivElement>(null);
  const shouldFocus = useRef(false);
  const capacity = useCapacity(list);
  const selectedAt = Math.max(
    0,
    strip.findIndex(({ iter }) => iter === selected),
  );
  const { from, to } = windowOfStrip(strip.length, selectedAt, capacity, unloaded > 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes with the selection
  useLayoutEffect(() => {
    if (!shouldFocus.current) return;
    shouldFocus.current = false;
    list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus({ preventScroll: true });
  }, [selected]);

  function onKeyDown(event: KeyboardEvent): void {
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const forward = isRightToLeft ? -1 : 1;
    const steps: Record<string, number> = {
      ...{ ArrowRight: selectedAt + forward, ArrowLeft: selectedAt - forward, Home: 0, End: strip.length - 1 },
    };
    const at = steps[event.key];
    if (at === undefined) return;
    event.preventDefault();
    const next = strip[at];
    if (!next) return;
    shouldFocus.current = true;
    onSelect(next.iter);
    if (at <= 1 && unloaded > 0) onShowOlder();
  }

  const earlier = from > 0 || unloaded > 0 ? strip.slice(0, from) : undefined;
  const later = to < strip.length ? strip.slice(to) : undefined;
  return (
    <div ref={list} className={styles.scrubber} role="tablist" aria-label="Drafts" data-hue={hue} onKeyDown={onKeyDown}>
      {earlier && (
        <FoldedMarks
          label="Earlier drafts"
          range={rangeLabel(earlier, unloaded)}
          onPress={() => {
            const last = earlier.at(-1);
            if (last) onSelect(last.iter);
            if (earlier.length <= capacity) onShowOlder();
          }}
        />
      )}
      {strip.slice(from, to).map((mark) => (
        <Mark
          key={mark.iter}
          mark={mark}
          isSelected={mark.iter === strip[selectedAt]?.iter}
          isRinged={ringed.includes(mark.iter)}
          panel={panel}
          onSelect={onSelect}
        />
      ))}
      {later && (
        <FoldedMarks
          label="Later drafts"
          range={rangeLabel(later, 0)}
          onPress={() => later[0] && onSelect(later[0].iter)}
        />
      )}
    </div>
  );
}

interface MarkProps {
  readonly mark: StripMark;
  readonly isSelected: boolean;
  readonly isRinged: boolean;
  readonly panel: string;
  onSelect(iter: number): void;
}

function Mark({ mark, isSelected, isRinged, panel, onSelect }: MarkProps) {
  const { iter, kind, label, name, details, marks, length } = mark;
  const [number, note] = label.split(' · ');
  // A signal is read on the strip itself; a draft is, when it is shown.
  const seenHere = marks.flatMap(({ draft }) => (draft?.signal ? [draft.index] : [])).join(' ');
  return (
    <Tooltip label={details === '' ? name : `${name}: ${details}`}>
      <button
        type="button"
        role="tab"
        className={styles.mark}
        data-kind={kind}
        data-ringed={isRinged || undefined}
        data-draft={seenHere || undefined}
        aria-label={escapeBidi(name)}
        aria-description={details}
        aria-selected={isSelected}
        aria-controls={panel}
        tabIndex={isSelected ? 0 : -1}
        style={{ '--length': length } as CSSProperties}
        onClick={() => onSelect(iter)}
      >
        <i className={styles.dot} />
        <span className={styles.label}>
          {escapeBidi(number ?? '')}
          {note && <span className={styles.note}> · {note}</span>}
        </span>
      </button>
    </Tooltip>
  );
}

function FoldedMarks({ label, range, onPress }: { readonly label: string; readonly range: string; onPress(): void }) {
  return (
    <button
      type="button"
      role="tab"
      className={styles.mark}
      data-kind="folded"
      aria-label={`${label}, ${range}`}
      aria-selected={false}
      tabIndex={-1}
      onClick={onPress}
    >
      <i className={styles.dot} />
      <span className={styles.label}>{range}</span>
    </button>
  );
}

function rangeLabel(marks: readonly StripMark[], unloaded: number): string {
  const indices = marks.flatMap(({ draft, alike }) => (draft ? [draft.index, ...alike.map(({ index }) => index)] : []));
  const known = unloaded > 0 ? [1, ...indices, unloaded] : indices;
  if (known.length === 0) return '…';
  const [first, last] = [Math.min(...known), Math.max(...known)];
  return first === last ? String(first) : rangeOf(Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

/** How many marks fit beside each other. */
function useCapacity(list: React.RefObject<HTMLElement | null>): number {
  const [capacity, setCapacity] = useState(DEFAULT_CAPACITY);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => setCapacity(Math.max(3, Math.floor(element.clientWidth / MARK_WIDTH)));
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [list]);
  return capacity;
}
