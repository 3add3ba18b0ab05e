import type { z } from 'zod';
import type { ModelWait } from '../runs/wait.ts';
import type { ExplorationStarted, GenerationRequested, LoomConfigured } from './events.ts';
import { emptyGraph, type Graph } from './graph/graph.ts';
import { Persistent } from './graph/persistent.ts';

/** What is asked about often stands beside the graph, so that an older state can answer it by itself. */
export interface LoomState {
  readonly graph: Persistent<Graph>;
  /** Whose path is shown to those who have none. */
  readonly founder: string;
  readonly settings: LoomSettings;
  /** Asked for and not finished. */
  readonly openGenerations: readonly OpenGeneration[];
  readonly explorations: readonly Exploration[];
  readonly nodes: number;
  /** The command that opened it from a text of another thread, where it was. */
  readonly openedBy?: string;
}

export type LoomSettings = {
  readonly [Key in keyof z.infer<typeof LoomConfigured.schema>]?: NonNullable<
    z.infer<typeof LoomConfigured.schema>[Key]
  >;
};
export type GenerationRequest = z.infer<typeof GenerationRequested.schema>;

export interface OpenGeneration {
  readonly request: GenerationRequest;
  /** The event that asked for it, or for the exploration it belongs to. */
  readonly asked: string;
  /** The number of the node it goes on from. */
  readonly at: number;
  /** The context of what is generated: the prompt, whatever is edited meanwhile. */
  readonly context: number;
  /** Where the requester's path went from there: it is moved only if it still goes there. */
  readonly nextPlace: number;
  /** Asked to stop: what came so far may still be reported. */
  readonly stopping?: true;
  /** Its model cannot answer now. */
  readonly waiting?: ModelWait;
}

export interface Exploration extends z.infer<typeof ExplorationStarted.schema> {
  readonly state: 'running' | 'paused';
  /** The event by which it was started or last let go on. */
  readonly asked: string;
  readonly nodesMade: number;
  readonly tokensUsed: number;
  /** What may be gone on from, with its depth. */
  readonly frontier: readonly { readonly node: string; readonly depth: number; readonly score: number }[];
  /** What is being generated, and from how deep. */
  readonly step?: { readonly generation: string; readonly depth: number };
}

export function initialLoom(): LoomState {
  return {
    graph: Persistent.of(emptyGraph()),
    founder: '',
    settings: {},
    openGenerations: [],
    explorations: [],
    nodes: 0,
  };
}
