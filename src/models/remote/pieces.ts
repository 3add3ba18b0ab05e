import type { Chunk, DoneChunk, EndChunk, ModelToken, ModelUsage, RefusedChunk } from '../model.ts';
import { createCall, type ProviderCall } from './call.ts';
import { findRefusedField, isProviderError, refusedChunkFor } from './errors/outcome.ts';
import { WireFault } from './errors/wire-fault.ts';
import { isPlausibleTokenCount, keepStart, tokensInBytes } from './estimate.ts';
import type { RemoteOptions } from './options.ts';
import type { RefusedField } from './quirks/refused-field.ts';
import { createStopFilter, type StopFilter } from './stop-filter.ts';

/** A piece of a provider's stream, independent of its wire format. */
export interface ProviderPiece {
  readonly choice?: number;
  readonly text?: string;
  readonly tokens?: readonly ModelToken[];
  readonly finish?: Pick<EndChunk, 'reason' | 'withheld'>;
  readonly usage?: Partial<ModelUsage>;
  /** The model is thinking, which is not part of the answer. */
  readonly thinking?: true;
  /** The provider marked the end of the answer. */
  readonly isLast?: true;
}

export interface CallSpec {
  readonly n: number;
  readonly promptTokens: number;
  /** The maximum number of answer tokens, shown or hidden. */
  readonly answerTokens: number;
  readonly dropped: number;
  readonly templated?: true;
  /** Answers to a transcript start with the space after the speaker's name, which is trimmed. */
  readonly trim?: true;
  /** A choice with only thinking and no text counts as missing: it is requested again with more room. */
  readonly needsText?: true;
  /** The maximum bytes per choice, if the limit sent includes room to think. */
  readonly choiceBytes?: number;
  /** Stop texts that are applied here, because the server is not asked to stop at them. */
  readonly stop?: readonly string[];
}

/** How a request ended. */
export interface CallEnding {
  readonly lastChunk: DoneChunk | RefusedChunk;
  /** Choices that did not arrive. */
  readonly missing: readonly number[];
  /** Whether some missing choices used up the limit by thinking. */
  readonly starved: boolean;
  /** Whether any part of an answer was emitted. */
  readonly hasOutput: boolean;
  readonly refusedField?: RefusedField;
}

/** The maximum size of one answer. Twice that, as JSON, still fits into an event (L15). */
const MAX_ANSWER_BYTES = 480 * 1024;
/** The number of tokens a provider may silently add to a prompt. */
const MAX_HIDDEN_TOKENS = 4096;

/** Makes one call, yields the answer as chunks, and returns how it ended. */
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

  /** The only clue to the usage of an unreadable answer is its length. */
  function receivedBytes(): number {
    return generatedBytes > 0 || call.isStream ? generatedBytes : call.bytes;
  }
}

const NOTHING_USED: ModelUsage = { promptTokens: 0, generatedTokens: 0 };

function hasAnswered({ response, bytes }: ProviderCall): boolean {
  return bytes > 0 && response !== undefined && response.status >= 200 && response.status <= 299;
}

/** Keeps the start of the text; tokens that no longer match it would mislead. */
function limitBytes({ text = '', tokens }: ProviderPiece, maxBytes: number): Pick<ProviderPiece, 'text' | 'tokens'> {
  if (Buffer.byteLength(text) <= maxBytes) return { text, ...(tokens && { tokens }) };
  return { text: keepStart(text, maxBytes) };
}

/** Client libraries treat a stream that just stops as complete. */
function checkEnd(
  call: ProviderCall,
  openChoices: ReadonlySet<number>,
  bytesByChoice: ReadonlyMap<number, number>,
  isLast: boolean,
  n: number,
): void {
  if (call.failure !== undefined) throw call.failure;
  if (openChoices.size === 0 || isLast) return;
  // If some choices ended, those that never started mean fewer choices than requested, not a broken answer.
  if (openChoices.size === n || [...openChoices].some((choice) => bytesByChoice.has(choice)))
    throw new WireFault('ended-early');
}

/** The choices missing from a complete answer: those that never started, and those with only thinking. */
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

/** The reported usage if it is plausible; otherwise an estimate from the bytes (M13). */
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
