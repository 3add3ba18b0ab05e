import { z } from 'zod';
import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Secrets } from '../../engine/secrets.ts';
import { waitInLine } from '../../engine/slices.ts';
import { type Credential, unknownCredential } from '../../log/credential.ts';
import type { Endpoint, RouteBody, RouteKey, RouteParams, RouteQuery, Routes } from '../../protocol/routes.ts';
import type { Credentials } from '../auth/credentials.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isId, unknownThread } from '../routes/context.ts';
import { normalizeEvent } from './envelope.ts';
import { faultLine, malformedRefusal, refusalOf, statusByCode } from './errors.ts';
import { createRateLimiter, decodeBody, type ServerLimits } from './limits.ts';
import { refusalPage, wantsHtml } from './refusal-page.ts';
import { type HttpResponse, type InboundRequest, type ResponseOrStream, STREAMING } from './request.ts';
import { createGuard, DATA_HEADERS, tokenOf } from './security.ts';

export interface AuthSession {
  readonly token: string;
  readonly credential: Credential;
  readonly actor: Actor;
}

/** A request that passed every check: the caller is authorized and the input has the right shape. */
export interface RouteCall<Key extends RouteKey> {
  readonly inbound: InboundRequest;
  readonly params: Record<RouteParams<Key>, string>;
  readonly query: RouteQuery<Key>;
  readonly body: RouteBody<Key>;
  readonly session: Routes[Key]['access'] extends 'open' ? undefined : AuthSession;
}

/** A handler returns JSON text or a complete response. */
type HandlerResult = string | ResponseOrStream | Refusal;
export type RouteHandler<Key extends RouteKey> = (call: RouteCall<Key>) => HandlerResult | Promise<HandlerResult>;
export type RouteHandlers = { readonly [Key in RouteKey]: RouteHandler<Key> };

export type MountedHandler = (
  inbound: InboundRequest,
  params: Record<string, string>,
) => Promise<ResponseOrStream | Refusal>;

export interface EdgeOptions {
  readonly credentials: Credentials;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
  readonly limits: ServerLimits;
  readonly allowedHosts: readonly string[];
  readonly signInCommand: string;
  /** Milliseconds from a monotonic clock. */
  elapsed(): number;
  /** Reports internal errors to the operator, never to the caller. */
  report(text: string): void;
}

const anyBody = z.looseObject({});
const JSON_HEADERS = { ...DATA_HEADERS, 'content-type': 'application/json; charset=utf-8' };

