import { MAX_BODY_BYTES } from '../../core/events/limits.ts';
import type { Refusal } from '../../core/refusal.ts';
import { bodyTooLarge, truncatedBody } from './limits.ts';
import { type InboundRequest, type ResponseOrStream, STREAMING } from './request.ts';
import { type Sink, webSink } from './sink.ts';

/** Requests from within the process: tests, and a command line without a server. */
export function createFetch(answer: (inbound: InboundRequest) => Promise<ResponseOrStream>) {
  return async (request: Request): Promise<Response> => {
    const inbound = new InProcessRequest(request);
    const response = await answer(inbound);
    if (response === STREAMING) return inbound.response as Response;
    const { status, headers, body } = response;
    const hasNoBody = request.method === 'HEAD' || status === 304;
    return new Response(hasNoBody ? null : (body as string), { status, headers });
  };
}

class InProcessRequest implements InboundRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly port = undefined;
  /** The streaming response, once it has started. */
  response: Response | undefined;
  readonly #request: Request;
  readonly #host: string;

  constructor(request: Request) {
    const { pathname, search, host } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.search = search.slice(1);
    this.#request = request;
    this.#host = host;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  repeatedHeader(): undefined {}

  host(): string {
    return this.header('host') ?? this.#host;
  }

  address(): undefined {}

  async body(): Promise<Buffer | Refusal> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.chunks()) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) return bodyTooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#request.body ?? [];
    } catch {
      throw truncatedBody();
    }
  }

  disconnectSignal(): AbortSignal {
    return this.#request.signal;
  }

  stream(headers: Readonly<Record<string, string>>, onClose: () => void): Sink {
    const { sink, body } = webSink(onClose);
    this.response = new Response(body, { headers });
    this.disconnectSignal().addEventListener('abort', () => sink.end());
    return sink;
  }

  download(headers: Readonly<Record<string, string>>, onClose: () => void): Sink {
    return this.stream(headers, onClose);
  }
}
