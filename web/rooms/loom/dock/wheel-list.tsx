import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import { useStore } from '../../../data/store.ts';
import { visible } from '../../../ui/text/visible.ts';
import type { LoomActions } from '../actions.ts';
import type { Loom } from '../loom.ts';
import { growingParts } from '../session/outbox.ts';

/** What else there is at a place: shown while the wheel turns, or opened to choose from. */
export function WheelList({ loom, actions }: { readonly loom: Loom; readonly actions: LoomActions }) {
  const { wheel, desk } = loom;
  const turned = useStore(wheel.shown);
  const growing = useStore(loom.replica.streams.growing);
  const list = useRef<HTMLDivElement>(null);
  const isOpen = turned?.isOpen ?? false;
  useLayoutEffect(() => {
    if (isOpen) list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }, [isOpen]);
  // What changes is to be seen.
  const look = useStore(desk.look);
  const node = turned?.node;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stands in the text only once the text was drawn anew
  useEffect(() => {
    const range = node === undefined ? undefined : rangeOf(desk.weave(), node);
    if (range) loom.editor?.reveal(range.from);
  }, [node, look]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  // Texts that still grow stand below already.
  if (!turned || turned.all.every((id) => growingParts(id))) return null;
  const { kind, all } = turned;
  const graph = desk.state().graph.look();

  function pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) wheel.turn(turned!.node, kind, step);
    else if (event.key === 'Escape' || event.key === 'Enter') {
      wheel.close();
      loom.editor?.view.focus();
    } else return;
    event.preventDefault();
  }

  return (
    <div className="wheel" data-open={isOpen}>
      <p className="wheel-head">
        {kind === 'branch' ? 'Branch' : 'Version'} {all.indexOf(turned.node) + 1} of {all.length}
        <button type="button" className="act" onClick={() => actions.over.set({ kind: 'sides', node: turned.node })}>
          Side by side
        </button>
        <button type="button" className="act" onClick={wheel.close}>
          Close
        </button>
      </p>
      <div
        ref={list}
        role="listbox"
        tabIndex={-1}
        aria-label={kind === 'branch' ? 'Branches' : 'Versions'}
        onKeyDown={pressed}
      >
        {all.map((id) => {
          const parts = growingParts(id);
          const at = graph.byId.get(id) ?? 0;
          const text = parts ? (growing.get(parts.generation)?.[parts.choice] ?? '') : desk.textOf(id);
          const author = parts ? desk.writing(parts.generation).author : graph.authors[at]!;
          const hue = loom.authors.of(author, parts ? 'model' : graph.kinds[at]!).hue;
          return (
            <div
              key={id}
              role="option"
              aria-selected={id === node}
              tabIndex={id === node ? 0 : -1}
              onClick={() => wheel.choose(id, kind, all, isOpen)}
              onKeyDown={() => {}}
            >
              <span className={hue === undefined ? 'author' : `author person hue-${hue}`}>{visible(author)}</span>{' '}
              <span dir="auto">{visible(text.trim().slice(0, 140)) || '(nothing)'}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