/** The checks every request goes through, in order, and the shape of every answer. */
export function createEdge(options: EdgeOptions) {
  const { credentials, secrets, metrics, limits, allowedHosts, signInCommand, elapsed, report } = options;
  const guard = createGuard(allowedHosts);
  const checkRate = createRateLimiter(limits, elapsed);

  /** Never throws: every error becomes a response. */
  async function answer(
    inbound: InboundRequest,
    serve: MountedHandler,
    params: Record<string, string>,
  ): Promise<ResponseOrStream> {
    let result: ResponseOrStream | Refusal | InternalFault;
    try {
      result = guard(inbound) ?? (await serve(inbound, params));
    } catch (error) {
      result = refusalOf(error) ?? reportFault(error);
    }
    const response = typeof result === 'object' && 'refusal' in result ? refusalResponse(result) : result;
    metrics.countResponse(response === STREAMING ? 200 : response.status);
    return response;
  }

  function mount<Key extends RouteKey>(endpoint: Endpoint, handler: RouteHandler<Key>): MountedHandler {
    const serve = withChecks(endpoint, handler);
    if (endpoint.response !== 'text/html') return serve;
    return async (inbound, params) => {
      const result = await serve(inbound, params);
      if (!isRefusal(result) || !wantsHtml(inbound)) return result;
      const { refusal } = result;
      metrics.countRefusal(refusal.code);
      const page = refusalPage({ ...refusal, message: secrets.remove(refusal.message) }, endpoint.path, signInCommand);
      return { ...page, headers: { ...page.headers, ...refusalHeaders(refusal) } };
    };
  }

  function withChecks<Key extends RouteKey>(endpoint: Endpoint, handler: RouteHandler<Key>): MountedHandler {
    return async (inbound, params) => {
      // 1. Who is it, may they, and not too often?
      let session: AuthSession | undefined;
      if (endpoint.access !== 'open') {
        const pendingSession = authenticate(inbound);
        const sessionOrRefusal = pendingSession instanceof Promise ? await pendingSession : pendingSession;
        if (isRefusal(sessionOrRefusal)) return sessionOrRefusal;
        session = sessionOrRefusal;
        if (endpoint.access === 'human' && session.actor.kind !== 'human') return humansOnly(session.actor);
        const rateRefusal = checkRate(session.credential.id);
        if (rateRefusal) return rateRefusal;
        // Agents' requests wait in line, one per turn, so that they do not hold up everyone else (T23).
        if (session.actor.kind !== 'human') await waitInLine();
      }

      // 2. Does the input have the right shape? Not every store accepts a malformed id in a query.
      if (params.thread !== undefined && !isId(params.thread)) return unknownThread(params.thread);
      const query = endpoint.query && parseQuery(endpoint.query, inbound.search);
      if (isRefusal(query)) return query;
      let body: unknown;
      if (endpoint.body) {
        if (!isJson(inbound.header('content-type'))) return notJsonBody();
        const bytes = await inbound.body();
        const serverFields = endpoint.envelope && { thread: params.thread, from: session?.actor.id };
        // Where the thread's kind selects the body, the handler parses it.
        const schema = endpoint.bodyByKind ? anyBody : endpoint.body;
        body = isRefusal(bytes) ? bytes : parseBody(schema, bytes, serverFields);
        if (isRefusal(body)) return body;
        // Uploading a body takes time, and the credential may have ended meanwhile (I25).
        const recheck = session && (await authenticate(inbound));
        if (isRefusal(recheck)) return recheck;
      }

      if (endpoint.upload && inbound.header('content-type') !== endpoint.upload)
        return wrongUploadType(endpoint.upload);

      // 3. Then do it.
      const result = await handler({ inbound, params, query, body, session } as never as RouteCall<Key>);
      if (typeof result === 'object' || result === STREAMING) return result;
      return { status: endpoint.status, headers: JSON_HEADERS, body: result };
    };
  }

  function authenticate(inbound: InboundRequest): AuthSession | Refusal | Promise<AuthSession | Refusal> {
    const token = tokenOf(inbound);
    if (token === undefined) return missingCredential();
    const pendingCredential = credentials.find(token);
    if (!(pendingCredential instanceof Promise)) return sessionOf(token, pendingCredential);
    return pendingCredential.then((credential) => sessionOf(token, credential));
  }

  function refusalResponse({ refusal }: Refusal | InternalFault): HttpResponse {
    metrics.countRefusal(refusal.code);
    const isSignedOut = refusal.code === 'unauthenticated';
    const error = isSignedOut ? { ...refusal, sign_in: signInCommand } : refusal;
    const body = secrets.remove(JSON.stringify({ error }));
    return { status: statusByCode[refusal.code], headers: { ...JSON_HEADERS, ...refusalHeaders(refusal) }, body };
  }

  /** Handles an unexpected error: the caller learns that the request failed, the operator learns why. */
  function reportFault(error: unknown): InternalFault {
    report(faultLine(error));
    const message = 'The server had an internal error and stopped handling the request; see the server’s output.';
    return { refusal: { code: 'internal', message } };
  }

  return { answer, mount };
}

interface InternalFault {
  readonly refusal: { readonly code: 'internal'; readonly message: string };
}

function sessionOf(token: string, credential: Credential | undefined): AuthSession | Refusal {
  if (credential) return { token, credential, actor: { id: credential.participant, kind: credential.kind } };
  return unknownCredential();
}

function missingCredential(): Refusal {
  const message = 'A credential is needed: send "Authorization: Bearer TOKEN" ("heddle token" prints one).';
  return refuse('unauthenticated', message);
}

function humansOnly({ id }: Actor): Refusal {
  const message = `Only a human may do this, and ${id} is not one. Ask a human of this workspace.`;
  return refuse('forbidden', message, { participant: id });
}

function parseQuery(schema: NonNullable<Endpoint['query']>, search: string): unknown {
  // No store holds text with NUL (L15), and not every store accepts it in a query.
  if (search.includes('%00')) return refuse('unacceptable_text', 'The address contains a NUL character. Remove it.');
  const input = Object.fromEntries(new URLSearchParams(search));
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : malformedRefusal(parsed.error, input);
}

function parseBody(
  schema: NonNullable<Endpoint['body']>,
  bytes: Buffer,
  serverFields: Parameters<typeof normalizeEvent>[1] | undefined,
): unknown {
  const text = decodeBody(bytes);
  if (isRefusal(text)) return text;
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    return refuse('malformed', `The body is not JSON: ${(error as Error).message}.`);
  }
  if (serverFields) input = normalizeEvent(input, serverFields);
  if (isRefusal(input)) return input;
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : malformedRefusal(parsed.error, input);
}

function notJsonBody(): Refusal {
  return refuse('malformed', 'The body must be JSON: send it with "Content-Type: application/json".');
}

function wrongUploadType(upload: NonNullable<Endpoint['upload']>): Refusal {
  const what = upload === 'application/jsonl' ? 'JSON Lines' : 'the bytes of the file';
  return refuse('malformed', `The body must be ${what}: send it with "Content-Type: ${upload}".`);
}

function refusalHeaders(refusal: object & { readonly code: string }): Record<string, string> {
  return {
    ...(refusal.code === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
    ...('retry_after' in refusal && { 'retry-after': String(refusal.retry_after) }),
  };
}

function isJson(type: string | undefined): boolean {
  return type === 'application/json' || (type !== undefined && /^application\/json\s*(;|$)/i.test(type));
}
