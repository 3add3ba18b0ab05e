import { flushSync } from 'react-dom';
import { rangeOf } from '../../../src/core/loom/weave/weave.ts';
import { createStore } from '../../data/store.ts';
import { showPanel } from '../panel-state.ts';
import type { ActionHandlers } from './keymap.ts';
import { activeModels, generationSize, nodeAtCaret, type OpenLoom, showNode } from './loom.ts';
import { requestsFor } from './session/generation-options.ts';
import { parseStreamNodeId } from './session/outbox.ts';
import type { AlternativeKind } from './shelf/shelf-state.ts';

/** An overlay on the text: the author of a word, branches side by side, the map, the settings. */
export type LoomOverlay =
  | { readonly kind: 'who'; readonly at: number; readonly isByKey: boolean }
  | { readonly kind: 'map' }
  | { readonly kind: 'settings'; readonly tab: SettingsTab }
  | { readonly kind: 'sides'; readonly node: string };

export type SettingsTab = 'generation' | 'keys' | 'files';

const MAX_STEPS_BACK = 500;

/** The actions behind keys and buttons in a loom. */
export function createLoomActions(loom: OpenLoom) {
  const { session, shelf, caret } = loom;
  const overlay = createStore<LoomOverlay | undefined>(undefined);

  /** Moves the caret to the end of the new node, ready to turn again or to continue writing. */
  function turn(kind: AlternativeKind, step: number): void {
    const onShelf = shelf.state.get();
    const node = nearestTurnable(kind) ?? (onShelf?.kind === kind ? onShelf.node : undefined);
    if (!node) return;
    shelf.turn(node, kind, step);
    caretToShown();
  }

  function caretToShown(): void {
    const to = shelf.state.get()?.node;
    const range = to === undefined ? undefined : rangeOf(session.weave(), to);
    if (range) loom.editor?.view.dispatch({ selection: { anchor: range.to } });
  }

  /** Shows the alternative with this number, counted from 1, of those on the shelf or nearest to the caret. */
  function chooseNumber(number: number): void {
    const onShelf = shelf.state.get();
    const node = onShelf?.node ?? nearestTurnable('branch');
    const kind = onShelf?.kind ?? 'branch';
    const all = onShelf?.all ?? (node === undefined ? [] : shelf.alternativesAt(node, kind));
    const chosen = all[number - 1];
    if (chosen === undefined) return;
    shelf.choose(chosen, kind, all, onShelf?.mode ?? 'turning');
    caretToShown();
  }

  const requests = () => requestsFor(loom.generationOptions.get(), generationSize(loom).n);

  /** The node at the caret, or the nearest one before it that has alternatives. */
  function nearestTurnable(kind: AlternativeKind): string | undefined {
    const { nodes } = session.weave();
    const position = nodeAtCaret(session.weave(), caret.get().at)?.node;
    const from = position === undefined ? nodes.length - 1 : nodes.findLastIndex(({ id }) => id === position);
    for (let at = from; at >= 0 && at > from - MAX_STEPS_BACK; at--) {
      if (shelf.alternativesAt(nodes[at]!.id, kind).length > 1) return nodes[at]!.id;
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
    session.notice.set('This is still being written. Wait until it is finished, or stop it; then try again.');
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
    generate() {
      void session.generate(requests());
      loom.editor?.scrollToEnd();
    },
    async generateHere() {
      const position = await settledPosition();
      const last = session.weave().nodes.at(-1)?.id;
      const isEnd =
        !position || (position.node === last && caret.get().at >= (rangeOf(session.weave(), position.node)?.to ?? 0));
      await session.generate(requests(), isEnd ? undefined : position);
    },
    async fill() {
      const cannot = activeModels(loom).find(({ model }) => !model?.capabilities?.fillInTheMiddle);
      if (cannot) {
        session.notice.set(
          `${cannot.name} cannot fill in the middle. Choose a model that can, or continue from the caret.`,
        );
        return;
      }
      const position = await settledPosition();
      if (position && caret.get().at < session.length())
        await session.generate(
          requests().map((request) => ({ ...request, fill: true })),
          position,
        );
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
      else session.notice.set('There is nothing to compare yet. Generate, or edit a sentence.');
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
      flushSync(() => {
        loom.tab.set('Find');
        showPanel();
      });
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>('[data-loom-find] input')?.focus());
    },
    save: () => void session.save(),
    undo: session.undo,
    redo: session.redo,
  };
  return { actions, overlay, chooseNumber };
}

export type LoomActions = ReturnType<typeof createLoomActions>;

function firstWords(text: string): string {
  return text.trim().split(/\s+/u).slice(0, 4).join(' ').slice(0, 60);
}
