import type { Refusal, RefusalDetail } from '../core/refusal.ts';

/*
 * What a language model is to the rest of Heddle: two ways to ask, and one kind of answer, a stream of chunks.
 *
 * A stream never throws for what can be expected. It ends with exactly one `done` or `refused`; before a `done` every
 * choice has had its `end`. Aborting the signal, or leaving the loop, stops the work; with the signal, what came so far
 * stays, each choice ends as `cancelled`, and `done` still tells what was used.
 */
export interface Model {
  readonly id: string;
  readonly capabilities: Capabilities;
  /** Goes on from a text. */
  complete(request: Completion, signal?: AbortSignal): AsyncIterable<Chunk>;
  /** Answers a conversation. */
  chat(request: Chat, signal?: AbortSignal): AsyncIterable<Chunk>;
  /** How long a text is in this model's tokens. */
  countTokens(text: string): Promise<number | Refusal>;
  close(): Promise<void>;
}

/** Declared, never found out by trying. */
export interface Capabilities {
  /** Shown wherever the model speaks. */
  readonly label?: 'small';
  /** Tokens of prompt and answer together. */
  readonly context: number;
  /** The most choices of one request. */
  readonly n: number;
  /** The most alternatives told for each token; 0 when a model tells no probabilities at all. */
  readonly logprobs: number;
  readonly streaming: boolean;
  readonly fillInTheMiddle: boolean;
  /** Can it fill the holes of a frame? */
  readonly frame: boolean;
  /** `countTokens` guesses, rather too many than too few: the model's own count is not to be had without asking it. */
  readonly estimatesTokens?: true;
}

export interface Completion extends SamplingOptions {
  readonly prompt: string;
  /** What `prompt` begins with that is no part of the text: a chat model gets it with its instructions. */
  readonly instructions?: string;
  /** What comes after, for models that fill in the middle. */
  readonly suffix?: string;
}

export interface Chat extends SamplingOptions {
  readonly messages: readonly ChatMessage[];
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface SamplingOptions {
  readonly maxTokens?: number;
  readonly n?: number;
  /** 0 always takes the likeliest token. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** The same seed gives the same choices; without one, `done` tells which was drawn. */
  readonly seed?: number;
  /** A choice ends before the first of these texts. */
  readonly stop?: readonly string[];
  /** Tell the probability of each token and of so many others. */
  readonly logprobs?: number;
  /** What to do with a prompt too long for the context: refuse (the default), or drop its oldest tokens. */
  readonly truncate?: 'left';
  /** Further fields, passed on to a server as they are. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Ask even while the model is left alone after failures: for a person who tries it out (M14). */
  readonly evenIfResting?: true;
  /** Whoever asks waits by itself: a pause that the server asks for is not waited out within the request (D31). */
  readonly isPatient?: true;
  /** Instead of free text: what stands as it is, and holes for the model to fill. `stop` and `maxTokens` are the holes'. */
  readonly frame?: readonly FramePart[];
}

export type FramePart = FrameText | FrameHole;

export interface FrameText {
  readonly write: string;
  /** What the model reads in its place, where that suits it better than what is written. */
  readonly read?: string;
}

/** Always filled with something that does not begin blank and has no control characters. */
export interface FrameHole {
  readonly maxTokens: number;
  readonly stop?: readonly string[];
  /** What is written for a line break: with an indentation, text of several lines stays within a YAML block. */
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
  /** The tokens it is made of, where probabilities were asked for. Text of a frame has none. */
  readonly tokens?: readonly ModelToken[];
  /** The frame's own text, not the model's. */
  readonly framed?: true;
}

export interface EndChunk {
  readonly type: 'end';
  readonly choice: number;
  /** At a stop text or the model's own end; at the most tokens allowed; or because it was called off. */
  readonly reason: 'stop' | 'length' | 'cancelled';
  /** It stopped because its provider withholds the rest. */
  readonly withheld?: true;
}

export interface DoneChunk {
  readonly type: 'done';
  readonly usage: ModelUsage;
  readonly seed?: number;
  /** Oldest tokens of the prompt that the model did not see. */
  readonly dropped: number;
  /** A chat model was asked to go on from a text, or the other way round, and a template stood between. */
  readonly templated?: true;
  /** It wrote more than is taken of one answer: the rest was not waited for (M13). */
  readonly cut?: true;
  readonly raw?: RawResponse;
  /** Answers before that one, which brought some of the choices. */
  readonly earlier?: readonly RawResponse[];
  /** What came of tries that failed before this one. */
  readonly failed?: readonly RawResponse[];
}

export interface RefusedChunk {
  readonly type: 'refused';
  readonly refusal: RefusalDetail;
  /** It was the model's fault, not the request's. */
  readonly fault?: ModelFault;
  /** What was used before it came to that, where anything was. */
  readonly usage?: ModelUsage;
  readonly raw?: RawResponse;
  readonly earlier?: readonly RawResponse[];
  readonly failed?: readonly RawResponse[];
  /** Nothing was sent: the model is left alone for now. */
  readonly unasked?: true;
}

export interface ModelFault {
  /** Nothing was done yet, or the model says so itself: the same request may be made again. */
  readonly again: boolean;
  /** How long the model wants to be left alone. */
  readonly afterMs?: number;
  /** Whether it passes by itself, as a server that is away comes back and a refused key stays refused; untold if unknown. */
  readonly passes?: boolean;
  /** How the message ends: what to do for a person, and of no use where the program tries again by itself. */
  readonly advice?: string;
}

/** What a call over the wire brought, as it came. Keys and cookies are taken out. */
export interface RawResponse {
  /** The model's name at its provider. */
  readonly model: string;
  /** Without one, nothing answered. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body was longer than what is kept of it. */
  readonly cut?: true;
  /** All it says is that the request was refused: nothing was used. */
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
  /** The model did not say; this is a guess. */
  readonly estimated?: true;
}

export interface ModelToken {
  /** Texts of tokens put together are the text; a token within a character has none. */
  readonly text: string;
  /** Natural logarithm of its probability, whatever the temperature. */
  readonly logprob: number;
  readonly alternatives: readonly TokenAlternative[];
}

export interface TokenAlternative {
  readonly text: string;
  readonly logprob: number;
}
