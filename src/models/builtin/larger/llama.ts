import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * What is used of node-llama-cpp, as far as it is used. The library is not one of Heddle's own: it is in the person's
 * cache, if they asked for it, and is loaded from there.
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
  /** From its beginning, a text that obeys a GBNF grammar. */
  createGrammarState(grammar: string): Promise<LlamaGrammarState>;
}

export interface LlamaLoadOptions {
  readonly weights: string;
  readonly runtime: string;
  readonly context: number;
  readonly threads: number;
}

/** Tokens are read so many at a time: a step short enough to be called off after. */
export const STRIDE = 32;
/** A stop text in the middle of a token is spelled again with more of them: there is room for that. */
const SPARE_TOKENS = 256;
const MAX_CACHED_GRAMMARS = 64;

export async function loadLlama({ weights, runtime, context, threads }: LlamaLoadOptions): Promise<LoadedLlama> {
  const libraryPath = join(runtime, 'node_modules/node-llama-cpp/dist/index.js');
  const library: LlamaLibrary = await import(pathToFileURL(libraryPath).href);
  // Nothing may be fetched or compiled here, whatever the library finds missing.
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
