import type { WireModel } from '../../../src/client/index.ts';
import { nodeAt, nodesIn, rangeOf, type Weave } from '../../../src/core/loom/weave/weave.ts';
import { browserStorage } from '../../data/browser-storage.ts';
import { client } from '../../data/session.ts';
import { createStore } from '../../data/store.ts';
import type { LoomEditor } from './editor/editor.ts';
import type { KeySettings } from './keymap.ts';
import { createAuthorShares } from './session/author-shares.ts';
import { createAuthors } from './session/authors.ts';
import { openEditSession } from './session/edit-session.ts';
import { createExplorations } from './session/explorations.ts';
import { type GenerationOptions, readOptions } from './session/generation-options.ts';
import { createNodeViews } from './session/node-views.ts';
import { openReplica } from './session/replica.ts';
import { createShelf } from './shelf/shelf-state.ts';

export type PanelTab = 'Tree' | 'Node' | 'Find' | 'Explore';

/** Ways to look at the text. */
export type LoomView = 'write' | 'authors' | 'probabilities';

export interface ExploreOptions {
  readonly breadth?: number;
  readonly depth?: number;
  readonly nodes?: number;
  readonly tokens?: number;
  readonly rank?: 'logprob' | 'novelty';
}

/** The caret as a node and an offset in it. */
export interface CaretPosition {
  readonly at: number;
  readonly to: number;
  readonly node: string | undefined;
  readonly offset: number;
}

/** The shared state of one open loom's room. */
export function openLoom(id: string, me: string) {
  const replica = openReplica(id);
  const session = openEditSession(replica, me);
  const shelf = createShelf(session);
  const view = createStore<LoomView>('write');
  const caret = createStore<CaretPosition>({ at: 0, to: 0, node: undefined, offset: 0 });
  const tab = createStore<PanelTab>('Tree');
  /** The tree shows only what follows this node; undefined shows the whole tree. */
  const hoistedNode = createStore<string | undefined>(undefined);
  const models = createStore<readonly WireModel[]>([]);
  const generationOptions = createStore<GenerationOptions>(readOptions(browserStorage.loomOptions()));
  const keySettings = createStore<KeySettings>(browserStorage.loomKeys<KeySettings>() ?? { preset: 'heddle', own: {} });
  const exploreOptions = createStore<ExploreOptions>({});
  const explorations = createExplorations();
  const unsubscribers = [
    replica.onEvents(explorations.handleEvents),
    replica.onEvents(shelf.handleEvents),
    replica.onEvents(shelf.refresh),
    session.revision.watch(shelf.refresh),
    generationOptions.watch(() => browserStorage.setLoomOptions(generationOptions.get())),
    keySettings.watch(() => browserStorage.setLoomKeys(keySettings.get())),
  ];

  async function open(): Promise<void> {
    unsubscribers.push(replica.loom.watch(() => loom.authors.all(replica.loom.get())));
    void client.models.list().then(
      ({ models: modelList }) => {
        models.set(modelList);
        const defaultModel = modelList.find(({ default_for }) => default_for.includes('loom'));
        if (defaultModel) session.setDefaultModel(defaultModel.name);
      },
      () => {},
    );
    await replica.open();
  }

  const authors = createAuthors();

  const loom = {
    id,
    me,
    replica,
    session,
    shelf,
    view,
    authors,
    authorShares: createAuthorShares(session, authors),
    nodeViews: createNodeViews(id),
    caret,
    tab,
    hoistedNode,
    models,
    generationOptions,
    keySettings,
    exploreOptions,
    explorations,
    /** The editor, while it is on the page. */
    editor: undefined as LoomEditor | undefined,
    open,
    close(): void {
      for (const stop of unsubscribers) stop();
      session.close();
      replica.close();
    },
  };
  return loom;
}

export type OpenLoom = ReturnType<typeof openLoom>;

/** The models that write next: their names and, once the models are loaded, their details. */
export function activeModels({ models, generationOptions, replica }: OpenLoom): readonly {
  readonly name: string;
  readonly model?: WireModel;
}[] {
  const modelList = models.get();
  const defaultModel = modelList.find(({ default_for }) => default_for.includes('loom'))?.name;
  const chosen = generationOptions.get().models ?? [];
  const names = chosen.length > 0 ? chosen : [replica.loom.get().settings.model ?? defaultModel ?? 'the default model'];
  return names.map((name) => {
    const model = modelList.find((each) => each.name === name);
    return { name, ...(model && { model }) };
  });
}

/** Adds a model to those that write next, or removes it; without any, the usual one writes. */
export function toggleModel(loom: OpenLoom, name: string, isOn: boolean): void {
  const active = activeModels(loom).map((each) => each.name);
  const next = isOn ? [...active, name] : active.filter((each) => each !== name);
  loom.generationOptions.set(({ models: _, ...options }) => (next.length > 0 ? { ...options, models: next } : options));
}

/** How many continuations are written next, and how long they may get. */
export function generationSize({ generationOptions, replica }: OpenLoom): {
  readonly n: number;
  readonly tokens: number;
} {
  const [options, { settings }] = [generationOptions.get(), replica.loom.get()];
  return { n: options.n ?? settings.n ?? 3, tokens: options.max_tokens ?? settings.max_tokens ?? 50 };
}

/** The node at an offset. Its start counts as inside, and so does the end of the last node if the buffer is empty. */
export function nodeAtCaret(weave: Weave, at: number): { readonly node: string; readonly offset: number } | undefined {
  const range = nodeAt(weave, at);
  if (range.node !== null) return { node: range.node, offset: at - range.from };
  const last = nodesIn(weave, Math.max(0, range.from - 1), range.from).findLast(({ node }) => node !== null);
  return last?.node && at <= last.to ? { node: last.node, offset: at - last.from } : undefined;
}

/** Puts the caret at the beginning of a node of the path, or at its end. */
export function showNode({ session, editor }: OpenLoom, node: string, offset = 0): boolean {
  const range = rangeOf(session.weave(), node);
  if (!range || !editor) return false;
  const anchor = Math.min(range.from + offset, range.to);
  editor.view.dispatch({ selection: { anchor }, scrollIntoView: true });
  editor.view.focus();
  return true;
}

/** Goes to any node and puts the caret into it, immediately if the node is already shown, so that keys go there. */
export async function goToNode(loom: OpenLoom, node: string, offset = 0): Promise<void> {
  const switching = loom.session.facts.entry(loom.session.state(), node) ? undefined : loom.session.goTo(node);
  if (showNode(loom, node, offset)) return switching;
  await switching;
  showNode(loom, node, offset);
}
