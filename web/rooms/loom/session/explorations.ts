import type { ContentOf } from '../../../../src/core/events/define.ts';
import type {
  ExplorationTurned,
  GenerationFinished,
  GenerationRequested,
  LoomEvent,
} from '../../../../src/core/loom/events.ts';
import type { Exploration } from '../../../../src/core/loom/state.ts';
import { createStore } from '../../../data/store.ts';

type ExplorationStart = Pick<Exploration, 'exploration' | 'requester' | 'nodes' | 'tokens' | 'rank'>;

/** An exploration as its events describe it, even after it ended. */
export interface ExplorationSummary extends ExplorationStart {
  readonly state: 'running' | 'paused' | 'stopped' | 'finished';
  readonly reason: string | undefined;
  readonly tokensUsed: number;
  readonly results: readonly { readonly node: string; readonly score: number; readonly text: string }[];
}

/** The newest explorations with their progress and results. Kept here because the loom state forgets ended ones. */
export function createExplorations() {
  const all = createStore<readonly ExplorationSummary[]>([]);
  const byGeneration = new Map<string, string>();

  function handleEvents(events: readonly LoomEvent[]): void {
    for (const { type, content } of events) {
      if (type === 'exploration.started') recordStart(content);
      else if (type === 'exploration.turned') recordTurn(content);
      else if (type === 'generation.requested') recordRequest(content);
      else if (type === 'generation.finished') recordFinish(content);
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

  function recordTurn({ exploration, to, reason }: ContentOf<typeof ExplorationTurned>): void {
    updateSummary(exploration, (each) => ({ ...each, state: to, reason }));
  }

  function recordRequest({ generation, exploration }: ContentOf<typeof GenerationRequested>): void {
    if (exploration !== undefined) byGeneration.set(generation, exploration);
  }

  function recordFinish({ generation, choices, usage }: ContentOf<typeof GenerationFinished>): void {
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
