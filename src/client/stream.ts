import type { LiveItem } from '../core/events/live.ts';
import { STREAM_ID_HEADER } from '../protocol/stream-id.ts';
import type { WireEvent } from '../protocol/wire.ts';
import { type Http, isFinal, sleep } from './http.ts';
import { errorFromResponse } from './refusal.ts';
import { createFrameParser, type SseFrame } from './sse.ts';

export type { LiveItem };

export type StreamItem =
  | { readonly cursor: string; readonly event: WireEvent; readonly live?: undefined }
  | { readonly live: LiveItem; readonly cursor?: undefined; readonly event?: undefined };

/** `waiting`: the connection is lost and will be retried automatically. */
export type StreamState = 'connecting' | 'open' | 'waiting';

export interface StreamOptions {
  /** Starts after this cursor; "head" skips existing events. Default: from the beginning. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** `stream` is the id of a workspace stream that has opened, for `watch`; each connection has a new one. */
  readonly onState?: ((state: StreamState, stream?: string) => void) | undefined;
}

type StreamKey = 'GET /api/threads/:thread/stream' | 'GET /api/stream';

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 10_000;
/** The server sends something every 15 s; a longer silence means the connection is lost. */
const SILENCE_MS = 40_000;
const SILENCE_CHECK_MS = 2_000;

/**
 * Events without gaps or duplicates, across lost connections and server restarts: every connection continues after the
 * last cursor seen. Ends when aborted, or throws a refusal that retrying would not change.
 */
export async function* openStream(
  http: Http,
  key: StreamKey,
  params: { thread: string } | undefined,
  { after, signal, onState }: StreamOptions,
): AsyncGenerator<StreamItem, void, void> {
  let cursor = after;
  let delay = FIRST_RETRY_MS;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const silence = watchSilence(connection);
    const abort = () => connection.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      onState?.('connecting');
      const query = cursor === undefined ? {} : { after: cursor };
      const call = { query, signal: connection.signal, ...(params && { params }) };
      const response = await http.send(key, call, { accept: 'text/event-stream' });
      if (!response.ok) throw await errorFromResponse(response);
      onState?.('open', response.headers.get(STREAM_ID_HEADER) ?? undefined);
      for await (const frame of readFrames(response, silence)) {
        delay = FIRST_RETRY_MS;
        if (frame.event === 'dropped') break;
        if (frame.id !== undefined) cursor = frame.id;
        // The first frame carries only the starting cursor, so that a stream from the head skips nothing after a
        // reconnect.
        if (frame.data !== '') yield itemOf(frame);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      silence.stop();
      connection.abort();
    }
    if (signal?.aborted) return;
    onState?.('waiting');
    await sleep(delay * (0.5 + Math.random() / 2), signal);
    delay = Math.min(delay * 2, MAX_RETRY_MS);
  }
}

/**
 * Ends a connection on which something is awaited and nothing comes. It goes by the time of day: a machine that slept,
 * or a tab that was frozen, has not counted the time, and its connections are dead without an error.
 */
function watchSilence(connection: AbortController) {
  let awaitedSince: number | undefined = Date.now();
  const timer = setInterval(() => {
    if (awaitedSince !== undefined && Math.abs(Date.now() - awaitedSince) > SILENCE_MS)
      connection.abort(new Error('The stream fell silent.'));
  }, SILENCE_CHECK_MS);
  return {
    begin: () => {
      awaitedSince = Date.now();
    },
    end: () => {
      awaitedSince = undefined;
    },
    stop: () => clearInterval(timer),
  };
}

async function* readFrames(
  response: Response,
  silence: ReturnType<typeof watchSilence>,
): AsyncGenerator<SseFrame, void, void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const parse = createFrameParser();
  for (;;) {
    silence.begin();
    const { done, value } = await reader.read().finally(silence.end);
    if (done) return;
    yield* parse(decoder.decode(value, { stream: true }));
  }
}

function itemOf({ id, data }: SseFrame): StreamItem {
  const content = JSON.parse(data);
  return id === undefined ? { live: content } : { cursor: id, event: content };
}
