import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Actor } from '../core/event.ts';
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts';
import type { Secrets } from '../engine/secrets.ts';
import type { Body, Endpoint, Params, Query, RouteKey, Routes } from '../protocol/routes.ts';
import type { Credential, Credentials } from './credentials.ts';
import { malformed, refusalOf, statusOf } from './errors.ts';
import { createBuckets, type Limits, readBody } from './limits.ts';
import type { Metrics } from './metrics.ts';
import { createGuard, DATA_HEADERS, tokenOf } from './security.ts';

/** Within the process there is no socket, so neither half of the bindings. */
export type Env = { Bindings: Partial<HttpBindings> };

export interface Session {
  readonly token: string;
  readonly credential: Credential;
  readonly actor: Actor;
}

/** A request after every check: whoever calls may, and what it sent has the right shape. */
export interface Call<Key extends RouteKey> {
  readonly context: Context<Env>;
  readonly params: Record<Params<Key>, string>;
  readonly query: Query<Key>;
  readonly body: Body<Key>;
  readonly session: Routes[Key]['access'] extends 'open' ? undefined : Session;
}

export interface Reply {
  readonly text: string;
  /** The route's own unless given. */
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

export type Handler<Key extends RouteKey> = (
  call: Call<Key>,
) => Reply | Refusal | Response | Promise<Reply | Refusal | Response>;

export type Handlers = { readonly [Key in RouteKey]: Handler<Key> };

export interface EdgeParts {
  readonly credentials: Credentials;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly allowedHosts: readonly string[];
  /** Where faults are told; never to the one who asked. */
  report(text: string): void;
}

const JSON_HEADERS = { ...DATA_HEADERS, 'content-type': 'application/json; charset=utf-8' };

/** The order of checks every request goes through, and the shape of every answer. */
export function createEdge({ credentials, secrets, metrics, limits, allowedHosts, report }: EdgeParts) {
  const guard = createGuard(allowedHosts);
  const take = createBuckets(limits);

  function mount<Key extends RouteKey>(endpoint: Endpoint, handler: Handler<Key>) {
    return (context: Context<Env>) => answer(context, () => serve(endpoint, handler, context));
  }

  /** For addresses outside the table: still guarded, still answered in one shape. */
  async function answer(context: Context<Env>, serveIt: () => Promise<Response | Refusal>): Promise<Response> {
    try {
      const strange = guard(hostOf(context), header(context, 'origin'), context.env?.incoming?.socket.localPort);
      const answered = strange ?? (await serveIt());
      return isRefusal(answered) ? refused(answered) : counted(answered);
    } catch (error) {
      return refused(refusalOf(error) ?? fault(error));
    }
  }

  async function serve<Key extends RouteKey>(
    endpoint: Endpoint,
    handler: Handler<Key>,
    context: Context<Env>,
  ): Promise<Response | Refusal> {
    // 1. Who is it, may they, and not too often?
    let session: Session | undefined;
    if (endpoint.access !== 'open') {
      const found = await authenticate(context);
      if (isRefusal(found)) return found;
      session = found;
      if (endpoint.access === 'human' && session.actor.kind !== 'human') return humansOnly(session.actor);
      const tooMany = take(session.credential.id);
      if (tooMany) return tooMany;
    }

    // 2. Does what they sent have the right shape?
    const query = endpoint.query?.safeParse(context.req.query());
    if (query && !query.success) return malformed(query.error, context.req.query());
    const body = endpoint.body && (await parsedBody(endpoint, context));
    if (isRefusal(body)) return body;

    // 3. Then do it.
    const call = { context, params: context.req.param(), query: query?.data, body, session };
    const reply = await handler(call as never as Call<Key>);
    if (isRefusal(reply) || typeof reply.text !== 'string') return reply as Refusal | Response;
    return new Response(reply.text, {
      status: reply.status ?? endpoint.status,
      headers: reply.headers ?? JSON_HEADERS,
    });
  }

  async function authenticate(context: Context<Env>): Promise<Session | Refusal> {
    const token = tokenOf(header(context, 'authorization'), header(context, 'cookie'), hostOf(context));
    if (token === undefined) {
      return refuse(
        'unauthenticated',
        'A credential is needed: send "Authorization: Bearer TOKEN" ("heddle token" prints one).',
      );
    }
    const found = credentials.find(token);
    const credential = found instanceof Promise ? await found : found;
    if (!credential) {
      return refuse(
        'unauthenticated',
        'This credential is not known here, or was revoked. "heddle token" prints a new one.',
      );
    }
    return { token, credential, actor: { id: credential.participant, kind: credential.kind } };
  }

  async function parsedBody(endpoint: Endpoint, context: Context<Env>): Promise<unknown> {
    const type = header(context, 'content-type') ?? '';
    if (type !== 'application/json' && !/^application\/json\s*(;|$)/i.test(type)) {
      return refuse('malformed', 'The body must be JSON: send it with "Content-Type: application/json".');
    }
    const text = await readBody(context.env?.incoming, context.req.raw);
    if (isRefusal(text)) return text;
    let input: unknown;
    try {
      input = JSON.parse(text);
    } catch (error) {
      return refuse('malformed', `The body is not JSON: ${secrets.remove((error as Error).message)}.`);
    }
    const parsed = endpoint.body?.safeParse(input);
    return parsed?.success === false ? malformed(parsed.error, input) : parsed?.data;
  }

  function refused({ refusal }: Refusal | Fault): Response {
    metrics.refused(refusal.code);
    const headers: Record<string, string> = { ...JSON_HEADERS };
    if (refusal.code === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
    if ('retry_after' in refusal) headers['retry-after'] = String(refusal.retry_after);
    const text = secrets.remove(JSON.stringify({ error: refusal }));
    return counted(new Response(text, { status: statusOf[refusal.code], headers }));
  }

  function counted(response: Response): Response {
    metrics.answered(response.status);
    return response;
  }

  /** Nobody foresaw it: the one who asked learns that it failed, whoever runs the server learns why. */
  function fault(error: unknown): Fault {
    report(secrets.remove(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    return {
      refusal: {
        code: 'internal',
        message: 'Something went wrong in the server; its own output says what. Nothing more was done.',
      },
    };
  }

  return { mount, answer };
}

interface Fault {
  readonly refusal: { readonly code: 'internal'; readonly message: string };
}

function humansOnly({ id }: Actor): Refusal {
  return refuse('forbidden', `This needs a human's credential; ${id} has none. Ask a human of this workspace.`, {
    participant: id,
  });
}

export function hostOf(context: Context<Env>): string {
  return header(context, 'host') ?? (context.env?.incoming ? '' : new URL(context.req.url).host);
}

/** Node has parsed the headers already; asking it directly spares making an object for each request. */
export function header(context: Context<Env>, name: string): string | undefined {
  const incoming = context.env?.incoming;
  if (!incoming) return context.req.raw.headers.get(name) ?? undefined;
  return incoming.headers[name] as string | undefined;
}
