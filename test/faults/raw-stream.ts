import { connect, type Socket } from 'node:net';
import { createFrameParser } from '../../src/client/sse.ts';
import { must } from './fault.ts';
import type { Server } from './server.ts';

/** What a reader has got so far, over one connection or several. */
export interface Seen {
  /** The seq of the last event; the next must be one more. */
  seq: number;
  cursor: string;
  /** Why the server ended the stream, if it said so. */
  dropped?: string;
}

/** A stream over a bare socket, which can do what a client of ours would not: not read. */
export interface RawStream {
  /** Reads from now on; resolves when the stream ends, or the event `upTo` was seen. */
  read(seen: Seen, upTo: number): Promise<void>;
}

/** Asks for a stream and reads nothing, not even whether it was granted. */
export async function openRawStream(server: Server, path: string): Promise<RawStream> {
  const { hostname, port, host } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`);
  return { read: (seen, upTo) => readAll(socket, seen, upTo) };
}

function readAll(socket: Socket, seen: Seen, upTo: number): Promise<void> {
  const parse = createFrameParser();
  const decoder = new TextDecoder();
  let head: string | undefined = '';
  return new Promise((resolve, reject) => {
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      try {
        take(decoder.decode(chunk, { stream: true }));
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
    function take(text: string) {
      if (head === undefined) return takeFrames(text);
      head += text;
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      must(/^HTTP\/1.1 200 /.test(head), `a stream was answered ${head}`);
      const rest = head.slice(end + 4);
      head = undefined;
      takeFrames(rest);
    }
    function takeFrames(text: string) {
      for (const { id, event, data } of parse(text)) {
        if (event === 'dropped') seen.dropped = (JSON.parse(data) as { code: string }).code;
        if (id === undefined) continue;
        seen.cursor = id;
        if (data === '') continue;
        const { seq } = JSON.parse(data) as { seq: number };
        must(seq === seen.seq + 1, `event ${seq} came after ${seen.seq}`);
        seen.seq = seq;
        if (seq === upTo) socket.destroy();
      }
    }
  });
}
