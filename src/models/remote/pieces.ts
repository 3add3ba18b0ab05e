import type { Chunk, DoneChunk, EndChunk, ModelToken, ModelUsage, RefusedChunk } from '../model.ts';
import { createCall, type ProviderCall } from './call.ts';
import { findRefusedField, isProviderError, refusedChunkFor } from './errors/outcome.ts';
import { WireFault } from './errors/wire-fault.ts';
import { isPlausibleTokenCount, keepStart, tokensInBytes } from './estimate.ts';
import type { RemoteOptions } from './options.ts';
import type { RefusedField } from './quirks/refused-field.ts';
import { createStopFilter, type StopFilter } from './stop-filter.ts';

/** What a provider's stream comes to, whatever its wire format. */
export interface ProviderPiece {
  readonly choice?: number;
  readonly text?: string;
  readonly tokens?: readonly ModelToken[];
  readonly finish?: Pick<EndChunk, 'reason' | 'withheld'>;
  readonly usage?: Partial<ModelUsage>;
  /** It thinks, and what it thinks is not part of the answer. */
  readonly thinking?: true;
  /** The provider said that this was all. */
  readonly isLast?: true;
}

export interface CallSpec {
  readonly n: number;
  readonly promptTokens: number;
  /** The most tokens that can be made of it, shown or not. */
  readonly answerTokens: number;
  readonly dropped: number;
  readonly templated?: true;
  /** Answers to a transcript begin with the blank that follows the speaker's name. */
  readonly trim?: true;
  /** A choice that was all thinking and no text counts as missing: it is asked for again with more room. */
  readonly needsText?: true;
  /** The most bytes of each choice, where the limit that was sent leaves room to think. */
  readonly choiceBytes?: number;
  /** Texts to end a choice at that the server is not asked to end at. */
  readonly stop?: readonly string[];
}

/** How a request ended. */
export interface CallEnding {
  readonly lastChunk: DoneChunk | RefusedChunk;
  /** Choices that did not come. */
  readonly missing: readonly number[];
  /** Of those, some had used up the limit by thinking. */
  readonly starved: boolean;
  /** Something of an answer was told. */
  readonly hasOutput: boolean;
  readonly refusedField?: RefusedField;
}

/** What is taken of one answer. Twice that, as JSON, still fits into an event (L15). */
const MAX_ANSWER_BYTES = 480 * 1024;
/** What a provider may put around a prompt without saying so. */
const MAX_HIDDEN_TOKENS = 4096;

/** Makes one call, tells what comes as chunks, and returns how it ended. */
export async function* streamCall(
  options: RemoteOptions,
  spec: CallSpec,
  signal: AbortSignal | undefined,
  send: (call: ProviderCall, signal: AbortSignal) => AsyncIterable<ProviderPiece>,
): AsyncGenerator<Chunk, CallEnding> {
  const callAbort = new AbortController();
  const abort = () => callAbort.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const call = createCall(options, callAbort.signal);
  const openChoices = new Set(Array.from({ length: spec.n }, (_, choice) => choice));
  const bytesByChoice = new Map<number, number>();
  const starved = new Set<number>();
  const filters = new Map<number, StopFilter>();
  let hasThought = false;
  let generatedBytes = 0;
  let isCut = false;
  let usage: Partial<ModelUsage> = {};
  let isLast = false;
  let error: unknown;
  const wasAborted = callAbort.signal.aborted;
  try {
    for await (const piece of wasAborted ? [] : send(call, callAbort.signal)) {
      if (signal?.aborted) break;
      const { choice = 0 } = piece;
      if (choice >= spec.n) throw new WireFault('wrong-shape', 'a choice nobody asked for');
      hasThought ||= piece.thinking ?? false;
      const filtered = applyStops(spec.trim && !bytesByChoice.has(choice) ? trimPiece(piece) : piece);
      const bytesBefore = bytesByChoice.get(choice) ?? 0;
      const maxBytes = Math.min(
        MAX_ANSWER_BYTES - generatedBytes,
        (spec.choiceBytes ?? MAX_ANSWER_BYTES) - bytesBefore,
      );
      const { text, tokens } = openChoices.has(choice) ? limitBytes(filtered, maxBytes) : {};
      if (text !== undefined && text !== '') {
        const bytes = Buffer.byteLength(filtered.text ?? '');
        bytesByChoice.set(choice, bytesBefore + bytes);
        generatedBytes += bytes;
      }
      if (text || tokens?.length) yield { type: 'text', choice, text: text ?? '', ...(tokens && { tokens }) };
      const { finish } = filtered;
      const isFull = spec.choiceBytes !== undefined && (bytesByChoice.get(choice) ?? 0) > spec.choiceBytes;
      if (isFull && openChoices.delete(choice)) yield { type: 'end', choice, reason: 'length' };
      if (
        finish &&
        spec.needsText &&
        finish.reason === 'length' &&
        openChoices.has(choice) &&
        !bytesByChoice.has(choice)
      ) {
        starved.add(choice);
      } else if (finish && openChoices.delete(choice)) yield { type: 'end', choice, ...finish };
      usage = { ...usage, ...piece.usage };
      isLast ||= piece.isLast ?? false;
      isCut = generatedBytes > MAX_ANSWER_BYTES;
      if (isCut || (spec.stop && openChoices.size === 0)) break;
    }
    if (!signal?.aborted && !isCut)
      checkEnd(call, new Set([...openChoices].filter((choice) => !starved.has(choice))), bytesByChoice, isLast, spec.n);
  } catch (caught) {
    error = caught;
  } finally {
    signal?.removeEventListener('abort', abort);
    abort();
  }
  const isCancelled = signal?.aborted === true;
  if (error !== undefined && !isCancelled) {
    const hasOutput = generatedBytes > 0;
    const isRefused = !hasOutput && !hasThought && Object.keys(usage).length === 0 && isProviderError(error);
    const refusedChunk = refusedChunkFor(call, error, options, hasOutput, isRefused);
    const refusedField = hasOutput ? undefined : findRefusedField(call, error, options);
    const hasUsed = hasAnswered(call) && !isRefused;
    return {
      lastChunk: hasUsed ? { ...refusedChunk, usage: resolveUsage(usage, spec, receivedBytes()) } : refusedChunk,
      missing: [],
      starved: false,
      hasOutput,
      ...(refusedField && { refusedField }),
    };
  }
  const endedEarly = isCancelled || isCut;
  const missing = endedEarly ? [] : findMissing(openChoices, bytesByChoice, starved, spec.n, hasThought);
  for (const choice of openChoices) {
    if (missing.includes(choice)) continue;
    const reason = isCancelled ? 'cancelled' : isCut || starved.has(choice) ? 'length' : 'stop';
    yield { type: 'end', choice, reason };
  }
  const done: DoneChunk = {
    type: 'done',
    usage: wasAborted ? NOTHING_USED : resolveUsage(usage, spec, generatedBytes),
    dropped: spec.dropped,
    ...(spec.templated && { templated: true }),
    ...(isCut && { cut: true }),
    raw: call.raw(),
  };
  return {
    lastChunk: done,
    missing,
    starved: missing.some((choice) => starved.has(choice)),
    hasOutput: generatedBytes > 0,
  };

  function applyStops(piece: ProviderPiece): ProviderPiece {
    if (!spec.stop || (piece.text === undefined && !piece.finish)) return piece;
    const filter = filters.get(piece.choice ?? 0) ?? createStopFilter(spec.stop);
    filters.set(piece.choice ?? 0, filter);
    return filter(piece);
  }

  /** Of an answer that could not be read, all there is to go by is its length. */
  function receivedBytes(): number {
    return generatedBytes > 0 || call.isStream ? generatedBytes : call.bytes;
  }
}

