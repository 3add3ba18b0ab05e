import type { Engine } from '../../engine/engine.ts';
import type { Live } from '../../engine/tail.ts';
import type { Credential } from '../../log/credential.ts';
import { type Stored, typeOf, wireOf } from '../../log/event-log.ts';
import { type CursorKind, cursorOf } from '../../protocol/cursor.ts';
import type { Credentials } from '../auth/credentials.ts';
import { DATA_HEADERS } from '../http/security.ts';
import type { Sink } from '../http/sink.ts';
import type { Metrics } from '../metrics/metrics.ts';

export const STREAM_HEADERS = {
  ...DATA_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
};

const BEAT_MS = 15_000;
const BEATS_WITHOUT_PROGRESS = 2;
const RECONNECT_MS = 1_000;
/** What may wait for a slow reader, besides the frame being written (L11). */
const MAX_WAITING = 256 * 1024;
const BEAT = Buffer.from(': still here\n\n');

export interface Opening {
  /** Without it: the whole workspace. */
  readonly thread?: string;
  readonly after: number;
  readonly token: string;
  readonly credential: Credential;
}

interface Stream {
  beat(): void;
  drop(code: string, message: string): void;
}

/** All streams of this server: they share frames, a heartbeat and an end. */
export function createStreams(engine: Engine, credentials: Credentials, metrics: Metrics) {
  const open = new Set<Stream>();
  const perCredential = new Map<string, number>();
  const beats = setInterval(() => {
    for (const stream of open) stream.beat();
  }, BEAT_MS);
  beats.unref();

  function start({ thread, after, token, credential }: Opening, makeSink: (closed: () => void) => Sink) {
    const kind = thread === undefined ? 'workspace' : 'thread';
    let ended = false;
    let waitedBefore = 0;
    let stuck = 0;
    const sink = makeSink(finish);
    const leave = thread === undefined ? () => {} : engine.presence.connect(thread, credential.participant);
    sink.write(Buffer.from(`retry: ${RECONNECT_MS}\nid: ${cursorOf(kind, after)}\n\n`));

    const stop = engine.tail.subscribe({
      ...(thread !== undefined && { thread }),
      after,
      deliver(rows) {
        if (sink.waiting > MAX_WAITING) return slow();
        metrics.streams.deliveries += rows.length;
        sink.write(frameOf(kind, rows));
      },
      live(item) {
        if (sink.waiting <= MAX_WAITING) sink.write(liveFrameOf(item));
      },
      ready: () => sink.drained(),
      failed: () => drop('store_unavailable', 'The log could not be read. Connect again to go on from the last id.'),
    });

    const stream: Stream = {
      drop,
      beat() {
        const waiting = sink.waiting;
        stuck = waiting > 0 && waiting >= waitedBefore ? stuck + 1 : 0;
        waitedBefore = waiting;
        if (stuck > BEATS_WITHOUT_PROGRESS) return slow();
        if (waiting === 0) sink.write(BEAT);
      },
    };
    open.add(stream);
    const revocation = credentials.revocation(token, credential);
    revocation.addEventListener('abort', revoked);
    perCredential.set(credential.id, openBy(credential) + 1);
    metrics.streams.open = open.size;
    if (ended) finish();

    function revoked() {
      drop('unauthenticated', 'The credential of this stream was revoked.');
    }

    function slow() {
      metrics.streams.dropped++;
      drop('slow_reader', 'Too much was waiting to be read. Connect again to go on from the last id.');
    }

    function drop(code: string, message: string) {
      if (ended) return;
      sink.write(Buffer.from(`event: dropped\ndata: ${JSON.stringify({ code, message })}\n\n`));
      finish();
      sink.end();
    }

    function finish() {
      ended = true;
      if (!open.delete(stream)) return;
      stop();
      leave();
      revocation.removeEventListener('abort', revoked);
      const left = openBy(credential) - 1;
      if (left === 0) perCredential.delete(credential.id);
      else perCredential.set(credential.id, left);
      metrics.streams.open = open.size;
    }
  }

  function openBy({ id }: Credential): number {
    return perCredential.get(id) ?? 0;
  }

  function close() {
    clearInterval(beats);
    for (const stream of open)
      stream.drop('closing', 'The server is stopping. Connect again to go on from the last id.');
  }

  return { start, openBy, close };
}

export type Streams = ReturnType<typeof createStreams>;

/** Every reader of a scope is handed the same array, so its frame is made once. */
const frames = {
  thread: new WeakMap<readonly Stored[], Buffer>(),
  workspace: new WeakMap<readonly Stored[], Buffer>(),
};
const liveFrames = new WeakMap<Live, Buffer>();

function frameOf(kind: CursorKind, rows: readonly Stored[]): Buffer {
  let frame = frames[kind].get(rows);
  if (frame) return frame;
  let text = '';
  for (const row of rows) {
    const cursor = cursorOf(kind, kind === 'thread' ? row.seq : row.position);
    text += `id: ${cursor}\nevent: ${typeOf(row).replace(/[\r\n]/g, ' ')}\ndata: ${wireOf(row)}\n\n`;
  }
  frame = Buffer.from(text);
  frames[kind].set(rows, frame);
  return frame;
}

function liveFrameOf(item: Live): Buffer {
  let frame = liveFrames.get(item);
  if (!frame) {
    frame = Buffer.from(`event: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`);
    liveFrames.set(item, frame);
  }
  return frame;
}
