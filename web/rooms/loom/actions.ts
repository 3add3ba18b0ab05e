import { rangeOf } from '../../../src/core/loom/weave/weave.ts';
import { createStore } from '../../data/store.ts';
import { sheet, togglePanel } from '../../shell/frame.tsx';
import type { Kind } from './dock/wheel.ts';
import type { Actions } from './keymap.ts';
import { type Loom, nodeHere, showNode, usedModel } from './loom.ts';
import { growingParts } from './session/outbox.ts';

/** What lies over the text: who wrote a word, or branches side by side. */
export type Over =
  | { readonly kind: 'who'; readonly at: number; readonly isByKey: boolean }
  | { readonly kind: 'sides'; readonly node: string };

const FAR = 500;

/** What keys and buttons do in a loom. */
export function createActions(loom: Loom) {
  const { desk, wheel, caret } = loom;
  const over = createStore<Over | undefined>(undefined);

  /** The caret goes to the end of what is turned to: it is turned on, or written on, from there. */
  function turn(kind: Kind, step: number): void {
    const node = turnable(kind);
    if (!node) return;
    wheel.turn(node, kind, step);
    const to = wheel.shown.get()?.node;
    const range = to === undefined ? undefined : rangeOf(desk.weave(), to);
    if (range) loom.editor?.view.dispatch({ selection: { anchor: range.to } });
  }

  /** The node at the caret, or the nearest before it with others beside it. */
  function turnable(kind: Kind): string | undefined {
    const { nodes } = desk.weave();
    const here = nodeHere(desk.weave(), caret.get().at)?.node;
    const from = here === undefined ? nodes.length - 1 : nodes.findLastIndex(({ id }) => id === here);
    for (let at = from; at >= 0 && at > from - FAR; at--) {
      if (wheel.allAt(nodes[at]!.id, kind).length > 1) return nodes[at]!.id;
    }
    return undefined;
  }

  function move(step: number): void {
    const { nodes } = desk.weave();
    const { node, offset = 0 } = nodeHere(desk.weave(), caret.get().at) ?? {};
    const at = nodes.findLastIndex(({ id }) => id === node);
    const next = nodes[step < 0 && offset > 0 ? at : at + step];
    if (next) showNode(loom, next.id);
    else if (step > 0 && at >= 0) showNode(loom, nodes[at]!.id, Number.MAX_SAFE_INTEGER);
  }

  /** The node at the caret once everything is committed, so that offsets count in committed text. */
  async function settledHere(): Promise<{ node: string; offset: number } | undefined> {
    await desk.save();
    const here = nodeHere(desk.weave(), caret.get().at);
    if (!here || !growingParts(here.node)) return here;
    desk.notice.set('This is still being written. Wait for its end, or stop it; then try again.');
    return undefined;
  }

  async function bookmark(): Promise<void> {
    const here = await settledHere();
    const entry = here && desk.facts.entry(desk.state(), here.node);
    if (!entry) return;
    const isMarked = entry.marks?.bookmark !== undefined;
    await desk.command('mark', { node: entry.node, bookmark: isMarked ? null : firstWords(desk.textOf(entry.node)) });
  }

  const actions: Actions = {
    generate: () => void desk.generate(loom.wish.get()),
    async generateHere() {
      const here = await settledHere();
      const last = desk.weave().nodes.at(-1)?.id;
      const isEnd = !here || (here.node === last && caret.get().at >= (rangeOf(desk.weave(), here.node)?.to ?? 0));
      await desk.generate(loom.wish.get(), isEnd ? undefined : here);
    },
    async fill() {
      const { model } = usedModel(loom);
      if (!model?.capabilities?.fillInTheMiddle) {
        const name = model?.name ?? 'This model';
        desk.notice.set(
          `${name} cannot fill in the middle. Choose a model that can in the settings, or go on from here.`,
        );
        return;
      }
      const here = await settledHere();
      if (here && caret.get().at < desk.length()) await desk.generate({ ...loom.wish.get(), fill: true }, here);
      else if (here) desk.notice.set('Nothing follows the caret that could be led up to. Go on from the end instead.');
    },
    stop: () => void desk.stop(),
    nextBranch: () => turn('branch', 1),
    previousBranch: () => turn('branch', -1),
    nextVersion: () => turn('version', 1),
    previousVersion: () => turn('version', -1),
    parent: () => move(-1),
    child: () => move(1),
    who: () => over.set({ kind: 'who', at: caret.get().at, isByKey: true }),
    sides() {
      const node = turnable('branch') ?? turnable('version');
      if (node) over.set({ kind: 'sides', node });
      else desk.notice.set('There is nothing to put side by side yet: generate, or edit a sentence.');
    },
    async split() {
      const here = await settledHere();
      if (here) await desk.command('split', { node: here.node, at: here.offset });
    },
    async merge() {
      const here = await settledHere();
      if (here) await desk.command('merge', { node: here.node });
    },
    bookmark: () => void bookmark(),
    async prune() {
      const here = await settledHere();
      const entry = here && desk.facts.entry(desk.state(), here.node);
      if (entry) await desk.command('mark', { node: entry.node, pruned: !entry.pruned });
    },
    find() {
      loom.tab.set('Find');
      if (!document.querySelector('.loom-panel') && sheet.get() !== 'panel') togglePanel();
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>('.loom-find')?.focus());
    },
    save: () => void desk.save(),
    undo: desk.undo,
    redo: desk.redo,
  };
  return { actions, over };
}

export type LoomActions = ReturnType<typeof createActions>;

function firstWords(text: string): string {
  return text.trim().split(/\s+/u).slice(0, 4).join(' ').slice(0, 60);
}
