import { request as httpRequest } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

interface RawRequest {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A request to this machine with exactly these headers, which no other client sends; a stream is left after its head. */
export function rawRequest({ port, method, path, headers, body: value }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const body = value === undefined ? undefined : JSON.stringify(value);
    const type =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers: { ...type, ...headers } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const answer = { status: response.statusCode as number, headers: response.headers };
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        sent.destroy();
        return resolve({ ...answer, text: '' });
      }
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ ...answer, text }));
    });
    sent.end(body);
  });
}
