import type { z } from 'zod';
import type { Waiting } from '../runs/wait.ts';
import type { explorationStarted, requested, settings } from './events.ts';
import { emptyGraph, type Graph } from './graph/graph.ts';
import { Version } from './graph/persistent.ts';

/** What is asked about often stands beside the graph, so that an older state can answer it by itself. */
export interface LoomState {
  readonly graph: Version<Graph>;
  /** Whose path is shown to those who have none. */
  readonly founder: string;
  readonly settings: Settings;
  /** Asked for and not finished. */
  readonly open: readonly OpenGeneration[];
  readonly explorations: readonly Exploration[];
  readonly nodes: number;
  /** The command that opened it from a text of another thread, where it was. */
  readonly openedBy?: string;
}

export type Settings = {
  readonly [Key in keyof z.infer<typeof settings>]?: NonNullable<z.infer<typeof settings>[Key]>;
};
export type Requested = z.infer<typeof requested>;

export interface OpenGeneration {
  readonly request: Requested;
  /** The event that asked for it, or for the exploration it belongs to. */
  readonly asked: string;
  /** The number of the node it goes on from. */
  readonly at: number;
  /** The context of what is generated: the prompt, whatever is edited meanwhile. */
  readonly context: number;
  /** Where the requester's path went from there: it is moved only if it still goes there. */
  readonly went: number;
  /** Asked to stop: what came so far may still be reported. */
  readonly stopping?: true;
  /** Its model cannot answer now. */
  readonly waiting?: Waiting;
}

export interface Exploration extends z.infer<typeof explorationStarted> {
  readonly state: 'running' | 'paused';
  /** The event by which it was started or last let go on. */
  readonly asked: string;
  readonly made: number;
  readonly used: number;
  /** What may be gone on from, with its depth. */
  readonly frontier: readonly { readonly node: string; readonly depth: number; readonly score: number }[];
  /** What is being generated, and from how deep. */
  readonly step?: { readonly generation: string; readonly depth: number };
}

export function initialLoom(): LoomState {
  return { graph: Version.of(emptyGraph()), founder: '', settings: {}, open: [], explorations: [], nodes: 0 };
}
