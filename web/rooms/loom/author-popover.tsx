import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { WireEvent, WireLoomNode } from '../../../src/client/index.ts';
import { linkTo } from '../../../src/core/link.ts';
import { client } from '../../data/session.ts';
import { openExplain } from '../../explain/target.ts';
import { visible } from '../../ui/text/visible.ts';
import { Time } from '../../ui/time.tsx';
import { Name } from './head.tsx';
import { type Loom, nodeHere } from './loom.ts';
import { unseenWords } from './session/window-edge.ts';

interface WhoProps {
  readonly loom: Loom;
  /** Where in the text. */
  readonly at: number;
  /** Asked for by a key, not by a mouse that rests there. */
  readonly isByKey: boolean;
  onClose(): void;
}

interface Token {
  readonly token: string;
  readonly start: number;
  readonly logprob: number | null;
  readonly others: readonly { readonly token: string; readonly logprob: number }[];
}

const FAR = 60;
const nodes = new Map<string, Promise<WireLoomNode>>();

/** Who wrote a word, how likely it was, and what else it could have been: each of those begins a branch (W15, W17). */
export function Who({ loom, at, isByKey, onClose }: WhoProps) {
  const here = nodeHere(loom.desk.weave(), at);
  const view = useNode(loom, here?.node);
  const box = useRef<HTMLDivElement>(null);
  const coords = loom.editor?.view.coordsAtPos(at);

  // Before anything is painted, and before the keys of the page: one that is pressed at first sight means this.
  useLayoutEffect(() => {
    const outside = (event: Event) => !box.current?.contains(event.target as Node);
    const away = (event: PointerEvent) => outside(event) && onClose();
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'w' && isByKey && !event.altKey && !outside(event)) {
        event.preventDefault();
        return box.current?.querySelector<HTMLElement>('.where-from')?.click();
      }
      if (event.key !== 'Escape' && (isByKey || !outside(event))) return;
      onClose();
      if (isByKey) loom.editor?.view.focus();
    };
    const moved = (event: PointerEvent) => {
      const rect = box.current?.getBoundingClientRect();
      if (!isByKey && rect && outside(event) && distance(rect, event) > FAR) onClose();
    };
    addEventListener('pointerdown', away);
    addEventListener('pointermove', moved);
    addEventListener('keydown', pressed, true);
    return () => {
      removeEventListener('pointerdown', away);
      removeEventListener('pointermove', moved);
      removeEventListener('keydown', pressed, true);
    };
  }, [onClose, isByKey, loom]);

  const span = here && authorAt(loom, here.node, here.offset, view);
  const token = here && view && tokenAt(view, here.offset);
  const isThere = here !== undefined && coords !== undefined && span !== undefined;
  const start = token?.start;
  // Whoever came by key goes on by key.
  useLayoutEffect(() => {
    if (!isByKey || (!isThere && start === undefined)) return;
    box.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, [start, isThere, isByKey]);
  if (!here || !coords || !span) return null;
  const isMine = span.author === loom.me && span.kind === 'human';
  const state = loom.desk.state();
  const entry = loom.desk.facts.entry(state, here.node);
  const dropped = entry?.generation && state.graph.look().generations.get(entry.generation)?.dropped;

  async function branch(start: number, text: string): Promise<void> {
    onClose();
    await beginBranch(loom, here!.node, start, text);
  }

  /** The whole account: the call, what was shown, the terms and the proof (I11). */
  function whereFrom({ node, offset }: { node: string; offset: number }): void {
    const { length } = loom.desk.textOf(node);
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
        <Name author={loom.authors.of(span.author, span.kind)} isMe={isMine} /> wrote this
        {view && (
          <>
            {' '}
            · <Time ts={view.created} />
          </>
        )}
      </p>
      {entry?.stale && <p className="soft">Written against an earlier version of what stands before it.</p>}
      {dropped && <p className="soft">{unseenWords(dropped)}</p>}
      {view?.interrupted && <p className="soft">It was stopped before it was done.</p>}
      {Boolean(view?.details?.templated) && <p className="soft">A chat model went on through a template.</p>}
      {token && (
        <>
          <p>
            <q dir="auto">{shown(token.token)}</q> {token.logprob !== null && percent(token.logprob)}
          </p>
          {token.others.length > 0 && (
            <ul className="others" aria-label="It could have been">
              {token.others
                .filter(({ token: other }) => other !== token.token)
                .map(({ token: other, logprob }) => (
                  <li key={other}>
                    <button type="button" className="link" dir="auto" onClick={() => void branch(token.start, other)}>
                      {shown(other)}
                    </button>{' '}
                    <span className="soft">{percent(logprob)}</span>
                  </li>
                ))}
            </ul>
          )}
        </>
      )}
      {isCommitted(here.node) && (
        <button type="button" className="act where-from" title="w" onClick={() => whereFrom(here)}>
          Where from
        </button>
      )}
    </div>
  );
}

/** Another word at a point of a node: what stands before it is kept, and the word begins a branch there. */
async function beginBranch(loom: Loom, node: string, start: number, text: string): Promise<void> {
  const { desk } = loom;
  let after: string | null | undefined;
  if (start > 0) {
    const sent = await desk.command('split', { node, at: start });
    const divided = sent?.events.find(({ type }: WireEvent) => type === 'loom.divided');
    after = (divided?.content as { prefix: { node: string } } | undefined)?.prefix.node;
  } else after = (await readNode(loom.id, node)).parent;
  if (after) await desk.command('commit', { edits: [], text, after });
}

function authorAt(loom: Loom, node: string, offset: number, view: WireLoomNode | undefined) {
  const spans = view?.spans ?? loom.desk.facts.spans(loom.desk.state(), node);
  return spans.find(({ start, end }) => start <= offset && offset < end) ?? spans.at(-1);
}

/** Undefined where no probabilities were told, or the text is not what was generated. */
function tokenAt({ tokens, content, edited_from }: WireLoomNode, offset: number): Token | undefined {
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

/** What is only being typed or written has no event yet. */
function isCommitted(node: string): boolean {
  return !/^~|^gen:/.test(node);
}

function useNode(loom: Loom, id: string | undefined): WireLoomNode | undefined {
  const [view, setView] = useState<WireLoomNode>();
  useEffect(() => {
    if (id === undefined || !isCommitted(id)) return;
    let isGone = false;
    readNode(loom.id, id).then(
      (found) => !isGone && setView(found),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [loom, id]);
  return view?.node === id ? view : undefined;
}

/** A node's text and probabilities never change. */
function readNode(thread: string, node: string): Promise<WireLoomNode> {
  const key = `${thread} ${node}`;
  let found = nodes.get(key);
  if (!found) {
    found = client.thread(thread).loom.node(node);
    nodes.set(key, found);
    found.catch(() => nodes.delete(key));
  }
  return found;
}

function distance(rect: DOMRect, { clientX, clientY }: PointerEvent): number {
  const x = Math.max(rect.left - clientX, 0, clientX - rect.right);
  const y = Math.max(rect.top - clientY, 0, clientY - rect.bottom);
  return Math.hypot(x, y);
}

function shown(token: string): string {
  return visible(token.replaceAll('\n', '↵'));
}

function percent(logprob: number): string {
  const value = Math.exp(logprob) * 100;
  return `${value >= 10 ? value.toFixed(0) : value >= 0.1 ? value.toFixed(1) : '< 0.1'} %`;
}
