import type { WireEvent } from '../../../../src/client/index.ts';
import type { Exploration } from '../../../../src/core/loom/state.ts';
import { createStore } from '../../../data/store.ts';

type Started = Pick<Exploration, 'exploration' | 'requester' | 'nodes' | 'tokens' | 'rank'>;

/** An exploration as its events tell it, those that ended too. */
export interface Explored extends Started {
  readonly state: 'running' | 'paused' | 'stopped' | 'finished';
  readonly reason: string | undefined;
  readonly used: number;
  readonly made: readonly { readonly node: string; readonly score: number; readonly text: string }[];
}

/** How the newest explorations of a loom go or went, and what they made: the state of a loom forgets those that ended. */
export function createExplored() {
  const all = createStore<readonly Explored[]>([]);
  const byGeneration = new Map<string, string>();

  function heard(events: readonly WireEvent[]): void {
    for (const { type, content } of events) {
      if (type === 'exploration.started') start(content as unknown as Started);
      else if (type === 'exploration.turned') turn(content as unknown as Explored & { to: Explored['state'] });
      else if (type === 'generation.requested') ask(content as { generation: string; exploration?: string });
      else if (type === 'generation.finished') finish(content as unknown as Finished);
    }
  }

  function start(started: Started): void {
    const fresh: Explored = { ...started, state: 'running', reason: undefined, used: 0, made: [] };
    all.set((before) => [...before.slice(-2), fresh]);
  }

  function turn({ exploration, to, reason }: Explored & { to: Explored['state'] }): void {
    change(exploration, (each) => ({ ...each, state: to, reason }));
  }

  function ask({ generation, exploration }: { generation: string; exploration?: string }): void {
    if (exploration !== undefined) byGeneration.set(generation, exploration);
  }

  function finish({ generation, choices, usage }: Finished): void {
    const exploration = byGeneration.get(generation);
    if (exploration === undefined) return;
    byGeneration.delete(generation);
    const made = choices.map(({ node, content, score = 0 }) => ({ node, score, text: content }));
    change(exploration, (each) => ({
      ...each,
      used: each.used + (usage?.generated ?? 0),
      made: [...each.made, ...made],
    }));
  }

  function change(id: string, changed: (each: Explored) => Explored): void {
    all.set((before) => before.map((each) => (each.exploration === id ? changed(each) : each)));
  }

  return { all, heard };
}

interface Finished {
  readonly generation: string;
  readonly choices: readonly { readonly node: string; readonly content: string; readonly score?: number }[];
  readonly usage?: { readonly generated: number };
}
