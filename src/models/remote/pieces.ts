import type { Chunk, EndChunk, Token, Usage } from '../model.ts';
import { type Call, createCall } from './call.ts';
import { estimateTokens } from './estimate.ts';
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
  readonly dropped: number;
  readonly templated?: true;
  /** Answers to a transcript begin with the blank that follows the speaker's name. */
  readonly trim?: true;
}

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
  let generated = '';
  let usage: Partial<Usage> = {};
  let last = false;
  let error: unknown;
  try {
    for await (const piece of leaving.signal.aborted ? [] : ask(call, leaving.signal)) {
      if (signal?.aborted) break;
      const { choice = 0, finish } = piece;
      if (choice >= asked.n) throw new WireFault('wrong-shape', 'a choice nobody asked for');
      const { text, tokens } = asked.trim && !begun.has(choice) ? trimmed(piece) : piece;
      if (text !== undefined && text !== '') {
        begun.add(choice);
        generated += text;
      }
      if (text || tokens?.length) yield { type: 'text', choice, text: text ?? '', ...(tokens && { tokens }) };
      if (finish && open.delete(choice)) yield { type: 'end', choice, ...finish };
      usage = { ...usage, ...piece.usage };
      last ||= piece.last ?? false;
    }
    if (!signal?.aborted) checkEnd(call, open, begun, last, asked.n);
  } catch (caught) {
    error = caught;
  } finally {
    signal?.removeEventListener('abort', abort);
    abort();
  }
  const cancelled = signal?.aborted === true;
  if (error !== undefined && !cancelled) return void (yield outcomeOf(call, error, options, generated !== ''));
  for (const choice of open) yield { type: 'end', choice, reason: cancelled ? 'cancelled' : 'stop' };
  yield {
    type: 'done',
    usage: complete(usage, asked, generated),
    dropped: asked.dropped,
    ...(asked.templated && { templated: true }),
    raw: call.raw(),
  };
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

function complete({ promptTokens, generatedTokens }: Partial<Usage>, asked: Asked, generated: string): Usage {
  if (promptTokens !== undefined && generatedTokens !== undefined) return { promptTokens, generatedTokens };
  return {
    promptTokens: promptTokens ?? asked.promptTokens,
    generatedTokens: generatedTokens ?? estimateTokens(generated),
    estimated: true,
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
