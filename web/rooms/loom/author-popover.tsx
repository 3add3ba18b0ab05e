import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { WireLoomNode } from '../../../src/client/index.ts';
import { linkTo } from '../../../src/core/link.ts';
import { client } from '../../data/session.ts';
import { openExplain } from '../../explain/target.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { Time } from '../../ui/time.tsx';
import { AuthorName } from './header.tsx';
import { nodeAtCaret, type OpenLoom } from './loom.ts';
import { unseenMessage } from './session/window-edge.ts';

interface AuthorPopoverProps {
  readonly loom: OpenLoom;
  /** The offset in the text. */
  readonly at: number;
  /** Opened by a key, not by a resting mouse. */
  readonly isByKey: boolean;
  onClose(): void;
}

interface TokenChoice {
  readonly token: string;
  readonly start: number;
  readonly logprob: number | null;
  readonly others: readonly { readonly token: string; readonly logprob: number }[];
}

const CLOSE_DISTANCE = 60;
const nodeCache = new Map<string, Promise<WireLoomNode>>();

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
        return box.current?.querySelector<HTMLElement>('.where-from')?.click();
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
    box.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, [start, isPlaced, isByKey]);
  if (!position || !coords || !span) return null;
  const isMine = span.author === loom.me && span.kind === 'human';
  const state = loom.session.state();
  const entry = loom.session.facts.entry(state, position.node);
  const dropped = entry?.generation && state.graph.read().generations.get(entry.generation)?.dropped;

  async function startBranch(start: number, text: string): Promise<void> {
    onClose();
    await beginBranch(loom, position!.node, start, text);
  }

  /** Opens the full record: the model call, the prompt, the terms and the proof (I11). */
  function showSource({ node, offset }: { node: string; offset: number }): void {
    const { length } = loom.session.textOf(node);
    onClose();
    loom.editor?.view.focus();
    openExplain(linkTo({ id: loom.id, kind: 'loom' }, node), Math.max(0, Math.min(offset, length - 1)));
  }

  return (
    <div
      ref={box}
      className="who"
      role="dialog"
      aria-label="Who wrote this"
      style={{ top: coords.bottom + 6, left: Math.max(8, Math.min(coords.left - 20, innerWidth - 288)) }}
    >
      <p>
        <AuthorName author={loom.authors.of(span.author, span.kind)} isMe={isMine} /> wrote this
        {view && (
          <>
            {' '}
            · <Time ts={view.created} />
          </>
        )}
      </p>
      {entry?.stale && <p className="soft">Written against an earlier version of what stands before it.</p>}
      {dropped && <p className="soft">{unseenMessage(dropped)}</p>}
      {view?.interrupted && <p className="soft">It was stopped before it was done.</p>}
      {Boolean(view?.details?.templated) && <p className="soft">A chat model went on through a template.</p>}
      {token && (
        <>
          <p>
            <q dir="auto">{visibleToken(token.token)}</q> {token.logprob !== null && formatPercent(token.logprob)}
          </p>
          {token.others.length > 0 && (
            <ul className="others" aria-label="It could have been">
              {token.others
                .filter(({ token: other }) => other !== token.token)
                .map(({ token: other, logprob }) => (
                  <li key={other}>
                    <button
                      type="button"
                      className="link"
                      dir="auto"
                      onClick={() => void startBranch(token.start, other)}
                    >
                      {visibleToken(other)}
                    </button>{' '}
                    <span className="soft">{formatPercent(logprob)}</span>
                  </li>
                ))}
            </ul>
          )}
        </>
      )}
      {isCommitted(position.node) && (
        <button type="button" className="act where-from" title="w" onClick={() => showSource(position)}>
          Source
        </button>
      )}
    </div>
  );
}

/** Starts a branch with another word at a point of a node; the text before that point is kept. */
async function beginBranch(loom: OpenLoom, node: string, start: number, text: string): Promise<void> {
  const { session } = loom;
  let after: string | null | undefined;
  if (start > 0) {
    const sent = await session.command('split', { node, at: start });
    after = sent?.events.find((event) => event.type === 'loom.divided')?.content.prefix.node;
  } else after = (await readNode(loom.id, node)).parent;
  if (after) await session.command('commit', { edits: [], text, after });
}

function authorAt(loom: OpenLoom, node: string, offset: number, view: WireLoomNode | undefined) {
  const spans = view?.spans ?? loom.session.facts.spans(loom.session.state(), node);
  return spans.find(({ start, end }) => start <= offset && offset < end) ?? spans.at(-1);
}

/** Undefined if there are no probabilities, or if the text is no longer the generated one. */
function tokenAt({ tokens, content, edited_from }: WireLoomNode, offset: number): TokenChoice | undefined {
  if (!tokens || edited_from !== undefined) return undefined;
  let start = 0;
  for (const each of tokens) {
    const end = start + each.token.length;
    if (content.slice(start, end) !== each.token) return undefined;
    if (offset < end) return { ...each, start };
    start = end;
  }
  return undefined;
}

/** False for text that is still being typed or generated: it has no event yet. */
function isCommitted(node: string): boolean {
  return !/^~|^gen:/.test(node);
}

function useNode(loom: OpenLoom, id: string | undefined): WireLoomNode | undefined {
  const [view, setView] = useState<WireLoomNode>();
  useEffect(() => {
    if (id === undefined || !isCommitted(id)) return;
    let isCancelled = false;
    readNode(loom.id, id).then(
      (node) => !isCancelled && setView(node),
      () => {},
    );
    return () => {
      isCancelled = true;
    };
  }, [loom, id]);
  return view?.node === id ? view : undefined;
}

/** Cached, because a node's text and probabilities never change. */
function readNode(thread: string, node: string): Promise<WireLoomNode> {
  const key = `${thread} ${node}`;
  let request = nodeCache.get(key);
  if (!request) {
    request = client.thread(thread).loom.node(node);
    nodeCache.set(key, request);
    request.catch(() => nodeCache.delete(key));
  }
  return request;
}

function distance(rect: DOMRect, { clientX, clientY }: PointerEvent): number {
  const x = Math.max(rect.left - clientX, 0, clientX - rect.right);
  const y = Math.max(rect.top - clientY, 0, clientY - rect.bottom);
  return Math.hypot(x, y);
}

function visibleToken(token: string): string {
  return escapeBidi(token.replaceAll('\n', '↵'));
}

function formatPercent(logprob: number): string {
  const value = Math.exp(logprob) * 100;
  return `${value >= 10 ? value.toFixed(0) : value >= 0.1 ? value.toFixed(1) : '< 0.1'} %`;
}
