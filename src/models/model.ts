import type { Refusal, RefusalDetail } from '../core/refusal.ts';

/*
 * The port to a language model: two kinds of request, and one kind of answer, a stream of chunks.
 *
 * A stream never throws for an expected failure. It ends with exactly one `done` or `refused`; before a `done` every
 * choice has had its `end`. Aborting the signal, or leaving the loop, stops the work. After an abort, the text so far
 * stays, each choice ends as `cancelled`, and `done` still reports the usage.
 */
export interface Model {
  readonly id: string;
  readonly capabilities: Capabilities;
  /** Continues a text. */
  complete(request: Completion, signal?: AbortSignal): AsyncIterable<Chunk>;
  /** Answers a conversation. */
  chat(request: Chat, signal?: AbortSignal): AsyncIterable<Chunk>;
  /** The length of a text in this model's tokens. */
  countTokens(text: string): Promise<number | Refusal>;
  close(): Promise<void>;
}

/** What a model supports: declared, never discovered by trying. */
export interface Capabilities {
  /** Shown wherever the model's name appears. */
  readonly label?: 'small';
  /** Tokens of prompt and answer together. */
  readonly context: number;
  /** The maximum number of choices per request. */
  readonly n: number;
  /** The maximum number of alternatives reported per token; 0 if a model reports no probabilities. */
  readonly logprobs: number;
  readonly streaming: boolean;
  readonly fillInTheMiddle: boolean;
  /** Whether it can fill the holes of a frame. */
  readonly frame: boolean;
  /** Whether messages may have images. */
  readonly images?: boolean;
  /** `countTokens` estimates, erring on the high side, because only the model itself could count exactly. */
  readonly estimatesTokens?: true;
}

export interface Completion extends SamplingOptions {
  readonly prompt: string;
  /** The start of `prompt` that is not part of the text: a chat model gets it with its instructions. */
  readonly instructions?: string;
  /** The text that follows, for models that fill in the middle. */
  readonly suffix?: string;
}

export interface Chat extends SamplingOptions {
  readonly messages: readonly ChatMessage[];
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Only for models that take images; they stand below the text. */
  readonly images?: readonly ChatImage[];
}

/** An image by its hash; records of calls have that and not the bytes. */
export interface ChatImage {
  readonly blob: string;
  readonly type: string;
  /** How the text calls it. */
  readonly label: string;
  /** An estimate. */
  readonly tokens: number;
  /** The bytes as base64; undefined if they are gone. */
  read(): Promise<string | undefined>;
}

export interface SamplingOptions {
  readonly maxTokens?: number;
  readonly n?: number;
  /** 0 always picks the likeliest token. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** The same seed gives the same choices; without one, `done` reports the seed that was drawn. */
  readonly seed?: number;
  /** A choice ends before the first of these texts. */
  readonly stop?: readonly string[];
  /** Report the probability of each token and of this many alternatives. */
  readonly logprobs?: number;
  /** How to handle a prompt too long for the context: refuse it (the default), or drop its oldest tokens. */
  readonly truncate?: 'left';
  /** Additional fields, passed to a server unchanged. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Send the request even while the breaker is open after failures: for a person who tests the model (M14). */
  readonly evenIfResting?: true;
  /** The caller does its own waiting: a pause that the server asks for is not waited out within the request (D31). */
  readonly isPatient?: true;
  /**
   * Replaces free text with fixed text and holes for the model to fill. `stop` and `maxTokens` then apply to the
   * holes.
   */
  readonly frame?: readonly FramePart[];
}

export type FramePart = FrameText | FrameHole;

export interface FrameText {
  readonly write: string;
  /** Text that the model reads instead, if that suits it better than the written text. */
  readonly read?: string;
}

/** A hole is never left empty: its text does not start blank and has no control characters. */
export interface FrameHole {
  readonly maxTokens: number;
  readonly stop?: readonly string[];
  /** Replaces a line break: with an indentation, text of several lines stays within a YAML block. */
  readonly lineBreak?: string;
}

export function isHole(part: FramePart): part is FrameHole {
  return !('write' in part);
}

export type Chunk = TextChunk | EndChunk | DoneChunk | RefusedChunk;

export interface TextChunk {
  readonly type: 'text';
  readonly choice: number;
  readonly text: string;
  /** The tokens of the text, if probabilities were requested. A frame's own text has none. */
  readonly tokens?: readonly ModelToken[];
  /** The frame's own text, not the model's. */
  readonly framed?: true;
}

export interface EndChunk {
  readonly type: 'end';
  readonly choice: number;
  /** `stop`: a stop text or the model's own end; `length`: the token limit; `cancelled`: the caller aborted. */
  readonly reason: 'stop' | 'length' | 'cancelled';
  /** The choice stopped because the provider withholds the rest. */
  readonly withheld?: true;
}

export interface DoneChunk {
  readonly type: 'done';
  readonly usage: ModelUsage;
  readonly seed?: number;
  /** The number of oldest prompt tokens that the model did not see. */
  readonly dropped: number;
  /** A template was used, because a chat model had to continue a text or the other way round. */
  readonly templated?: true;
  /** The answer was longer than the limit, and the rest was not read (M13). */
  readonly cut?: true;
  readonly raw?: RawResponse;
  /** Earlier responses that supplied some of the choices. */
  readonly earlier?: readonly RawResponse[];
  /** Responses of failed attempts before this one. */
  readonly failed?: readonly RawResponse[];
}

export interface RefusedChunk {
  readonly type: 'refused';
  readonly refusal: RefusalDetail;
  /** Set if the model failed, rather than the request being at fault. */
  readonly fault?: ModelFault;
  /** Usage before the refusal, if there was any. */
  readonly usage?: ModelUsage;
  readonly raw?: RawResponse;
  readonly earlier?: readonly RawResponse[];
  readonly failed?: readonly RawResponse[];
  /** Nothing was sent: the breaker is open. */
  readonly unasked?: true;
}

export interface ModelFault {
  /** Whether the same request may be sent again: nothing was done yet, or the model says so itself. */
  readonly again: boolean;
  /** How long the model asks callers to wait. */
  readonly afterMs?: number;
  /**
   * Whether the fault passes by itself: an unreachable server comes back, a refused key stays refused. Absent if
   * unknown.
   */
  readonly passes?: boolean;
  /** The last part of the message: advice for a person, of no use where the program retries by itself. */
  readonly advice?: string;
}

/** The raw response of a call. Keys and cookies are removed. */
export interface RawResponse {
  /** The model's name at its provider. */
  readonly model: string;
  /** Absent if nothing answered. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Only the start of the body was kept. */
  readonly cut?: true;
  /** The response only says that the request was refused: nothing was used. */
  readonly refused?: true;
  readonly requestId?: string;
  readonly timing: RawTiming;
}

export interface RawTiming {
  /** In UTC, as text. */
  readonly started: string;
  readonly firstByteMs?: number;
  readonly totalMs: number;
}

export interface ModelUsage {
  readonly promptTokens: number;
  readonly generatedTokens: number;
  /** The model did not report usage; this is an estimate. */
  readonly estimated?: true;
}

export interface ModelToken {
  /** The texts of all tokens together are the text; a token that is part of a character has none. */
  readonly text: string;
  /** Natural logarithm of its probability, whatever the temperature. */
  readonly logprob: number;
  readonly alternatives: readonly TokenAlternative[];
}

export interface TokenAlternative {
  readonly text: string;
  readonly logprob: number;
}
