import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * The part of node-llama-cpp that Heddle uses. The library is not a dependency of Heddle: it is loaded from the
 * user's cache, if they asked for it.
 */
interface LlamaLibrary {
  getLlama(options: object): Promise<Llama>;
  readonly LlamaLogLevel: { readonly error: unknown };
  readonly LlamaGrammarEvaluationState: new (options: {
    model: LlamaModel;
    grammar: LlamaGrammar;
  }) => LlamaGrammarState;
}

interface Llama {
  loadModel(options: { modelPath: string; gpuLayers: number }): Promise<LlamaModel>;
  createGrammar(options: { grammar: string }): Promise<LlamaGrammar>;
}

interface LlamaModel {
  tokenize(text: string): number[];
  detokenize(tokens: readonly number[], special: boolean, before: readonly number[]): string;
  isEogToken(token: number): boolean;
  createContext(options: object): Promise<{ getSequence(): LlamaSequence }>;
}

export interface LlamaSequence {
  readonly nextTokenIndex: number;
  readonly contextTokens: readonly number[];
  eraseContextTokenRanges(ranges: readonly { start: number; end: number }[]): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>;
  evaluate(tokens: readonly number[], options: LlamaEvaluateOptions): AsyncGenerator<number, void, void>;
}

export interface LlamaEvaluateOptions {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly seed: number;
  readonly yieldEogToken: true;
  readonly grammarEvaluationState?: LlamaGrammarState;
}

type LlamaGrammar = object;
export type LlamaGrammarState = object;

export interface LoadedLlama {
  readonly model: LlamaModel;
  readonly sequence: LlamaSequence;
  /** Starts a text that must match a GBNF grammar. */
  createGrammarState(grammar: string): Promise<LlamaGrammarState>;
}

export interface LlamaLoadOptions {
  readonly weights: string;
  readonly runtime: string;
  readonly context: number;
  readonly threads: number;
}

/** Tokens read at a time: a step short enough to cancel after. */
export const STRIDE = 32;
/** Room to encode a text again with more tokens when a stop text ends inside a token. */
const SPARE_TOKENS = 256;
const MAX_CACHED_GRAMMARS = 64;

export async function loadLlama({ weights, runtime, context, threads }: LlamaLoadOptions): Promise<LoadedLlama> {
  const libraryPath = join(runtime, 'node_modules/node-llama-cpp/dist/index.js');
  const library: LlamaLibrary = await import(pathToFileURL(libraryPath).href);
  // The library must not download or compile anything here, whatever it finds missing.
  const llama = await library.getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: library.LlamaLogLevel.error,
    maxThreads: threads,
  });
  const model = await llama.loadModel({ modelPath: weights, gpuLayers: 0 });
  const llamaContext = await model.createContext({
    contextSize: context + SPARE_TOKENS,
    batchSize: STRIDE,
    threads: { ideal: threads, min: threads },
  });
  const grammars = new Map<string, LlamaGrammar>();
  return {
    model,
    sequence: llamaContext.getSequence(),
    async createGrammarState(text) {
      const grammar = grammars.get(text) ?? (await llama.createGrammar({ grammar: text }));
      if (grammars.size >= MAX_CACHED_GRAMMARS) grammars.clear();
      grammars.set(text, grammar);
      return new library.LlamaGrammarEvaluationState({ model, grammar });
    },
  };
}
