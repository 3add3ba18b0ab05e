import type { Capabilities, Chunk, Completion } from '../../model.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** The start-up data of a worker. */
export interface SmallModelData {
  readonly path: string;
  readonly capabilities: Capabilities;
  readonly kernel?: Kernel['name'];
}

export interface SmallModelTask {
  readonly request: Completion;
  readonly seed: number;
  /** Text omitted earlier, which counts as dropped. */
  readonly unread: string;
}

export type ToWorker =
  | ({ readonly type: 'complete'; readonly id: number } & SmallModelTask)
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'count'; readonly id: number; readonly text: string };

export type FromWorker =
  | { readonly type: 'chunks'; readonly id: number; readonly chunks: readonly Chunk[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number };
