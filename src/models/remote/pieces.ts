import type { Chunk, DoneChunk, EndChunk, RefusedChunk, Token, Usage } from '../model.ts';
import { type Call, createCall } from './call.ts';
import { fieldRefused, isReported, outcomeOf } from './errors/outcome.ts';
import { WireFault } from './errors/wire-fault.ts';
import { believableTokens, keepStart, tokensInBytes } from './estimate.ts';
import type { RemoteOptions } from './options.ts';
import type { RefusedField } from './quirks/refused-field.ts';
import { createStopFilter, type StopFilter } from './stop-filter.ts';

/** What a provider's stream comes to, whatever its wire format. */
export interface Piece {
  readonly choice?: number;
  readonly text?: string;
  readonly tokens?: readonly Token[];
  readonly finish?: Pick<EndChunk, 'reason' | 'withheld'>;
  readonly usage?: Partial<Usage>;
  /** It thinks, and what it thinks is not part of the answer. */
  readonly thinking?: true;
  /** The provider said that this was all. */
  readonly last?: true;
}

export interface Asked {
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
export interface Ending {
  readonly last: DoneChunk | RefusedChunk;
  /** Choices that did not come. */
  readonly missing: readonly number[];
  /** Of those, some had used up the limit by thinking. */
  readonly starved: boolean;
  /** Something of an answer was told. */
  readonly began: boolean;
  readonly refusedFor?: RefusedField;
}

/** What is taken of one answer. Twice that, as JSON, still fits into an event (L15). */
const LONGEST_ANSWER_BYTES = 480 * 1024;
/** What a provider may put around a prompt without saying so. */
const UNSEEN_TOKENS = 4096;

/** Makes one call, tells what comes as chunks, and returns how it ended. */
export async function* playPieces(
  options: RemoteOptions,
  asked: Asked,
  signal: AbortSignal | undefined,
  ask: (call: Call, signal: AbortSignal) => AsyncIterable<Piece>,
): AsyncGenerator<Chunk, Ending> {
  const leaving = new AbortController();
  const abort = () => leaving.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const call = createCall(options, leaving.signal);
  const open = new Set(Array.from({ length: asked.n }, (_, choice) => choice));
  const begun = new Map<number, number>();
  const starved = new Set<number>();
  const filters = new Map<number, StopFilter>();
  let thinking = false;
  let generatedBytes = 0;
  let cut = false;
  let usage: Partial<Usage> = {};
  let last = false;
  let error: unknown;
  const isCalledOff = leaving.signal.aborted;
  try {
    for await (const piece of isCalledOff ? [] : ask(call, leaving.signal)) {
      if (signal?.aborted) break;
      const { choice = 0 } = piece;
      if (choice >= asked.n) throw new WireFault('wrong-shape', 'a choice nobody asked for');
      thinking ||= piece.thinking ?? false;
      const whole = stopped(asked.trim && !begun.has(choice) ? trimmed(piece) : piece);
      const before = begun.get(choice) ?? 0;
      const room = Math.min(
        LONGEST_ANSWER_BYTES - generatedBytes,
        (asked.choiceBytes ?? LONGEST_ANSWER_BYTES) - before,
      );
      const { text, tokens } = open.has(choice) ? withinBytes(whole, room) : {};
      if (text !== undefined && text !== '') {
        const bytes = Buffer.byteLength(whole.text ?? '');
        begun.set(choice, before + bytes);
        generatedBytes += bytes;
      }
      if (text || tokens?.length) yield { type: 'text', choice, text: text ?? '', ...(tokens && { tokens }) };
      const { finish } = whole;
      const isFull = asked.choiceBytes !== undefined && (begun.get(choice) ?? 0) > asked.choiceBytes;
      if (isFull && open.delete(choice)) yield { type: 'end', choice, reason: 'length' };
      if (finish && asked.needsText && finish.reason === 'length' && open.has(choice) && !begun.has(choice)) {
        starved.add(choice);
      } else if (finish && open.delete(choice)) yield { type: 'end', choice, ...finish };
      usage = { ...usage, ...piece.usage };
      last ||= piece.last ?? false;
      cut = generatedBytes > LONGEST_ANSWER_BYTES;
      if (cut || (asked.stop && open.size === 0)) break;
    }
    if (!signal?.aborted && !cut)
      checkEnd(call, new Set([...open].filter((choice) => !starved.has(choice))), begun, last, asked.n);
  } catch (caught) {
    error = caught;
  } finally {
    signal?.removeEventListener('abort', abort);
    abort();
  }
  const cancelled = signal?.aborted === true;
  if (error !== undefined && !cancelled) {
    const began = generatedBytes > 0;
    const isRefused = !began && !thinking && Object.keys(usage).length === 0 && isReported(error);
    const refused = outcomeOf(call, error, options, began, isRefused);
    const refusedFor = began ? undefined : fieldRefused(call, error, options);
    const hasUsed = hasAnswered(call) && !isRefused;
    return {
      last: hasUsed ? { ...refused, usage: complete(usage, asked, arrivedBytes()) } : refused,
      missing: [],
      starved: false,
      began,
      ...(refusedFor && { refusedFor }),
    };
  }
  const isWhole = cancelled || cut;
  const missing = isWhole ? [] : missingOf(open, begun, starved, asked.n, thinking);
  for (const choice of open) {
    if (missing.includes(choice)) continue;
    const reason = cancelled ? 'cancelled' : cut || starved.has(choice) ? 'length' : 'stop';
    yield { type: 'end', choice, reason };
  }
  const done: DoneChunk = {
    type: 'done',
    usage: isCalledOff ? NOTHING_USED : complete(usage, asked, generatedBytes),
    dropped: asked.dropped,
    ...(asked.templated && { templated: true }),
    ...(cut && { cut: true }),
    raw: call.raw(),
  };
  return { last: done, missing, starved: missing.some((choice) => starved.has(choice)), began: generatedBytes > 0 };

  function stopped(piece: Piece): Piece {
    if (!asked.stop || (piece.text === undefined && !piece.finish)) return piece;
    const filter = filters.get(piece.choice ?? 0) ?? createStopFilter(asked.stop);
    filters.set(piece.choice ?? 0, filter);
    return filter(piece);
  }

  /** Of an answer that could not be read, all there is to go by is its length. */
  function arrivedBytes(): number {
    return generatedBytes > 0 || call.isStream ? generatedBytes : call.bytes;
  }
}

const NOTHING_USED: Usage = { promptTokens: 0, generatedTokens: 0 };

function hasAnswered({ response, bytes }: Call): boolean {
  return bytes > 0 && response !== undefined && response.status >= 200 && response.status <= 299;
}

/** The beginning of it; tokens that are not this text would mislead. */
function withinBytes({ text = '', tokens }: Piece, room: number): Pick<Piece, 'text' | 'tokens'> {
  if (Buffer.byteLength(text) <= room) return { text, ...(tokens && { tokens }) };
  return { text: keepStart(text, room) };
}

/** Client libraries take a stream that just stops for a whole one. */
function checkEnd(
  call: Call,
  open: ReadonlySet<number>,
  begun: ReadonlyMap<number, number>,
  last: boolean,
  n: number,
): void {
  if (call.failure !== undefined) throw call.failure;
  if (open.size === 0 || last) return;
  // Where some choices came to their end, those that never began are fewer choices than asked, not a broken answer.
  if (open.size === n || [...open].some((choice) => begun.has(choice))) throw new WireFault('ended-early');
}

/** What did not come of a whole answer: choices nobody began, and those that were all thinking. */
function missingOf(
  open: ReadonlySet<number>,
  begun: ReadonlyMap<number, number>,
  starved: ReadonlySet<number>,
  n: number,
  thinking: boolean,
): readonly number[] {
  const fewer = open.size < n ? [...open].filter((choice) => !begun.has(choice) && !starved.has(choice)) : [];
  return [...fewer, ...(thinking ? starved : [])].sort((a, b) => a - b);
}

/** What it says it used, where that can be; else what its bytes come to (M13). */
function complete({ promptTokens, generatedTokens }: Partial<Usage>, asked: Asked, generatedBytes: number): Usage {
  const guess = { promptTokens: asked.promptTokens, generatedTokens: tokensInBytes(generatedBytes) };
  const isPrompt = believableTokens(promptTokens, guess.promptTokens, 3 * guess.promptTokens + UNSEEN_TOKENS);
  const isAnswer = believableTokens(generatedTokens, guess.generatedTokens, asked.answerTokens);
  return {
    promptTokens: isPrompt ? (promptTokens as number) : guess.promptTokens,
    generatedTokens: isAnswer ? (generatedTokens as number) : guess.generatedTokens,
    ...(!(isPrompt && isAnswer) && { estimated: true }),
  };
}

function trimmed({ text = '', tokens }: Piece): Pick<Piece, 'text' | 'tokens'> {
  const kept = text.trimStart();
  if (!tokens) return { text: kept };
  let blank = text.length - kept.length;
  const cut = tokens.map((token) => {
    const gone = Math.min(blank, token.text.length);
    blank -= gone;
    return { ...token, text: token.text.slice(gone) };
  });
  return { text: kept, tokens: kept === '' ? [] : cut };
}
