import type { z } from 'zod';
import type { ModelWait } from '../runs/schema.ts';
import type { ExplorationStarted, GenerationRequested, LoomConfigured } from './events.ts';
import { emptyGraph, type Graph } from './graph/graph.ts';
import { Persistent } from './graph/persistent.ts';

/** Frequently read fields are kept outside the graph, so that an older state can answer without the graph's arrays. */
export interface LoomState {
  readonly graph: Persistent<Graph>;
  /** Participants without a path of their own see this participant's path. */
  readonly founder: string;
  readonly settings: LoomSettings;
  /** Requested and not finished. */
  readonly openGenerations: readonly OpenGeneration[];
  readonly explorations: readonly Exploration[];
  readonly nodes: number;
  /** The command that opened the loom from text of another thread, if one did. */
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
  /** The event that requested the generation, or the exploration it belongs to. */
  readonly asked: string;
  /** The number of the node that the generation continues. */
  readonly at: number;
  /** The context of the generated text: the prompt, unaffected by later edits. */
  readonly context: number;
  /** The next place on the requester's path at request time; the path moves only if it still leads there. */
  readonly nextPlace: number;
  /** A stop was requested; text received so far may still be reported. */
  readonly stopping?: true;
  /** Set while the model cannot answer. */
  readonly waiting?: ModelWait;
}

export interface Exploration extends z.infer<typeof ExplorationStarted.schema> {
  readonly state: 'running' | 'paused';
  /** The event that started or last resumed the exploration. */
  readonly asked: string;
  readonly nodesMade: number;
  readonly tokensUsed: number;
  /** Nodes that the exploration may continue from. */
  readonly frontier: readonly { readonly node: string; readonly depth: number; readonly score: number }[];
  /** The generation in progress, and the depth it starts from. */
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
