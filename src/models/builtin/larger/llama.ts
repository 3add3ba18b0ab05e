import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * What is used of node-llama-cpp, as far as it is used. The library is not one of Heddle's own: it is in the person's
 * cache, if they asked for it, and is loaded from there.
 */
interface Library {
  getLlama(options: object): Promise<Llama>;
  readonly LlamaLogLevel: { readonly error: unknown };
  readonly LlamaGrammarEvaluationState: new (options: { model: LlamaModel; grammar: Grammar }) => GrammarState;
}

interface Llama {
  loadModel(options: { modelPath: string; gpuLayers: number }): Promise<LlamaModel>;
  createGrammar(options: { grammar: string }): Promise<Grammar>;
}

interface LlamaModel {
  tokenize(text: string): number[];
  detokenize(tokens: readonly number[], special: boolean, before: readonly number[]): string;
  isEogToken(token: number): boolean;
  createContext(options: object): Promise<{ getSequence(): Sequence }>;
}

export interface Sequence {
  readonly nextTokenIndex: number;
  readonly contextTokens: readonly number[];
  eraseContextTokenRanges(ranges: readonly { start: number; end: number }[]): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>;
  evaluate(tokens: readonly number[], options: EvaluateOptions): AsyncGenerator<number, void, void>;
}

export interface EvaluateOptions {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly seed: number;
  readonly yieldEogToken: true;
  readonly grammarEvaluationState?: GrammarState;
}

type Grammar = object;
export type GrammarState = object;

export interface Loaded {
  readonly model: LlamaModel;
  readonly sequence: Sequence;
  /** From its beginning, a text that obeys a GBNF grammar. */
  obey(grammar: string): Promise<GrammarState>;
}

export interface LoadOptions {
  readonly weights: string;
  readonly runtime: string;
  readonly context: number;
  readonly threads: number;
}

/** Tokens are read so many at a time: a step short enough to be called off after. */
export const STRIDE = 32;
/** A stop text in the middle of a token is spelled again with more of them: there is room for that. */
const SPARE = 256;
const GRAMMARS_KEPT = 64;

export async function loadLlama({ weights, runtime, context, threads }: LoadOptions): Promise<Loaded> {
  const place = join(runtime, 'node_modules/node-llama-cpp/dist/index.js');
  const library: Library = await import(pathToFileURL(place).href);
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
  const opened = await model.createContext({
    contextSize: context + SPARE,
    batchSize: STRIDE,
    threads: { ideal: threads, min: threads },
  });
  const grammars = new Map<string, Grammar>();
  return {
    model,
    sequence: opened.getSequence(),
    async obey(text) {
      const grammar = grammars.get(text) ?? (await llama.createGrammar({ grammar: text }));
      if (grammars.size >= GRAMMARS_KEPT) grammars.clear();
      grammars.set(text, grammar);
      return new library.LlamaGrammarEvaluationState({ model, grammar });
    },
  };
}
