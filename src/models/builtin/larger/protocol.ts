import type { Capabilities, Chunk, Completion } from '../../model.ts';
import type { LlamaLoadOptions } from './llama.ts';

/** The start-up data of the process, as JSON in its first argument. */
export interface LargerModelData extends LlamaLoadOptions {
  readonly capabilities: Capabilities;
}

export interface LargerModelTask {
  readonly request: Completion;
  readonly seed: number;
  /** The prompt is a conversation (see chat-template.ts). */
  readonly turns: boolean;
}

export type ToChild =
  | ({ readonly type: 'complete'; readonly id: number } & LargerModelTask)
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'count'; readonly id: number; readonly text: string };

export type FromChild =
  | { readonly type: 'chunks'; readonly id: number; readonly chunks: readonly Chunk[] }
  | { readonly type: 'count'; readonly id: number; readonly tokens: number }
  /** A sign of progress, so that the parent knows the process is not hung. */
  | { readonly type: 'step' }
  /** The model cannot be loaded, or crashed. */
  | { readonly type: 'failed'; readonly why: string };
