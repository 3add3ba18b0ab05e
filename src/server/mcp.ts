import type { Refusal } from '../core/refusal.ts';
import { isRefusal, refuse } from '../core/refusal.ts';
import { unknownCredential } from '../log/credential.ts';
import type { Endpoint } from '../protocol/routes.ts';
import type { Credentials } from './auth/credentials.ts';
import type { AuthSession } from './http/edge.ts';
import { type HttpResponse, type InboundRequest, type ResponseOrStream, STREAMING } from './http/request.ts';
import { DATA_HEADERS } from './http/security.ts';

/** Answers an MCP request of an authenticated caller; main.ts provides the implementation. */
export type McpResponder = (
  request: Request,
  caller: { readonly token: string; readonly participant: string },
) => Promise<Response>;

const FORWARDED_HEADERS = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
];

/** The MCP endpoints, with the same checks of host, origin, credential and rate as every route (I8, I17). */
export const mcpEndpoints: readonly Endpoint[] = (['GET', 'POST', 'DELETE'] as const).map((method) => ({
  key: `${method} /mcp` as Endpoint['key'],
  method,
  path: '/mcp',
  summary: 'The Model Context Protocol, for agents.',
  access: 'participant',
  status: 200,
  response: 'application/json',
}));

export function createMcpHandler(respond: McpResponder, credentials: Credentials) {
  return async ({
    inbound,
    session,
  }: {
    inbound: InboundRequest;
    session: AuthSession;
  }): Promise<ResponseOrStream | Refusal> => {
    const body = inbound.method === 'POST' ? await inbound.body() : undefined;
    if (isRefusal(body)) return body;
    if (body && hasOverlongUri(body)) return refuse('malformed', 'The address of a resource is too long.');
    const headers = new Headers();
    for (const name of FORWARDED_HEADERS) {
      const value = inbound.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    const disconnect = new AbortController();
    const request = new Request('http://127.0.0.1/mcp', {
      method: inbound.method,
      headers,
      signal: AbortSignal.any([disconnect.signal, inbound.disconnectSignal()]),
      ...(body && { body: new Uint8Array(body) }),
    });
    const deferredRefusal = Promise.withResolvers<Refusal>();
    const revocation = credentials.revocation(session.token, session.credential);
    revocation.addEventListener('abort', cancel);
    const caller = { token: session.token, participant: session.actor.id };
    const outcome = await Promise.race([callMcp(request, caller), deferredRefusal.promise]).catch(rethrow);
    if (isRefusal(outcome) || !('type' in outcome)) {
      stopWatching();
      return outcome;
    }
    const sink = inbound.stream({ ...DATA_HEADERS, 'content-type': outcome.type }, () => disconnect.abort());
    void Promise.race([pump(outcome.body, sink), deferredRefusal.promise]).then((revocationRefusal) => {
      if (revocationRefusal)
        sink.write(Buffer.from(`event: dropped\ndata: ${JSON.stringify(revocationRefusal.refusal)}\n\n`));
      stopWatching();
      sink.end();
    });
    return STREAMING;

    /** Cancels the running request and sends nothing more (I25). */
    function cancel() {
      deferredRefusal.resolve(unknownCredential());
      disconnect.abort();
    }

    function stopWatching() {
      revocation.removeEventListener('abort', cancel);
    }

    function rethrow(error: unknown): never {
      stopWatching();
      throw error;
    }
  };

  async function callMcp(request: Request, caller: Parameters<McpResponder>[1]): Promise<HttpResponse | McpStream> {
    const response = await respond(request, caller);
    const type = response.headers.get('content-type') ?? 'application/json';
    if (type.startsWith('text/event-stream') && response.body) return { type, body: response.body };
    const headers = { ...DATA_HEADERS, ...Object.fromEntries(response.headers) };
    return { status: response.status, headers, body: await response.text() };
  }
}

interface McpStream {
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
}

const MAX_URI_LENGTH = 100_000;

/** The MCP library would report a URI of a million characters as an internal error. */
function hasOverlongUri(body: Buffer): boolean {
  if (body.length < MAX_URI_LENGTH) return false;
  try {
    const messages = [JSON.parse(body.toString())].flat() as readonly ({ params?: { uri?: unknown } } | null)[];
    return messages.some((message) => String(message?.params?.uri ?? '').length > MAX_URI_LENGTH);
  } catch {
    // The library answers invalid JSON itself.
    return false;
  }
}

async function pump(body: ReadableStream<Uint8Array>, sink: ReturnType<InboundRequest['stream']>) {
  try {
    for await (const chunk of body) {
      sink.write(Buffer.from(chunk));
      await sink.whenDrained();
    }
  } catch {
    // The client disconnected; there is nobody to answer.
  }
}
