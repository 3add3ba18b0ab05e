import type { WireEvent } from '../../../../src/client/index.ts';
import type { Exploration } from '../../../../src/core/loom/state.ts';
import { createStore } from '../../../data/store.ts';

type ExplorationStart = Pick<Exploration, 'exploration' | 'requester' | 'nodes' | 'tokens' | 'rank'>;

/** An exploration as its events tell it, those that ended too. */
export interface ExplorationSummary extends ExplorationStart {
  readonly state: 'running' | 'paused' | 'stopped' | 'finished';
  readonly reason: string | undefined;
  readonly tokensUsed: number;
  readonly results: readonly { readonly node: string; readonly score: number; readonly text: string }[];
}

/** How the newest explorations of a loom go or went, and what they made: the state of a loom forgets those that ended. */
export function createExplorations() {
  const all = createStore<readonly ExplorationSummary[]>([]);
  const byGeneration = new Map<string, string>();

  function handleEvents(events: readonly WireEvent[]): void {
    for (const { type, content } of events) {
      if (type === 'exploration.started') recordStart(content as unknown as ExplorationStart);
      else if (type === 'exploration.turned')
        recordTurn(content as unknown as ExplorationSummary & { to: ExplorationSummary['state'] });
      else if (type === 'generation.requested') recordRequest(content as { generation: string; exploration?: string });
      else if (type === 'generation.finished') recordFinish(content as unknown as FinishedGeneration);
    }
  }

  function recordStart(exploration: ExplorationStart): void {
    const summary: ExplorationSummary = {
      ...exploration,
      state: 'running',
      reason: undefined,
      tokensUsed: 0,
      results: [],
    };
    all.set((before) => [...before.slice(-2), summary]);
  }

  function recordTurn({ exploration, to, reason }: ExplorationSummary & { to: ExplorationSummary['state'] }): void {
    updateSummary(exploration, (each) => ({ ...each, state: to, reason }));
  }

  function recordRequest({ generation, exploration }: { generation: string; exploration?: string }): void {
    if (exploration !== undefined) byGeneration.set(generation, exploration);
  }

  function recordFinish({ generation, choices, usage }: FinishedGeneration): void {
    const exploration = byGeneration.get(generation);
    if (exploration === undefined) return;
    byGeneration.delete(generation);
    const results = choices.map(({ node, content, score = 0 }) => ({ node, score, text: content }));
    updateSummary(exploration, (each) => ({
      ...each,
      tokensUsed: each.tokensUsed + (usage?.generated ?? 0),
      results: [...each.results, ...results],
    }));
  }

  function updateSummary(id: string, update: (each: ExplorationSummary) => ExplorationSummary): void {
    all.set((before) => before.map((each) => (each.exploration === id ? update(each) : each)));
  }

  return { all, handleEvents };
}

interface FinishedGeneration {
  readonly generation: string;
  readonly choices: readonly { readonly node: string; readonly content: string; readonly score?: number }[];
  readonly usage?: { readonly generated: number };
}
