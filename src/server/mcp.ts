import type { Refusal } from '../core/refusal.ts';
import { isRefusal, refuse } from '../core/refusal.ts';
import { notKnown } from '../log/credential.ts';
import type { Endpoint } from '../protocol/routes.ts';
import type { Credentials } from './auth/credentials.ts';
import type { Session } from './http/edge.ts';
import { type Answered, type Inbound, type Reply, STREAMING } from './http/request.ts';
import { DATA_HEADERS } from './http/security.ts';

/** Answers an MCP request for whoever was let in; main.ts says who does. */
export type AnswerMcp = (
  request: Request,
  caller: { readonly token: string; readonly participant: string },
) => Promise<Response>;

const PASSED_ON = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
];

/** Where MCP clients come in: the same checks of host, origin, credential and rate as everywhere (I8, I17). */
export const mcpEndpoints: readonly Endpoint[] = (['GET', 'POST', 'DELETE'] as const).map((method) => ({
  key: `${method} /mcp` as Endpoint['key'],
  method,
  path: '/mcp',
  summary: 'The Model Context Protocol, for agents.',
  access: 'participant',
  status: 200,
  response: 'application/json',
}));

export function createMcpHandler(answer: AnswerMcp, credentials: Credentials) {
  return async ({ inbound, session }: { inbound: Inbound; session: Session }): Promise<Answered | Refusal> => {
    const body = inbound.method === 'POST' ? await inbound.body() : undefined;
    if (isRefusal(body)) return body;
    if (body && hasEndlessAddress(body)) return refuse('malformed', 'The address of a resource is too long.');
    const headers = new Headers();
    for (const name of PASSED_ON) {
      const value = inbound.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    const gone = new AbortController();
    const request = new Request('http://127.0.0.1/mcp', {
      method: inbound.method,
      headers,
      signal: AbortSignal.any([gone.signal, inbound.gone()]),
      ...(body && { body: new Uint8Array(body) }),
    });
    const revoked = Promise.withResolvers<Refusal>();
    const revocation = credentials.revocation(session.token, session.credential);
    revocation.addEventListener('abort', turnAway);
    const caller = { token: session.token, participant: session.actor.id };
    const asked = await Promise.race([begin(request, caller), revoked.promise]).catch(failed);
    if (isRefusal(asked) || !('type' in asked)) {
      leave();
      return asked;
    }
    const sink = inbound.stream({ ...DATA_HEADERS, 'content-type': asked.type }, () => gone.abort());
    void Promise.race([pump(asked.body, sink), revoked.promise]).then((ended) => {
      if (ended) sink.write(Buffer.from(`event: dropped\ndata: ${JSON.stringify(ended.refusal)}\n\n`));
      leave();
      sink.end();
    });
    return STREAMING;

    /** Whatever is under way is called off, and nothing more is told (I25). */
    function turnAway() {
      revoked.resolve(notKnown());
      gone.abort();
    }

    function leave() {
      revocation.removeEventListener('abort', turnAway);
    }

    function failed(error: unknown): never {
      leave();
      throw error;
    }
  };

  async function begin(request: Request, caller: Parameters<AnswerMcp>[1]): Promise<Reply | Lasting> {
    const response = await answer(request, caller);
    const type = response.headers.get('content-type') ?? 'application/json';
    if (type.startsWith('text/event-stream') && response.body) return { type, body: response.body };
    const headers = { ...DATA_HEADERS, ...Object.fromEntries(response.headers) };
    return { status: response.status, headers, body: await response.text() };
  }
}

interface Lasting {
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
}

const LONGEST_ADDRESS = 100_000;

/** The library that speaks MCP takes an address of a million characters for a fault of ours. */
function hasEndlessAddress(body: Buffer): boolean {
  if (body.length < LONGEST_ADDRESS) return false;
  try {
    const messages = [JSON.parse(body.toString())].flat() as readonly ({ params?: { uri?: unknown } } | null)[];
    return messages.some((message) => String(message?.params?.uri ?? '').length > LONGEST_ADDRESS);
  } catch {
    // What is no JSON is answered as such.
    return false;
  }
}

async function pump(body: ReadableStream<Uint8Array>, sink: ReturnType<Inbound['stream']>) {
  try {
    for await (const chunk of body) {
      sink.write(Buffer.from(chunk));
      await sink.drained();
    }
  } catch {
    // The client left; there is nobody to tell.
  }
}
