import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import { useStore } from '../../../data/store.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { LoomActions } from '../actions.ts';
import type { OpenLoom } from '../loom.ts';
import { parseStreamNodeId } from '../session/outbox.ts';

/** The alternatives at a place: shown while the wheel turns, or opened to choose from. */
export function WheelList({ loom, actions }: { readonly loom: OpenLoom; readonly actions: LoomActions }) {
  const { wheel, session } = loom;
  const wheelState = useStore(wheel.state);
  const streamTexts = useStore(loom.replica.streams.texts);
  const list = useRef<HTMLDivElement>(null);
  const isOpen = wheelState?.isOpen ?? false;
  useLayoutEffect(() => {
    if (isOpen) list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }, [isOpen]);
  // Keep the changing node in view.
  const revision = useStore(session.revision);
  const node = wheelState?.node;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stands in the text only once the text was drawn anew
  useEffect(() => {
    const range = node === undefined ? undefined : rangeOf(session.weave(), node);
    if (range) loom.editor?.reveal(range.from);
  }, [node, revision]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  // Streaming texts are already listed below.
  if (!wheelState || wheelState.all.every((id) => parseStreamNodeId(id))) return null;
  const { kind, all } = wheelState;
  const graph = session.state().graph.read();

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) wheel.turn(wheelState!.node, kind, step);
    else if (event.key === 'Escape' || event.key === 'Enter') {
      wheel.close();
      loom.editor?.view.focus();
    } else return;
    event.preventDefault();
  }

  return (
    <div className="wheel" data-open={isOpen}>
      <p className="wheel-head">
        {kind === 'branch' ? 'Branch' : 'Version'} {all.indexOf(wheelState.node) + 1} of {all.length}
        <ActionButton onClick={() => actions.overlay.set({ kind: 'sides', node: wheelState.node })}>
          Side by side
        </ActionButton>
        <ActionButton onClick={wheel.close}>Close</ActionButton>
      </p>
      <div
        ref={list}
        role="listbox"
        tabIndex={-1}
        aria-label={kind === 'branch' ? 'Branches' : 'Versions'}
        onKeyDown={onKeyDown}
      >
        {all.map((id) => {
          const parts = parseStreamNodeId(id);
          const at = graph.byId.get(id) ?? 0;
          const text = parts ? (streamTexts.get(parts.generation)?.[parts.choice] ?? '') : session.textOf(id);
          const author = parts ? session.authorOfStream(parts.generation).author : graph.authors[at]!;
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
              <span className={hue === undefined ? 'author' : `author person hue-${hue}`}>{escapeBidi(author)}</span>{' '}
              <span dir="auto">{escapeBidi(text.trim().slice(0, 140)) || '(nothing)'}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
