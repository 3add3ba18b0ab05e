import { readFile } from 'node:fs/promises';
import { cleanFileName, isShownImage, MAX_ATTACHMENT_BYTES } from '../../core/attachments/attachment.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import { sniffFile } from '../../engine/attachments/sniff.ts';
import { unknownBlob } from '../../engine/attachments/uploads.ts';
import { unknownCredential } from '../../log/credential.ts';
import type { RouteCall, RouteHandlers } from '../http/edge.ts';
import { rateLimited } from '../http/limits.ts';
import { type ResponseOrStream, STREAMING } from '../http/request.ts';
import { FILE_HEADERS } from '../http/security.ts';
import { spoolUpload } from '../http/spool.ts';
import type { RouteContext } from './context.ts';

/** Files of one credential that may be on their way at once, in either direction. */
const MAX_AT_ONCE = 8;
const FRAME_SIZE = 256 * 1024;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

/** Files that are attached to what is said (I27). */
export function blobHandlers({ engine, credentials }: RouteContext) {
  const uploading = createSlots(MAX_AT_ONCE);
  const sending = createSlots(MAX_AT_ONCE);

  return {
    /** The upload goes to disk first, so that a slow one holds no memory and one that breaks off leaves nothing. */
    async 'POST /api/blobs'({ inbound, session }) {
      const { credential, token, actor } = session;
      const release = uploading.take(credential.id);
      if (!release) return rateLimited(`This credential is already uploading ${MAX_AT_ONCE} files.`, 1);
      try {
        const spool = await spoolUpload(inbound, { maxBytes: MAX_ATTACHMENT_BYTES, nothingDone: 'Nothing was stored' });
        if (isRefusal(spool)) return spool;
        try {
          // Uploading takes time, and the credential may have ended meanwhile (I25).
          if (!(await credentials.lookUp(token))) return unknownCredential();
          const stored = await engine.uploads.store(actor, () => readFile(spool.file));
          return isRefusal(stored) ? stored : JSON.stringify(stored);
        } finally {
          await spool.remove();
        }
      } finally {
        release();
      }
    },

    async 'GET /api/blobs/:blob'(call) {
      const { params, query, inbound, session } = call;
      const { blob } = params;
      if (!HASH_PATTERN.test(blob)) return unknownBlob(blob, 'Its id is a SHA-256 in hexadecimal.');
      const etag = `"${blob}"`;
      if (inbound.header('if-none-match') === etag)
        return { status: 304, headers: { ...FILE_HEADERS, etag }, body: '' };
      const release = await sending.wait(session.credential.id, inbound.disconnectSignal());
      let isHandedOn = false;
      try {
        const bytes = await engine.uploads.open(blob);
        if (!bytes) return unknownBlob(blob, 'It may be missing from an import.');
        if (isRefusal(bytes)) return bytes;
        const { type } = sniffFile(bytes);
        const headers = { ...FILE_HEADERS, etag, ...fileHeaders(type, query.name) };
        if (bytes.length <= FRAME_SIZE || inbound.method === 'HEAD') return { status: 200, headers, body: bytes };
        isHandedOn = true;
        return send(call, bytes, headers, release);
      } finally {
        if (!isHandedOn) release();
      }
    },
  } satisfies Partial<RouteHandlers>;

  /** Sends a large file as its reader takes it; until then it holds one of the reader's own slots. */
  function send(
    { inbound }: RouteCall<'GET /api/blobs/:blob'>,
    bytes: Uint8Array,
    headers: Record<string, string>,
    release: () => void,
  ): ResponseOrStream | Refusal {
    let isOpen = true;
    const sink = inbound.download({ ...headers, 'content-length': String(bytes.length) }, () => {
      isOpen = false;
      release();
    });
    void (async () => {
      for (let at = 0; at < bytes.length && isOpen; at += FRAME_SIZE) {
        sink.write(Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(FRAME_SIZE, bytes.length - at)));
        await sink.whenDrained();
      }
      sink.end();
    })();
    return STREAMING;
  }
}

/** Only raster images are shown in place. Everything else is saved, as text or as bytes, never as what it claims. */
function fileHeaders(type: string, name: string | undefined): Record<string, string> {
  const isImage = isShownImage({ type });
  const disposition = isImage ? 'inline' : 'attachment';
  const fileName = name === undefined ? '' : `; filename*=UTF-8''${encodeFileName(cleanFileName(name))}`;
  return {
    'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : isImage ? type : 'application/octet-stream',
    'content-disposition': `${disposition}${fileName}`,
  };
}

/** RFC 8187 allows fewer characters than `encodeURIComponent` leaves. */
function encodeFileName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Counts what each credential has under way; more than `max` are refused (`take`) or wait their turn (`wait`). */
function createSlots(max: number) {
  const taken = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  function take(key: string): (() => void) | undefined {
    const count = taken.get(key) ?? 0;
    if (count >= max) return undefined;
    taken.set(key, count + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const rest = (taken.get(key) ?? 1) - 1;
      if (rest === 0) taken.delete(key);
      else taken.set(key, rest);
      const next = waiting.get(key)?.shift();
      if (waiting.get(key)?.length === 0) waiting.delete(key);
      next?.();
    };
  }

  async function wait(key: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      const release = take(key);
      if (release) return release;
      if (signal.aborted) return () => {};
      await new Promise<void>((resolve) => {
        const list = waiting.get(key) ?? [];
        waiting.set(key, list);
        list.push(resolve);
        // One that left must not be woken in place of another.
        const onAbort = () => {
          const index = list.indexOf(resolve);
          if (index >= 0) list.splice(index, 1);
          resolve();
        };
        signal.addEventListener('abort', onAbort, { once: true });
      });
    }
  }

  return { take, wait };
}
