import type { Refusal } from '../../core/refusal.ts';
import type { Sink } from './sink.ts';

/** A request, whether it came by a socket or from within the process. */
export interface InboundRequest {
  readonly method: string;
  readonly path: string;
  /** What follows the question mark. */
  readonly search: string;
  /** The port it came in by; undefined within the process. */
  readonly port: number | undefined;
  /** The address of ours it came in by, as a Host header would have it. */
  address(): string | undefined;
  header(name: string): string | undefined;
  /** The name of a header that was sent more than once and may be only once: nobody can say which of them holds. */
  repeatedHeader(): string | undefined;
  /** The name by which we were called. */
  host(): string;
  body(): Promise<Buffer | Refusal>;
  /** A body of any length, as it comes. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Aborted when whoever asked is gone. */
  disconnectSignal(): AbortSignal;
  /** Begins an answer that lasts; `onClose` is called when its reader leaves. */
  stream(headers: Readonly<Record<string, string>>, onClose: () => void): Sink;
  /** Begins an answer that is a file of any length. */
  download(headers: Readonly<Record<string, string>>, onClose: () => void): Sink;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The answer is being streamed already. */
export const STREAMING = 'streaming';

export type ResponseOrStream = HttpResponse | typeof STREAMING;
