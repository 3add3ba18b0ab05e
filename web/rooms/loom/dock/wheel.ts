import { createStore } from '../../../data/store.ts';
import type { Desk } from '../session/edit-session.ts';
import { growingName, growingParts } from '../session/outbox.ts';

/** Branches are other ways on; versions other texts at the same place. */
export type Kind = 'branch' | 'version';

export interface Turned {
  readonly kind: Kind;
  /** What is shown, or is about to be. */
  readonly node: string;
  readonly all: readonly string[];
  /** Opened to choose from, or only shown while it turns. */
  readonly isOpen: boolean;
}

const SHOWN_MS = 2_500;

/** The sibling wheel: goes through the branches or versions at a place (W22). */
export function createWheel(desk: Desk) {
  const shown = createStore<Turned | undefined>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function allAt(node: string, kind: Kind): readonly string[] {
    const growing = growingParts(node);
    if (growing) {
      const count = desk.replica.streams.growing.get().get(growing.generation)?.length ?? 1;
      return kind === 'branch' ? Array.from({ length: count }, (_, i) => growingName(growing.generation, i)) : [node];
    }
    const entry = desk.facts.entry(desk.state(), node);
    return (kind === 'branch' ? entry?.siblings : entry?.versions) ?? [node];
  }

  /** Which of how many; a wish on its way counts as done. */
  function turn(node: string, kind: Kind, step: number): void {
    const before = shown.get();
    const isSame = before?.kind === kind && before.all.includes(node);
    const all = isSame ? before.all : allAt(node, kind);
    if (all.length < 2) return;
    const at = all.indexOf(isSame ? before.node : node);
    choose(all[(at + step + all.length) % all.length]!, kind, all, isSame && before.isOpen);
  }

  function choose(node: string, kind: Kind, all: readonly string[], isOpen = false): void {
    shown.set({ kind, node, all, isOpen });
    clearTimeout(timer);
    if (!isOpen) timer = setTimeout(close, SHOWN_MS);
    const growing = growingParts(node);
    if (growing) desk.showGrowing(growing.choice);
    else void desk.goTo(node);
  }

  function open(node: string, kind: Kind): void {
    clearTimeout(timer);
    shown.set({ kind, node, all: allAt(node, kind), isOpen: true });
  }

  function close(): void {
    clearTimeout(timer);
    shown.set(undefined);
  }

  return { shown, allAt, turn, choose, open, close };
}

export type Wheel = ReturnType<typeof createWheel>;
