import { createStore } from '../../../data/store.ts';
import type { EditSession } from '../session/edit-session.ts';
import { parseStreamNodeId, streamNodeId } from '../session/outbox.ts';

/** Branches are alternative continuations; versions are alternative texts at the same place. */
export type WheelKind = 'branch' | 'version';

export interface WheelState {
  readonly kind: WheelKind;
  /** The node that is shown, or will be shown soon. */
  readonly node: string;
  readonly all: readonly string[];
  /** True if opened to choose from, false if only shown while it turns. */
  readonly isOpen: boolean;
}

const VISIBLE_MS = 2_500;

/** The sibling wheel: goes through the branches or versions at a place (W22). */
export function createWheel(session: EditSession) {
  const state = createStore<WheelState | undefined>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function alternativesAt(node: string, kind: WheelKind): readonly string[] {
    const streamParts = parseStreamNodeId(node);
    if (streamParts) {
      const count = session.replica.streams.texts.get().get(streamParts.generation)?.length ?? 1;
      return kind === 'branch'
        ? Array.from({ length: count }, (_, i) => streamNodeId(streamParts.generation, i))
        : [node];
    }
    const entry = session.facts.entry(session.state(), node);
    return (kind === 'branch' ? entry?.siblings : entry?.versions) ?? [node];
  }

  /** Moves by `step` among the alternatives; a switch in progress counts as done. */
  function turn(node: string, kind: WheelKind, step: number): void {
    const previous = state.get();
    const isSame = previous?.kind === kind && previous.all.includes(node);
    const all = isSame ? previous.all : alternativesAt(node, kind);
    if (all.length < 2) return;
    const at = all.indexOf(isSame ? previous.node : node);
    choose(all[(at + step + all.length) % all.length]!, kind, all, isSame && previous.isOpen);
  }

  function choose(node: string, kind: WheelKind, all: readonly string[], isOpen = false): void {
    state.set({ kind, node, all, isOpen });
    clearTimeout(timer);
    if (!isOpen) timer = setTimeout(close, VISIBLE_MS);
    const streamParts = parseStreamNodeId(node);
    if (streamParts) session.showChoice(streamParts.choice);
    else void session.goTo(node);
  }

  function open(node: string, kind: WheelKind): void {
    clearTimeout(timer);
    state.set({ kind, node, all: alternativesAt(node, kind), isOpen: true });
  }

  function close(): void {
    clearTimeout(timer);
    state.set(undefined);
  }

  return { state, alternativesAt, turn, choose, open, close };
}

export type Wheel = ReturnType<typeof createWheel>;
