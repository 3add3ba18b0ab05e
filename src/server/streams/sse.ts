import { randomBytes } from 'node:crypto';
import { type Refusal, refuse } from '../../core/refusal.ts';
import type { Engine } from '../../engine/engine.ts';
import type { LiveMessage } from '../../engine/tail.ts';
import type { Credential } from '../../log/credential.ts';
import { eventTypeOf, type StoredEvent, wireTextOf } from '../../log/event-log.ts';
import { type CursorKind, cursorOf } from '../../protocol/cursor.ts';
import { STREAM_ID_HEADER } from '../../protocol/stream-id.ts';
import type { Credentials } from '../auth/credentials.ts';
import { DATA_HEADERS } from '../http/security.ts';
import type { Sink } from '../http/sink.ts';
import type { Metrics } from '../metrics/metrics.ts';

export const STREAM_HEADERS = {
  ...DATA_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
};

const HEARTBEAT_MS = 15_000;
const MAX_STUCK_BEATS = 2;
const RECONNECT_MS = 1_000;
/** The most bytes that may wait for a slow reader, besides the frame being written (L11). */
const MAX_PENDING_BYTES = 256 * 1024;
const HEARTBEAT = Buffer.from(': still here\n\n');

export interface StreamRequest {
  /** Default: the whole workspace. */
  readonly thread?: string;
  readonly after: number;
  readonly token: string;
  readonly credential: Credential;
}

interface OpenEventStream {
  readonly credential: Credential;
  watch(threads: readonly string[]): void;
  beat(): void;
  drop(code: string, message: string): void;
}

/** All streams of this server. They share frames, a heartbeat and a shutdown. */
export function createStreams(engine: Engine, credentials: Credentials, metrics: Metrics) {
  const openStreams = new Map<string, OpenEventStream>();
  const streamsByCredential = new Map<string, number>();
  const heartbeatTimer = setInterval(() => {
    for (const stream of openStreams.values()) stream.beat();
  }, HEARTBEAT_MS);
  heartbeatTimer.unref();

  function start(
    { thread, after, token, credential }: StreamRequest,
    makeSink: (headers: Readonly<Record<string, string>>, onClose: () => void) => Sink,
  ) {
    const id = randomBytes(16).toString('base64url');
    const kind = thread === undefined ? 'workspace' : 'thread';
    let hasEnded = false;
    let pendingBefore = 0;
    let stuckBeats = 0;
    const presences = new Map<string, () => void>();
    const sink = makeSink(
      thread === undefined ? { ...STREAM_HEADERS, [STREAM_ID_HEADER]: id } : STREAM_HEADERS,
      finish,
    );
    if (thread !== undefined) watchThreads([thread]);
    sink.write(Buffer.from(`retry: ${RECONNECT_MS}\nid: ${cursorOf(kind, after)}\n\n`));

    const unsubscribe = engine.tail.subscribe({
      ...(thread !== undefined && { thread }),
      after,
      onEvents(rows) {
        if (sink.pendingBytes > MAX_PENDING_BYTES) return dropSlowReader();
        metrics.streams.deliveries += rows.length;
        sink.write(frameOf(kind, rows));
      },
      onLive(item) {
        if (item.only !== undefined && item.only !== credential.participant) return;
        if (sink.pendingBytes <= MAX_PENDING_BYTES) sink.write(liveFrameOf(item));
      },
      ready: () => sink.whenDrained(),
      onError: () => drop('store_unavailable', 'The log could not be read. Reconnect to continue from the last ID.'),
    });

    const stream: OpenEventStream = {
      credential,
      watch: watchThreads,
      drop,
      beat() {
        const pending = sink.pendingBytes;
        stuckBeats = pending > 0 && pending >= pendingBefore ? stuckBeats + 1 : 0;
        pendingBefore = pending;
        if (stuckBeats > MAX_STUCK_BEATS) return dropSlowReader();
        if (pending === 0) sink.write(HEARTBEAT);
      },
    };
    openStreams.set(id, stream);
    const revocation = credentials.revocation(token, credential);
    revocation.addEventListener('abort', onRevoked);
    streamsByCredential.set(credential.id, countStreams(credential) + 1);
    metrics.streams.open = openStreams.size;
    if (hasEnded) finish();

    function watchThreads(threads: readonly string[]) {
      for (const [watched, disconnect] of presences) {
        if (threads.includes(watched)) continue;
        presences.delete(watched);
        disconnect();
      }
      for (const added of new Set(threads)) {
        if (!presences.has(added)) presences.set(added, engine.presence.connect(added, credential.participant));
      }
    }

    function onRevoked() {
      drop('unauthenticated', 'The credential of this stream was revoked.');
    }

    function dropSlowReader() {
      metrics.streams.dropped++;
      drop('slow_reader', 'The reader is too slow. Reconnect to continue from the last ID.');
    }

    function drop(code: string, message: string) {
      if (hasEnded) return;
      sink.write(Buffer.from(`event: dropped\ndata: ${JSON.stringify({ code, message })}\n\n`));
      finish();
      sink.end();
    }

    function finish() {
      hasEnded = true;
      if (!openStreams.delete(id)) return;
      unsubscribe();
      watchThreads([]);
      revocation.removeEventListener('abort', onRevoked);
      const remaining = countStreams(credential) - 1;
      if (remaining === 0) streamsByCredential.delete(credential.id);
      else streamsByCredential.set(credential.id, remaining);
      metrics.streams.open = openStreams.size;
    }
  }

  /** Sets the threads that the reader of a workspace stream has open: it is present in them (T3). */
  function watch(id: string, credential: Credential, threads: readonly string[]): Refusal | undefined {
    const stream = openStreams.get(id);
    if (stream?.credential.id === credential.id) {
      stream.watch(threads);
      return undefined;
    }
    const problem = `This credential has no open stream ${id.slice(0, 64)}.`;
    return refuse('unknown_stream', `${problem} Open /api/stream and use the id in its ${STREAM_ID_HEADER} header.`);
  }

  function countStreams({ id }: Credential): number {
    return streamsByCredential.get(id) ?? 0;
  }

  function close() {
    clearInterval(heartbeatTimer);
    for (const stream of openStreams.values())
      stream.drop('closing', 'The server is stopping. Reconnect to continue from the last ID.');
  }

  return { start, watch, countStreams, close };
}

export type Streams = ReturnType<typeof createStreams>;

/** All readers of a scope get the same array, so each frame is encoded once. */
const frames = {
  thread: new WeakMap<readonly StoredEvent[], Buffer>(),
  workspace: new WeakMap<readonly StoredEvent[], Buffer>(),
};
const liveFrames = new WeakMap<LiveMessage, Buffer>();

function frameOf(kind: CursorKind, rows: readonly StoredEvent[]): Buffer {
  let frame = frames[kind].get(rows);
  if (frame) return frame;
  let text = '';
  for (const row of rows) {
    const cursor = cursorOf(kind, kind === 'thread' ? row.seq : row.position);
    text += `id: ${cursor}\nevent: ${eventTypeOf(row).replace(/[\r\n]/g, ' ')}\ndata: ${wireTextOf(row)}\n\n`;
  }
  frame = Buffer.from(text);
  frames[kind].set(rows, frame);
  return frame;
}

function liveFrameOf(item: LiveMessage): Buffer {
  let frame = liveFrames.get(item);
  if (!frame) {
    frame = Buffer.from(`event: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`);
    liveFrames.set(item, frame);
  }
  return frame;
}
