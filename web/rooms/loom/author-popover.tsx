import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { WireLoomNode } from '../../../src/client/index.ts';
import { linkTo } from '../../../src/core/link.ts';
import { openExplain } from '../../explain/target.ts';
import { Button } from '../../ui/controls/button.tsx';
import { hueOf } from '../../ui/people/hue.ts';
import { Face } from '../../ui/people/participant.tsx';
import { Time } from '../../ui/time.tsx';
import { Alternatives, rankOf } from './alternatives.tsx';
import styles from './author-popover.module.css';
import { AuthorName } from './authors-legend.tsx';
import { nodeAtCaret, type OpenLoom } from './loom.ts';
import { isCommitted, tokensOf } from './session/node-views.ts';
import { unseenMessage } from './session/window-edge.ts';

interface AuthorPopoverProps {
  readonly loom: OpenLoom;
  /** The offset in the text. */
  readonly at: number;
  /** Opened by a key, not by a resting mouse. */
  readonly isByKey: boolean;
  onClose(): void;
}

const CLOSE_DISTANCE = 60;
const WIDTH = 300;

/** Shows the author of a word, its probability and its alternatives, each of which starts a branch (W15, W17). */
export function AuthorPopover({ loom, at, isByKey, onClose }: AuthorPopoverProps) {
  const position = nodeAtCaret(loom.session.weave(), at);
  const view = useNode(loom, position?.node);
  const box = useRef<HTMLDivElement>(null);
  const coords = loom.editor?.view.coordsAtPos(at);

  // Runs before paint and before the page's key handlers: a key pressed as soon as the popover shows is meant for it.
  useLayoutEffect(() => {
    const isOutside = (event: Event) => !box.current?.contains(event.target as Node);
    const onPointerDown = (event: PointerEvent) => isOutside(event) && onClose();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'w' && isByKey && !event.altKey && !isOutside(event)) {
        event.preventDefault();
        return box.current?.querySelector<HTMLElement>('[data-source]')?.click();
      }
      if (event.key !== 'Escape' && (isByKey || !isOutside(event))) return;
      onClose();
      if (isByKey) loom.editor?.view.focus();
    };
    const onPointerMove = (event: PointerEvent) => {
      const rect = box.current?.getBoundingClientRect();
      if (!isByKey && rect && isOutside(event) && distance(rect, event) > CLOSE_DISTANCE) onClose();
    };
    addEventListener('pointerdown', onPointerDown);
    addEventListener('pointermove', onPointerMove);
    addEventListener('keydown', onKeyDown, true);
    return () => {
      removeEventListener('pointerdown', onPointerDown);
      removeEventListener('pointermove', onPointerMove);
      removeEventListener('keydown', onKeyDown, true);
    };
  }, [onClose, isByKey, loom]);

  const span = position && authorAt(loom, position.node, position.offset, view);
  const token = position && view && tokenAt(view, position.offset);
  const isPlaced = position !== undefined && coords !== undefined && span !== undefined;
  const start = token?.start;
  // If a key opened the popover, move the focus into it.
  useLayoutEffect(() => {
    if (!isByKey || (!isPlaced && start === undefined)) return;
    box.current
      ?.querySelector<HTMLElement>('[role=radio][aria-checked=true], [data-source]')
      ?.focus({ preventScroll: true });
  }, [start, isPlaced, isByKey]);
  if (!position || !coords || !span) return null;
  const state = loom.session.state();
  const entry = loom.session.facts.entry(state, position.node);
  const dropped = entry?.generation && state.graph.read().generations.get(entry.generation)?.dropped;

  /** Branches that begin here with another word are only known where the node itself begins. */
  const branchWith = (word: string) =>
    token?.start === 0 && entry ? entry.siblings.find((id) => loom.session.textOf(id).startsWith(word)) : undefined;

  async function startBranch(start: number, word: string): Promise<void> {
    onClose();
    loom.view.set('write');
    loom.editor?.view.focus();
    const known = branchWith(word);
    if (known !== undefined) return loom.session.goTo(known);
    await beginBranch(loom, position!.node, start, word);
  }

  /** Opens the full record: the model call, the prompt, the terms and the proof (I28). */
  function showSource({ node, offset }: { node: string; offset: number }): void {
    const { length } = loom.session.textOf(node);
    onClose();
    loom.editor?.view.focus();
    openExplain(linkTo({ id: loom.id, kind: 'loom' }, node), Math.max(0, Math.min(offset, length - 1)));
  }

  return (
    <div
      ref={box}
      className={styles.who}
      role="dialog"
      aria-label="Who wrote this"
      data-hue={hueOf(span.author)}
      style={placeBelow(coords)}
    >
      <p className={styles.head}>
        <Face id={span.author} size="small" />
        <AuthorName loom={loom} id={span.author} /> {token ? `chose ${rankOf(token)}` : 'wrote this'}
        {view && !token && (
          <>
            · <Time ts={view.created} />
          </>
        )}
      </p>
      {entry?.stale && <p className={styles.note}>Written against an earlier version of the text before it.</p>}
      {dropped && <p className={styles.note}>{unseenMessage(dropped)}</p>}
      {view?.interrupted && <p className={styles.note}>Stopped before it was finished.</p>}
      {Boolean(view?.details?.templated) && (
        <p className={styles.note}>A chat model continued the text through a template.</p>
      )}
      {token && (
        <Alternatives
          key={token.start}
          token={token}
          isBranch={(word) => branchWith(word) !== undefined}
          onBranch={(word) => void startBranch(token.start, word)}
        />
      )}
      {isCommitted(position.node) && (
        <div className={styles.source}>
          <Button kind="quiet" shortcut="W" data-source onClick={() => showSource(position)}>
            Source
          </Button>
        </div>
      )}
    </div>
  );
}

