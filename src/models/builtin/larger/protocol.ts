import type { Capabilities, Chunk, Completion } from '../../model.ts';
import type { LlamaLoadOptions } from './llama.ts';

/** What the process is started with, as JSON in its first argument. */
export interface LargerModelData extends LlamaLoadOptions {
  readonly capabilities: Capabilities;
}

export interface LargerModelTask {
  readonly request: Completion;
  readonly seed: number;
  /** The prompt is a conversation (see turns.ts). */
  readonly turns: boolean;
}

export type ToChild =
  | ({ readonly type: 'complete'; readonly id: number } & LargerModelTask)
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'count'; readonly id: number; readonly text: string };

export type FromChild =
  | { readonly type: 'chunks'; readonly id: number; readonly chunks: readonly Chunk[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number }
  /** Something was done: whoever watches knows that it does not hang. */
  | { readonly type: 'step' }
  /** It cannot be loaded, or broke. */
  | { readonly type: 'failed'; readonly why: string };
