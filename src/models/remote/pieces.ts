import type { Chunk, EndChunk, Token, Usage } from '../model.ts';
import { type Call, createCall } from './call.ts';
import { believableTokens, keepStart, tokensInBytes } from './estimate.ts';
import type { RemoteOptions } from './options.ts';
import { outcomeOf } from './outcome.ts';
import { WireFault } from './wire-fault.ts';

/** What a provider's stream comes to, whatever its wire format. */
export interface Piece {
  readonly choice?: number;
  readonly text?: string;
  readonly tokens?: readonly Token[];
  readonly finish?: Pick<EndChunk, 'reason' | 'withheld'>;
  readonly usage?: Partial<Usage>;
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
}

/** What is taken of one answer. Twice that, as JSON, still fits into an event (L15). */
const LONGEST_ANSWER_BYTES = 480 * 1024;
/** What a provider may put around a prompt without saying so. */
const UNSEEN_TOKENS = 4096;

/** Makes one call and tells it as chunks, to its one end. */
export async function* playPieces(
  options: RemoteOptions,
  asked: Asked,
  signal: AbortSignal | undefined,
  ask: (call: Call, signal: AbortSignal) => AsyncIterable<Piece>,
): AsyncGenerator<Chunk> {
  const leaving = new AbortController();
  const abort = () => leaving.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const call = createCall(options, leaving.signal);
  const open = new Set(Array.from({ length: asked.n }, (_, choice) => choice));
  const begun = new Set<number>();
  let generatedBytes = 0;
  let cut = false;
  let usage: Partial<Usage> = {};
  let last = false;
  let error: unknown;
  try {
    for await (const piece of leaving.signal.aborted ? [] : ask(call, leaving.signal)) {
      if (signal?.aborted) break;
      const { choice = 0, finish } = piece;
      if (choice >= asked.n) throw new WireFault('wrong-shape', 'a choice nobody asked for');
      const whole = asked.trim && !begun.has(choice) ? trimmed(piece) : piece;
      const { text, tokens } = withinBytes(whole, LONGEST_ANSWER_BYTES - generatedBytes);
      if (text !== undefined && text !== '') {
        begun.add(choice);
        generatedBytes += Buffer.byteLength(whole.text ?? '');
      }
      if (text || tokens?.length) yield { type: 'text', choice, text: text ?? '', ...(tokens && { tokens }) };
      if (finish && open.delete(choice)) yield { type: 'end', choice, ...finish };
      usage = { ...usage, ...piece.usage };
      last ||= piece.last ?? false;
      cut = generatedBytes > LONGEST_ANSWER_BYTES;
      if (cut) break;
    }
    if (!signal?.aborted && !cut) checkEnd(call, open, begun, last, asked.n);
  } catch (caught) {
    error = caught;
  } finally {
    signal?.removeEventListener('abort', abort);
    abort();
  }
  const cancelled = signal?.aborted === true;
  if (error !== undefined && !cancelled) {
    const refused = outcomeOf(call, error, options, generatedBytes > 0);
    return void (yield hasAnswered(call) ? { ...refused, usage: complete(usage, asked, arrivedBytes()) } : refused);
  }
  for (const choice of open) yield { type: 'end', choice, reason: cancelled ? 'cancelled' : cut ? 'length' : 'stop' };
  yield {
    type: 'done',
    usage: complete(usage, asked, generatedBytes),
    dropped: asked.dropped,
    ...(asked.templated && { templated: true }),
    ...(cut && { cut: true }),
    raw: call.raw(),
  };

  /** Of an answer that could not be read, all there is to go by is its length. */
  function arrivedBytes(): number {
    return generatedBytes > 0 || call.isStream ? generatedBytes : call.bytes;
  }
}

function hasAnswered({ response, bytes }: Call): boolean {
  return bytes > 0 && response !== undefined && response.status >= 200 && response.status <= 299;
}

/** The beginning of it; tokens that are not this text would mislead. */
function withinBytes({ text = '', tokens }: Piece, room: number): Pick<Piece, 'text' | 'tokens'> {
  if (Buffer.byteLength(text) <= room) return { text, ...(tokens && { tokens }) };
  return { text: keepStart(text, room) };
}

/** Client libraries take a stream that just stops for a whole one. */
function checkEnd(call: Call, open: ReadonlySet<number>, begun: ReadonlySet<number>, last: boolean, n: number): void {
  if (call.failure !== undefined) throw call.failure;
  if (open.size === 0) return;
  if (open.size < n && [...open].every((choice) => !begun.has(choice))) {
    throw new WireFault('missing-choices', `${n - open.size} of ${n}`);
  }
  if (!last) throw new WireFault('ended-early');
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