/** Below the word, or above it where there is no room. */
function placeBelow({ left, top, bottom }: { readonly left: number; readonly top: number; readonly bottom: number }) {
  const x = Math.max(8, Math.min(left - 20, innerWidth - WIDTH - 8));
  const isLow = bottom > innerHeight * 0.6;
  return {
    '--left': `${x}px`,
    '--top': isLow ? 'auto' : `${bottom + 6}px`,
    '--bottom': isLow ? `${innerHeight - top + 6}px` : 'auto',
  } as React.CSSProperties;
}

/** Starts a branch with another word at a point of a node; the text before that point is kept. */
async function beginBranch(loom: OpenLoom, node: string, start: number, text: string): Promise<void> {
  const { session } = loom;
  let after: string | null | undefined;
  if (start > 0) {
    const sent = await session.command('split', { node, at: start });
    after = sent?.events.find((event) => event.type === 'loom.divided')?.content.prefix.node;
  } else after = (await loom.nodeViews.read(node)).parent;
  if (after) await session.command('commit', { edits: [], text, after });
}

function authorAt(loom: OpenLoom, node: string, offset: number, view: WireLoomNode | undefined) {
  const spans = view?.spans ?? loom.session.facts.spans(loom.session.state(), node);
  return spans.find(({ start, end }) => start <= offset && offset < end) ?? spans.at(-1);
}

function tokenAt(view: WireLoomNode, offset: number) {
  return tokensOf(view).find(({ start, token }) => start <= offset && offset < start + token.length);
}

function useNode(loom: OpenLoom, id: string | undefined): WireLoomNode | undefined {
  const [view, setView] = useState<WireLoomNode>();
  useEffect(() => {
    if (id === undefined || !isCommitted(id)) return;
    let isCancelled = false;
    loom.nodeViews.read(id).then(
      (node) => !isCancelled && setView(node),
      () => {},
    );
    return () => {
      isCancelled = true;
    };
  }, [loom, id]);
  return view?.node === id ? view : undefined;
}

function distance(rect: DOMRect, { clientX, clientY }: PointerEvent): number {
  const x = Math.max(rect.left - clientX, 0, clientX - rect.right);
  const y = Math.max(rect.top - clientY, 0, clientY - rect.bottom);
  return Math.hypot(x, y);
}
