import type { RouteResponse } from '../protocol/routes.ts';
import type { Http } from './http.ts';

export type WireBlob = RouteResponse<'POST /api/blobs'>;

export interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  /** In a browser: how much of the file was sent so far, from 0 to 1. */
  onProgress?(share: number): void;
}

/** Files that can be attached to what is said (I27). */
export function blobsClient(http: Http) {
  return {
    /** Stores a file as it is; name the answer's `blob` in the attachments of a message. */
    upload: (file: Blob | Uint8Array<ArrayBuffer>, { signal, onProgress }: UploadOptions = {}): Promise<WireBlob> =>
      http.call('POST /api/blobs', { file, signal, ...(onProgress && { onProgress }) }),
    /** The address of a file, for a page that is signed in. */
    url: (blob: string, name?: string) =>
      `${http.base}/api/blobs/${encodeURIComponent(blob)}${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`,
    /** The bytes of a file. */
    async bytes(blob: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
      const response = await http.download('GET /api/blobs/:blob', { params: { blob }, signal });
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}
