import type { Refusal } from '../../core/refusal.ts';
import type { Sink } from './sink.ts';

/** A request from a socket or from within the process. */
export interface InboundRequest {
  readonly method: string;
  readonly path: string;
  /** The query string, without the question mark. */
  readonly search: string;
  /** The local port of the connection; undefined within the process. */
  readonly port: number | undefined;
  /** The local address of the connection, in the format of a Host header. */
  address(): string | undefined;
  header(name: string): string | undefined;
  /** The name of a single-value header that was sent more than once, which makes the request ambiguous. */
  repeatedHeader(): string | undefined;
  /** The host name the client used for this server. */
  host(): string;
  body(): Promise<Buffer | Refusal>;
  /** A body of any length, as a stream. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Aborted when the client disconnects. */
  disconnectSignal(): AbortSignal;
  /** Starts a streaming response; `onClose` is called when its reader disconnects. */
  stream(headers: Readonly<Record<string, string>>, onClose: () => void): Sink;
  /** Starts a response that is a file of any length. */
  download(headers: Readonly<Record<string, string>>, onClose: () => void): Sink;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Returned when the response is already being streamed. */
export const STREAMING = 'streaming';

export type ResponseOrStream = HttpResponse | typeof STREAMING;
