import { rangeOf } from '../../../src/core/loom/weave/weave.ts';
import { createStore } from '../../data/store.ts';
import { activeSheet, togglePanel } from '../../shell/frame.tsx';
import type { WheelKind } from './dock/wheel.ts';
import type { ActionHandlers } from './keymap.ts';
import { activeModel, nodeAtCaret, type OpenLoom, showNode } from './loom.ts';
import { parseStreamNodeId } from './session/outbox.ts';

/** An overlay on the text: the author of a word, or branches side by side. */
export type LoomOverlay =
  | { readonly kind: 'who'; readonly at: number; readonly isByKey: boolean }
  | { readonly kind: 'sides'; readonly node: string };

const MAX_STEPS_BACK = 500;

/** The actions behind keys and buttons in a loom. */
export function createLoomActions(loom: OpenLoom) {
  const { session, wheel, caret } = loom;
  const overlay = createStore<LoomOverlay | undefined>(undefined);

  /** Moves the caret to the end of the new node, ready to turn again or to continue writing. */
  function turn(kind: WheelKind, step: number): void {
    const node = nearestTurnable(kind);
    if (!node) return;
    wheel.turn(node, kind, step);
    const to = wheel.state.get()?.node;
    const range = to === undefined ? undefined : rangeOf(session.weave(), to);
    if (range) loom.editor?.view.dispatch({ selection: { anchor: range.to } });
  }

  /** The node at the caret, or the nearest one before it that has alternatives. */
  function nearestTurnable(kind: WheelKind): string | undefined {
    const { nodes } = session.weave();
    const position = nodeAtCaret(session.weave(), caret.get().at)?.node;
    const from = position === undefined ? nodes.length - 1 : nodes.findLastIndex(({ id }) => id === position);
    for (let at = from; at >= 0 && at > from - MAX_STEPS_BACK; at--) {
      if (wheel.alternativesAt(nodes[at]!.id, kind).length > 1) return nodes[at]!.id;
    }
    return undefined;
  }

  function moveCaret(step: number): void {
    const { nodes } = session.weave();
    const { node, offset = 0 } = nodeAtCaret(session.weave(), caret.get().at) ?? {};
    const at = nodes.findLastIndex(({ id }) => id === node);
    const next = nodes[step < 0 && offset > 0 ? at : at + step];
    if (next) showNode(loom, next.id);
    else if (step > 0 && at >= 0) showNode(loom, nodes[at]!.id, Number.MAX_SAFE_INTEGER);
  }

  /** Commits everything, then returns the node at the caret, so that offsets refer to committed text. */
  async function settledPosition(): Promise<{ node: string; offset: number } | undefined> {
    await session.save();
    const position = nodeAtCaret(session.weave(), caret.get().at);
    if (!position || !parseStreamNodeId(position.node)) return position;
    session.notice.set('This is still being written. Wait for its end, or stop it; then try again.');
    return undefined;
  }

  async function bookmark(): Promise<void> {
    const position = await settledPosition();
    const entry = position && session.facts.entry(session.state(), position.node);
    if (!entry) return;
    const isBookmarked = entry.marks?.bookmark !== undefined;
    await session.command('mark', {
      node: entry.node,
      bookmark: isBookmarked ? null : firstWords(session.textOf(entry.node)),
    });
  }

  const actions: ActionHandlers = {
    generate: () => void session.generate(loom.generationOptions.get()),
    async generateHere() {
      const position = await settledPosition();
      const last = session.weave().nodes.at(-1)?.id;
      const isEnd =
        !position || (position.node === last && caret.get().at >= (rangeOf(session.weave(), position.node)?.to ?? 0));
      await session.generate(loom.generationOptions.get(), isEnd ? undefined : position);
    },
    async fill() {
      const { model } = activeModel(loom);
      if (!model?.capabilities?.fillInTheMiddle) {
        const name = model?.name ?? 'This model';
        session.notice.set(
          `${name} cannot fill in the middle. Choose a model that can in the settings, or go on from here.`,
        );
        return;
      }
      const position = await settledPosition();
      if (position && caret.get().at < session.length())
        await session.generate({ ...loom.generationOptions.get(), fill: true }, position);
      else if (position)
        session.notice.set('There is no text after the caret to fill toward. Continue from the end instead.');
    },
    stop: () => void session.stop(),
    nextBranch: () => turn('branch', 1),
    previousBranch: () => turn('branch', -1),
    nextVersion: () => turn('version', 1),
    previousVersion: () => turn('version', -1),
    parent: () => moveCaret(-1),
    child: () => moveCaret(1),
    who: () => overlay.set({ kind: 'who', at: caret.get().at, isByKey: true }),
    sides() {
      const node = nearestTurnable('branch') ?? nearestTurnable('version');
      if (node) overlay.set({ kind: 'sides', node });
      else session.notice.set('There is nothing to put side by side yet: generate, or edit a sentence.');
    },
    async split() {
      const position = await settledPosition();
      if (position) await session.command('split', { node: position.node, at: position.offset });
    },
    async merge() {
      const position = await settledPosition();
      if (position) await session.command('merge', { node: position.node });
    },
    bookmark: () => void bookmark(),
    async prune() {
      const position = await settledPosition();
      const entry = position && session.facts.entry(session.state(), position.node);
      if (entry) await session.command('mark', { node: entry.node, pruned: !entry.pruned });
    },
    find() {
      loom.tab.set('Find');
      if (!document.querySelector('.loom-panel') && activeSheet.get() !== 'panel') togglePanel();
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>('.loom-find')?.focus());
    },
    save: () => void session.save(),
    undo: session.undo,
    redo: session.redo,
  };
  return { actions, overlay };
}

export type LoomActions = ReturnType<typeof createLoomActions>;

function firstWords(text: string): string {
  return text.trim().split(/\s+/u).slice(0, 4).join(' ').slice(0, 60);
}