const NOTHING_USED: ModelUsage = { promptTokens: 0, generatedTokens: 0 };

function hasAnswered({ response, bytes }: ProviderCall): boolean {
  return bytes > 0 && response !== undefined && response.status >= 200 && response.status <= 299;
}

/** The beginning of it; tokens that are not this text would mislead. */
function limitBytes({ text = '', tokens }: ProviderPiece, maxBytes: number): Pick<ProviderPiece, 'text' | 'tokens'> {
  if (Buffer.byteLength(text) <= maxBytes) return { text, ...(tokens && { tokens }) };
  return { text: keepStart(text, maxBytes) };
}

/** Client libraries take a stream that just stops for a whole one. */
function checkEnd(
  call: ProviderCall,
  openChoices: ReadonlySet<number>,
  bytesByChoice: ReadonlyMap<number, number>,
  isLast: boolean,
  n: number,
): void {
  if (call.failure !== undefined) throw call.failure;
  if (openChoices.size === 0 || isLast) return;
  // Where some choices came to their end, those that never began are fewer choices than asked, not a broken answer.
  if (openChoices.size === n || [...openChoices].some((choice) => bytesByChoice.has(choice)))
    throw new WireFault('ended-early');
}

/** What did not come of a whole answer: choices nobody began, and those that were all thinking. */
function findMissing(
  openChoices: ReadonlySet<number>,
  bytesByChoice: ReadonlyMap<number, number>,
  starved: ReadonlySet<number>,
  n: number,
  hasThought: boolean,
): readonly number[] {
  const notStarted =
    openChoices.size < n ? [...openChoices].filter((choice) => !bytesByChoice.has(choice) && !starved.has(choice)) : [];
  return [...notStarted, ...(hasThought ? starved : [])].sort((a, b) => a - b);
}

/** What it says it used, where that can be; else what its bytes come to (M13). */
function resolveUsage(
  { promptTokens, generatedTokens }: Partial<ModelUsage>,
  spec: CallSpec,
  generatedBytes: number,
): ModelUsage {
  const estimate = { promptTokens: spec.promptTokens, generatedTokens: tokensInBytes(generatedBytes) };
  const isPromptPlausible = isPlausibleTokenCount(
    promptTokens,
    estimate.promptTokens,
    3 * estimate.promptTokens + MAX_HIDDEN_TOKENS,
  );
  const isAnswerPlausible = isPlausibleTokenCount(generatedTokens, estimate.generatedTokens, spec.answerTokens);
  return {
    promptTokens: isPromptPlausible ? (promptTokens as number) : estimate.promptTokens,
    generatedTokens: isAnswerPlausible ? (generatedTokens as number) : estimate.generatedTokens,
    ...(!(isPromptPlausible && isAnswerPlausible) && { estimated: true }),
  };
}

function trimPiece({ text = '', tokens }: ProviderPiece): Pick<ProviderPiece, 'text' | 'tokens'> {
  const trimmedText = text.trimStart();
  if (!tokens) return { text: trimmedText };
  let blanksLeft = text.length - trimmedText.length;
  const trimmedTokens = tokens.map((token) => {
    const trimmedLength = Math.min(blanksLeft, token.text.length);
    blanksLeft -= trimmedLength;
    return { ...token, text: token.text.slice(trimmedLength) };
  });
  return { text: trimmedText, tokens: trimmedText === '' ? [] : trimmedTokens };
}
