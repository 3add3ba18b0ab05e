import type { LoomEvent } from '../../../../src/core/loom/events.ts';
import { childrenOf } from '../../../../src/core/loom/graph/graph.ts';
import { pathOwner, shownNodeFor } from '../../../../src/core/loom/graph/path.ts';
import { createStore } from '../../../data/store.ts';
import type { EditSession } from '../session/edit-session.ts';
import { parseStreamNodeId, streamNodeId } from '../session/outbox.ts';
import { ownStreamsAt } from '../session/shown-stream.ts';

/** Branches are alternative continuations; versions are alternative texts at the same place. */
export type AlternativeKind = 'branch' | 'version';

export interface ShelfState {
  readonly kind: AlternativeKind;
  /** The node that is shown, or will be shown soon. */
  readonly node: string;
  readonly all: readonly string[];
  /** Fresh: just generated, stays until one is taken. Opened: by its tick. Turning: shown for a moment. */
  readonly mode: 'fresh' | 'opened' | 'turning';
}

/** How a model's text ended. */
export interface ChoiceOutcome {
  readonly tokens: number | undefined;
  readonly finish: 'stop' | 'length' | 'cancelled' | 'failed';
}

const TURNING_MS = 2_500;

/** The alternatives at a place: turned, chosen and, after a generation, kept on the shelf until one is taken (W22). */
export function createShelf(session: EditSession) {
  const state = createStore<ShelfState | undefined>(undefined);
  const outcomes = new Map<string, ChoiceOutcome>();
  /** Generations that have opened the shelf; once closed, it does not come back by itself. */
  const announced = new Set<string>();
  /** Generations that I have requested while the loom was open. */
  const requested = new Set<string>();
  let isOpen = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** The texts at the node's place that are shown there in turn: stored ones first, then those that still grow. */
  function alternativesAt(node: string, kind: AlternativeKind): readonly string[] {
    const stream = parseStreamNodeId(node);
    const entry = stream ? undefined : session.facts.entry(session.state(), node);
    if (kind === 'version') return entry?.versions ?? [node];
    const { openGenerations } = session.state();
    if (entry && openGenerations.length === 0) return entry.siblings;
    const open = openGenerations.find(({ request }) => request.generation === stream?.generation);
    const parents = open ? [open.request.at] : (entry?.sources ?? []);
    const stored = entry?.siblings ?? shownAfter(open ? placeOf(open.request.at) : parentOf(node));
    const all = [...stored, ...parents.flatMap(streamsAt)];
    return all.includes(node) ? all : [node];
  }

  function streamsAt(at: string): readonly string[] {
    return ownStreamsAt(session.state(), session.me, at).flatMap(({ request: { generation, n } }) =>
      Array.from({ length: n }, (_, choice) => streamNodeId(generation, choice)),
    );
  }

  function placeOf(node: string): number {
    const graph = session.state().graph.read();
    return graph.places[graph.byId.get(node) ?? 0]!;
  }

  /** Of a node that is not on the path, for example before a switch to it is answered. */
  function parentOf(node: string): number | undefined {
    const graph = session.state().graph.read();
    const index = graph.byId.get(node);
    return index === undefined ? undefined : graph.parentFamily[graph.places[index]!];
  }

  function shownAfter(place: number | undefined): readonly string[] {
    if (place === undefined || place < 0) return [];
    const { graph: tables, founder } = session.state();
    const graph = tables.read();
    const owner = pathOwner(graph, session.me, founder);
    return childrenOf(graph, place)
      .filter((child) => graph.pruned[child] !== 1)
      .map((child) => graph.ids[shownNodeFor(graph, owner, child)]!);
  }

  /** Moves by `step` among the alternatives; a switch in progress counts as done. */
  function turn(node: string, kind: AlternativeKind, step: number): void {
    const previous = state.get();
    const isSame = previous?.kind === kind && previous.all.includes(node);
    const all = isSame ? previous.all : alternativesAt(node, kind);
    if (all.length < 2) return;
    const at = all.indexOf(isSame ? previous.node : node);
    choose(all[(at + step + all.length) % all.length]!, kind, all, isSame ? previous.mode : 'turning');
  }

  /** Shows an alternative in the text. */
  function choose(node: string, kind: AlternativeKind, all: readonly string[], mode: ShelfState['mode']): void {
    state.set({ kind, node, all, mode });
    clearTimeout(timer);
    if (mode === 'turning') timer = setTimeout(close, TURNING_MS);
    if (parseStreamNodeId(node)) session.showStream(node);
    else void session.goTo(node);
  }

  function open(node: string, kind: AlternativeKind): void {
    clearTimeout(timer);
    state.set({ kind, node, all: alternativesAt(node, kind), mode: 'opened' });
  }

  function close(): void {
    clearTimeout(timer);
    state.set(undefined);
  }

  /** The shown one is taken: the shelf goes, at the latest when everything on it is written. */
  function take(): void {
    const current = state.get();
    if (current?.mode === 'fresh' && current.all.some((id) => parseStreamNodeId(id)))
      state.set({ ...current, mode: 'turning' });
    else close();
  }

  /** Follows the text: streams become nodes, and a generation of my own opens the shelf. */
  function refresh(): void {
    const shown = session.weave().nodes.at(-1)?.id ?? '';
    const current = state.get();
    const generation = generationOf(shown);
    if (generation !== undefined && !announced.has(generation) && !current?.all.includes(shown)) {
      clearTimeout(timer);
      announced.add(generation);
      state.set({ kind: 'branch', node: shown, all: alternativesAt(shown, 'branch'), mode: 'fresh' });
      return;
    }
    if (!current || session.isSwitching()) return;
    const node = session.resolve(current.node);
    const inText = session.weave().nodes.findLast(({ id }) => id === node || current.all.includes(id))?.id;
    const onPath = session.resolve(inText ?? node);
    const all = alternativesAt(onPath, current.kind);
    const isGrowing = all.some(isOpenStream);
    const isOver = all.length < 2 && !isGrowing;
    if (isOver || (current.mode === 'turning' && current.all.some((id) => parseStreamNodeId(id)) && !isGrowing))
      close();
    else if (onPath !== current.node || !isSameList(all, current.all)) state.set({ ...current, node: onPath, all });
  }

  /** False for a text that failed before it became a node. */
  function isOpenStream(id: string): boolean {
    const stream = parseStreamNodeId(id);
    return session.state().openGenerations.some(({ request }) => request.generation === stream?.generation);
  }

  /** The generation of mine that the text ends with: still growing, or finished before it could be seen to grow. */
  function generationOf(shown: string): string | undefined {
    const stream = parseStreamNodeId(shown);
    if (stream) return stream.generation;
    const entry = requested.size === 0 ? undefined : session.facts.entry(session.state(), shown);
    const isMine = entry?.generation !== undefined && requested.has(entry.generation) && entry.siblings.length > 1;
    return isMine ? entry.generation : undefined;
  }

  /** Opens the shelf of a loom whose text ends with one of several continuations that nobody has gone on from. */
  function openAtEnd(): void {
    isOpen = true;
    const last = session.weave().nodes.at(-1)?.id;
    const entry = last === undefined ? undefined : session.facts.entry(session.state(), last);
    const isUntaken = entry?.generation !== undefined && entry.siblings.length > 1 && !session.hasBuffer();
    if (isUntaken)
      state.set({ kind: 'branch', node: entry.node, all: alternativesAt(entry.node, 'branch'), mode: 'fresh' });
  }

  function handleEvents(events: readonly LoomEvent[]): void {
    for (const { type, content } of events) {
      if (type === 'generation.requested' && isOpen && content.requester === session.me && !content.exploration)
        requested.add(content.generation);
      if (type !== 'generation.finished') continue;
      for (const { node, tokens, finish } of content.choices) outcomes.set(node, { tokens: tokens?.length, finish });
    }
  }

  return { state, outcomes, alternativesAt, turn, choose, open, close, take, refresh, openAtEnd, handleEvents };
}

export type Shelf = ReturnType<typeof createShelf>;

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
