import { X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import { isWaiting } from '../../../../src/core/runs/wait.ts';
import { useStore } from '../../../data/store.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Kbd } from '../../../ui/controls/kbd.tsx';
import { modelWaitText } from '../../model-wait.ts';
import type { LoomActions } from '../actions.ts';
import type { OpenLoom } from '../loom.ts';
import { parseStreamNodeId } from '../session/outbox.ts';
import { listenToNotches } from './notches.ts';
import styles from './shelf.module.css';
import { ShelfCard } from './shelf-card.tsx';
import type { ShelfState } from './shelf-state.ts';

interface ShelfProps {
  readonly loom: OpenLoom;
  readonly actions: LoomActions;
}

/** Whether the shelf belongs to the end of the text, where it stands in the page; elsewhere it floats over it. */
export function isShelfAtEnd({ session }: OpenLoom, { kind, all, node }: ShelfState): boolean {
  const last = session.weave().nodes.at(-1)?.id;
  return kind === 'branch' && last !== undefined && (last === node || all.includes(last));
}

/** The alternatives at a place as cards, until one is taken. */
export function Shelf({ loom, actions, state }: ShelfProps & { readonly state: ShelfState }) {
  const { shelf, session } = loom;
  const { kind, all, node, mode } = state;
  const list = useRef<HTMLDivElement>(null);
  useRevealedNode(loom, node);
  useSwipe(list, (index) => all[index] !== undefined && all[index] !== node && choose(all[index]));
  useNotches(list, (step) => shelf.turn(node, kind, step));

  useLayoutEffect(() => {
    if (mode === 'opened') list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }, [mode]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is chosen
  useEffect(() => {
    const card = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (card && list.current) scrollWithin(list.current, card);
  }, [node]);

  function choose(id: string): void {
    shelf.choose(id, kind, all, mode === 'turning' ? 'opened' : mode);
  }

  function close(): void {
    shelf.take();
    loom.editor?.view.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) shelf.turn(node, kind, step);
    else if (/^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey) actions.chooseNumber(Number(event.key));
    else if (event.key === 'Escape' || event.key === 'Enter') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The focus stays with the chosen card.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is chosen
  useLayoutEffect(() => {
    if (list.current?.contains(document.activeElement))
      list.current.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }, [node]);

  const count = all.length;
  return (
    <section className={styles.shelf} aria-label={kind === 'branch' ? 'Shelf' : 'Versions of this place'}>
      <header className={styles.head}>
        <span>{headline(kind, count, session.weave().nodes.at(-1)?.id === node)}</span>
        {count > 1 && (
          <span className={styles.keys}>
            Press <Kbd keys="Alt" /> <Kbd keys={count > 2 ? `1 – ${Math.min(9, count)}` : '1 2'} /> or scroll to choose
          </span>
        )}
        <span className={styles.tools}>
          {count > 1 && (
            <Button kind="quiet" onClick={() => actions.overlay.set({ kind: 'sides', node })}>
              Compare
            </Button>
          )}
          <IconButton icon={X} label="Close" shortcut="Esc" onClick={close} />
        </span>
      </header>
      <div
        ref={list}
        role="listbox"
        tabIndex={-1}
        aria-label={kind === 'branch' ? 'Continuations' : 'Versions'}
        aria-orientation="horizontal"
        className={styles.cards}
        data-count={Math.min(count, 3)}
        onKeyDown={onKeyDown}
      >
        {all.map((id, index) => (
          <ShelfCard
            key={id}
            loom={loom}
            id={id}
            number={index + 1}
            isChosen={id === node}
            onChoose={() => (id === node ? close() : choose(id))}
          />
        ))}
      </div>
      <WaitReason loom={loom} all={all} />
    </section>
  );
}

/** Once for all cards: until when the model is waited for, and why. */
function WaitReason({ loom, all }: { readonly loom: OpenLoom; readonly all: readonly string[] }) {
  const { openGenerations } = useStore(loom.replica.loom);
  const shown = new Set(all.map((id) => parseStreamNodeId(loom.session.resolve(id))?.generation));
  const waiting = openGenerations.find(({ request }) => shown.has(request.generation))?.waiting;
  if (!waiting || !isWaiting(waiting, Date.now())) return null;
  const text = modelWaitText(waiting);
  return (
    <p className={styles.why} role="status" dir="auto">
      {text.charAt(0).toUpperCase() + text.slice(1)}
    </p>
  );
}

function headline(kind: ShelfState['kind'], count: number, isEnd: boolean): string {
  if (kind === 'version') return `${count} versions of this place`;
  const noun = count === 1 ? 'continuation' : 'continuations';
  return `${count} ${noun} ${isEnd ? 'from here' : 'at this place'}`;
}

/** Keeps the changing node in view while it is turned. */
function useRevealedNode(loom: OpenLoom, node: string): void {
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another node is shown
  useEffect(() => {
    const range = rangeOf(loom.session.weave(), node);
    if (!isFirst.current && range) loom.editor?.reveal(range.from);
    isFirst.current = false;
  }, [node]);
}

/** On a phone the cards are a row to swipe: the one in the middle is the chosen one. */
function useSwipe(list: RefObject<HTMLElement | null>, onSettle: (index: number) => void): void {
  const settle = useRef(onSettle);
  settle.current = onSettle;
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    let isTouched = false;
    const onTouch = () => {
      isTouched = true;
    };
    const onScrollEnd = () => {
      // Only a finger chooses; the row also scrolls by itself to what was chosen otherwise.
      if (!isTouched) return;
      isTouched = false;
      const middle = element.scrollLeft + element.clientWidth / 2;
      const centres = [...element.children].map((card) => {
        const { offsetLeft, offsetWidth } = card as HTMLElement;
        return Math.abs(offsetLeft + offsetWidth / 2 - middle);
      });
      settle.current(centres.indexOf(Math.min(...centres)));
    };
    element.addEventListener('touchmove', onTouch, { passive: true });
    element.addEventListener('scrollend', onScrollEnd);
    return () => {
      element.removeEventListener('touchmove', onTouch);
      element.removeEventListener('scrollend', onScrollEnd);
    };
  }, [list]);
}

function useNotches(list: RefObject<HTMLElement | null>, onNotch: (step: number) => void): void {
  const notch = useRef(onNotch);
  notch.current = onNotch;
  useEffect(() => (list.current ? listenToNotches(list.current, (step) => notch.current(step)) : undefined), [list]);
}

/** Scrolls the row alone, not the page around it. */
function scrollWithin(row: HTMLElement, card: HTMLElement): void {
  const isOut =
    card.offsetLeft < row.scrollLeft || card.offsetLeft + card.offsetWidth > row.scrollLeft + row.clientWidth;
  if (isOut) row.scrollTo({ left: card.offsetLeft - (row.clientWidth - card.offsetWidth) / 2 });
  const isBelow =
    card.offsetTop < row.scrollTop || card.offsetTop + card.offsetHeight > row.scrollTop + row.clientHeight;
  if (isBelow) row.scrollTo({ top: card.offsetTop });
}
