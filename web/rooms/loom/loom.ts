import type { WireModel } from '../../../src/client/index.ts';
import { nodeAt, nodesIn, rangeOf, type Weave } from '../../../src/core/loom/weave/weave.ts';
import { kept } from '../../data/browser-storage.ts';
import { client } from '../../data/session.ts';
import { createStore } from '../../data/store.ts';
import { createWheel } from './dock/wheel.ts';
import type { Editor } from './editor/editor.ts';
import type { KeyChoice } from './keymap.ts';
import { createAuthors } from './session/authors.ts';
import { type GenerationWish, openDesk } from './session/edit-session.ts';
import { createExplored } from './session/explorations.ts';
import { openReplica } from './session/replica.ts';

export type Tab = 'Tree' | 'Node' | 'Find' | 'Explore' | 'Settings';

export interface ExploreWish {
  readonly breadth?: number;
  readonly depth?: number;
  readonly nodes?: number;
  readonly tokens?: number;
  readonly rank?: 'logprob' | 'novelty';
}

/** Where the caret is: in which node, and how far into it. */
export interface Caret {
  readonly at: number;
  readonly to: number;
  readonly node: string | undefined;
  readonly offset: number;
}

/** Everything of one open loom that parts of its room share. */
export function openLoom(id: string, me: string) {
  const replica = openReplica(id);
  const desk = openDesk(replica, me);
  const wheel = createWheel(desk);
  const caret = createStore<Caret>({ at: 0, to: 0, node: undefined, offset: 0 });
  const tab = createStore<Tab>('Tree');
  /** The node behind which the tree is shown; all of it where there is none. */
  const hoisted = createStore<string | undefined>(undefined);
  const models = createStore<readonly WireModel[]>([]);
  const wish = createStore<GenerationWish>(kept.loomWish<GenerationWish>() ?? {});
  const keys = createStore<KeyChoice>(kept.loomKeys<KeyChoice>() ?? { preset: 'heddle', own: {} });
  const exploreWish = createStore<ExploreWish>({});
  const explored = createExplored();
  const stops = [
    replica.onEvents(explored.heard),
    wish.watch(() => kept.keepLoomWish(wish.get())),
    keys.watch(() => kept.keepLoomKeys(keys.get())),
  ];

  async function open(): Promise<void> {
    stops.push(replica.loom.watch(() => loom.authors.all(replica.loom.get())));
    void client.models.list().then(
      ({ models: all }) => {
        models.set(all);
        const usual = all.find(({ default_for }) => default_for.includes('loom'));
        if (usual) desk.usualModel(usual.name);
      },
      () => {},
    );
    await replica.open();
  }

  const loom = {
    id,
    me,
    replica,
    desk,
    wheel,
    authors: createAuthors(),
    caret,
    tab,
    hoisted,
    models,
    wish,
    keys,
    exploreWish,
    explored,
    /** The editor, while it is on the page. */
    editor: undefined as Editor | undefined,
    open,
    close(): void {
      for (const stop of stops) stop();
      desk.close();
      replica.close();
    },
  };
  return loom;
}

export type Loom = ReturnType<typeof openLoom>;

/** The model that goes on unless another is asked for, by name and, once they are read, as it is. */
export function usedModel({ models, wish, replica }: Loom): { readonly name: string; readonly model?: WireModel } {
  const all = models.get();
  const usual = all.find(({ default_for }) => default_for.includes('loom'))?.name;
  const name = wish.get().model ?? replica.loom.get().settings.model ?? usual ?? 'the usual model';
  const model = all.find((each) => each.name === name);
  return { name, ...(model && { model }) };
}

/** The node something is in: at its beginning too, and behind the last one when nothing is written there yet. */
export function nodeHere(weave: Weave, at: number): { readonly node: string; readonly offset: number } | undefined {
  const own = nodeAt(weave, at);
  if (own.node !== null) return { node: own.node, offset: at - own.from };
  const last = nodesIn(weave, Math.max(0, own.from - 1), own.from).findLast(({ node }) => node !== null);
  return last?.node && at <= last.to ? { node: last.node, offset: at - last.from } : undefined;
}

/** Puts the caret at the beginning of a node of the path, or at its end. */
export function showNode({ desk, editor }: Loom, node: string, offset = 0): boolean {
  const range = rangeOf(desk.weave(), node);
  if (!range || !editor) return false;
  const anchor = Math.min(range.from + offset, range.to);
  editor.view.dispatch({ selection: { anchor }, scrollIntoView: true });
  editor.view.focus();
  return true;
}

/** Goes to a node wherever it is and puts the caret into it: at once where it is shown at once, so that keys go there. */
export async function goAndShow(loom: Loom, node: string, offset = 0): Promise<void> {
  const going = loom.desk.facts.entry(loom.desk.state(), node) ? undefined : loom.desk.goTo(node);
  if (showNode(loom, node, offset)) return going;
  await going;
  showNode(loom, node, offset);
}
