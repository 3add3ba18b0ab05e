import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TreeView } from '../../../../src/core/loom/view-schema.ts';
import { formatCount } from '../../../../src/core/text/pluralize.ts';
import { useStore } from '../../../data/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { hueOf } from '../../../ui/people/hue.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { goToNode, type OpenLoom } from '../loom.ts';
import styles from './outline.module.css';
import { type OutlineRow, outlineRows } from './outline-rows.ts';
import { useTree } from './use-tree.ts';

/** The tree as lines of text; only those in view are drawn (W23, W27). */
export function Outline({ loom }: { readonly loom: OpenLoom }) {
  const tree = useTree(loom.session);
  const hoistedNode = useStore(loom.hoistedNode);
  const { node: here } = useStore(loom.caret);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [marked, setMarked] = useState<number>();
  const list = useRef<HTMLDivElement>(null);
  const root = hoistedNode === undefined ? 0 : tree.node.indexOf(hoistedNode) + 1;
  const rows = useMemo(() => outlineRows(tree, root, opened), [tree, root, opened]);
  const herePlace = here === undefined ? -1 : tree.node.indexOf(here) + 1;
  const { first, count, rowHeight } = useWindow(list, rows.length);
  const markedIndex = rows.findIndex(({ place }) => place === (marked ?? herePlace));
  const active = markedIndex < 0 ? 0 : markedIndex;

  useEffect(() => {
    if (marked !== undefined) scrollToRow(list.current, active, rowHeight);
  }, [marked, active, rowHeight]);

  const toggle = useCallback(
    (place: number) =>
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(place)) next.add(place);
        return next;
      }),
    [],
  );
  const goTo = useCallback(
    (place: number) => {
      const node = tree.node[place - 1];
      if (node !== undefined) void goToNode(loom, node, Number.MAX_SAFE_INTEGER);
    },
    [loom, tree],
  );

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[active];
    const move = (index: number) => setMarked(rows[Math.max(0, Math.min(rows.length - 1, index))]?.place);
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active - 1);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(rows.length - 1);
    else if (event.key === 'ArrowRight' && row && row.hidden > 0 && !row.isOpen) toggle(row.place);
    else if (event.key === 'ArrowLeft' && row?.isOpen) toggle(row.place);
    else if (event.key === 'ArrowLeft' && row)
      move(rows.findLastIndex((each, at) => at < active && each.depth < row.depth));
    else if (event.key === 'Enter' && row) goTo(row.place);
    else if (/^[1-9]$/.test(event.key)) {
      const numbered = rows.find(({ number }) => number === Number(event.key));
      if (numbered) goTo(numbered.place);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      {hoistedNode !== undefined && (
        <p className={styles.hoisted}>
          Only one branch is shown.
          <Button onClick={() => loom.hoistedNode.set(undefined)}>Show all</Button>
        </p>
      )}
      {rows.length === 0 && (
        <p className={styles.none}>Every piece that you or a model writes becomes a line here, with its branches.</p>
      )}
      <div
        ref={list}
        role="tree"
        aria-label={`Outline, ${formatCount(rows.length, 'line')}`}
        aria-activedescendant={rows[active] ? rowId(rows[active].place) : undefined}
        tabIndex={0}
        className={styles.outline}
        style={{ height: rows.length * rowHeight }}
        onKeyDown={onKeyDown}
        onBlur={() => setMarked(undefined)}
      >
        {rows.slice(first, first + count).map((row, index) => (
          <Row
            key={row.place}
            tree={tree}
            row={row}
            top={(first + index) * rowHeight}
            position={first + index}
            total={rows.length}
            isHere={row.place === herePlace}
            isMarked={marked === row.place}
            onGo={goTo}
            onToggle={toggle}
          />
        ))}
      </div>
    </>
  );
}

interface RowProps {
  readonly tree: TreeView;
  readonly row: OutlineRow;
  readonly top: number;
  readonly position: number;
  readonly total: number;
  readonly isHere: boolean;
  readonly isMarked: boolean;
  onGo(place: number): void;
  onToggle(place: number): void;
}

const Row = memo(function Row({ tree, row, top, position, total, isHere, isMarked, onGo, onToggle }: RowProps) {
  const author = tree.authors[tree.author[row.place - 1]!]?.id ?? '';
  const text = escapeBidi(tree.preview[row.place - 1] ?? '').trim();
  return (
    <div
      id={rowId(row.place)}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-setsize={total}
      aria-posinset={position + 1}
      aria-selected={isHere}
      aria-expanded={row.hidden > 0 ? row.isOpen : undefined}
      className={styles.row}
      data-path={row.isOnPath}
      data-here={isHere}
      data-marked={isMarked}
      data-hue={hueOf(author)}
      style={{ top, '--depth': row.depth } as React.CSSProperties}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onGo(row.place)}
      onKeyDown={() => {}}
    >
      <i className={styles.dot} />
      <span className={styles.text} dir="auto">
        {text || '(nothing)'}
      </span>
      <span className="unseen">{`by ${escapeBidi(author)}${row.isOnPath ? ', on your path' : ''}`}</span>
      {row.hidden > 0 && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the tree do the same
        // biome-ignore lint/a11y/noStaticElementInteractions: the line itself is what has a role
        <span
          className={styles.toggle}
          title={row.isOpen ? 'Collapse' : `Expand: ${formatCount(row.hidden, 'branch', 'branches')}`}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row.place);
          }}
        >
          <Glyph icon={row.isOpen ? ChevronDown : ChevronRight} size={14} />
        </span>
      )}
      {row.number !== undefined && <span className={styles.number}>{row.number}</span>}
    </div>
  );
});

function rowId(place: number): string {
  return `outline-${place}`;
}

const OVERSCAN = 8;

/** The rows in view of the nearest area that scrolls. */
function useWindow(list: RefObject<HTMLElement | null>, total: number) {
  const [view, setView] = useState({ first: 0, count: 60, rowHeight: 32 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may be in view
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const area = scrollArea(element);
    const update = () => {
      const rowHeight = Number.parseFloat(getComputedStyle(element).getPropertyValue('--control')) || 32;
      const above = area.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(above / rowHeight) - OVERSCAN);
      const count = Math.ceil(area.clientHeight / rowHeight) + 2 * OVERSCAN;
      setView((before) =>
        before.first === first && before.count === count && before.rowHeight === rowHeight
          ? before
          : { first, count, rowHeight },
      );
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(area);
    area.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      area.removeEventListener('scroll', update);
    };
  }, [list, total]);
  return view;
}

function scrollArea(element: HTMLElement): HTMLElement {
  for (let area = element.parentElement; area; area = area.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(area).overflowY)) return area;
  }
  return document.documentElement;
}

function scrollToRow(list: HTMLElement | null, index: number, rowHeight: number): void {
  if (!list) return;
  const area = scrollArea(list);
  const top = list.getBoundingClientRect().top - area.getBoundingClientRect().top + index * rowHeight;
  if (top < 0) area.scrollTop += top - rowHeight;
  else if (top + rowHeight > area.clientHeight) area.scrollTop += top + 2 * rowHeight - area.clientHeight;
}
