import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Secrets } from '../../engine/secrets.ts';
import { turnInLine } from '../../engine/slices.ts';
import { type Credential, notKnown } from '../../log/credential.ts';
import type { Body, Endpoint, Params, Query, RouteKey, Routes } from '../../protocol/routes.ts';
import type { Credentials } from '../auth/credentials.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isId, unknownThread } from '../routes/context.ts';
import { plainEvent } from './envelope.ts';
import { faultLine, malformed, refusalOf, statusOf } from './errors.ts';
import { createBuckets, type Limits, textOf } from './limits.ts';
import { refusedPage, wantsPage } from './refusal-page.ts';
import { type Answered, type Inbound, type Reply, STREAMING } from './request.ts';
import { createGuard, DATA_HEADERS, tokenOf } from './security.ts';

export interface Session {
  readonly token: string;
  readonly credential: Credential;
  readonly actor: Actor;
}

/** A request after every check: whoever calls may, and what it sent has the right shape. */
export interface Call<Key extends RouteKey> {
  readonly inbound: Inbound;
  readonly params: Record<Params<Key>, string>;
  readonly query: Query<Key>;
  readonly body: Body<Key>;
  readonly session: Routes[Key]['access'] extends 'open' ? undefined : Session;
}

/** A handler answers with JSON text, or with all of a reply. */
type Handled = string | Answered | Refusal;
export type Handler<Key extends RouteKey> = (call: Call<Key>) => Handled | Promise<Handled>;
export type Handlers = { readonly [Key in RouteKey]: Handler<Key> };

/** What is mounted at an address. */
export type Serve = (inbound: Inbound, params: Record<string, string>) => Promise<Answered | Refusal>;

export interface EdgeParts {
  readonly credentials: Credentials;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly allowedHosts: readonly string[];
  /** Where faults are told; never to whoever asked. */
  report(text: string): void;
}

const JSON_HEADERS = { ...DATA_HEADERS, 'content-type': 'application/json; charset=utf-8' };

/** The checks every request goes through, in order, and the shape of every answer. */
export function createEdge({ credentials, secrets, metrics, limits, allowedHosts, report }: EdgeParts) {
  const guard = createGuard(allowedHosts);
  const take = createBuckets(limits);

  /** Never fails: whatever happens becomes an answer. */
  async function answer(inbound: Inbound, serve: Serve, params: Record<string, string>): Promise<Answered> {
    let answered: Answered | Refusal | Fault;
    try {
      answered = guard(inbound) ?? (await serve(inbound, params));
    } catch (error) {
      answered = refusalOf(error) ?? fault(error);
    }
    const reply = typeof answered === 'object' && 'refusal' in answered ? refused(answered) : answered;
    metrics.answered(reply === STREAMING ? 200 : reply.status);
    return reply;
  }

  function mount<Key extends RouteKey>(endpoint: Endpoint, handler: Handler<Key>): Serve {
    const serve = checked(endpoint, handler);
    if (endpoint.response !== 'text/html') return serve;
    return async (inbound, params) => {
      const answered = await serve(inbound, params);
      if (!isRefusal(answered) || !wantsPage(inbound)) return answered;
      const { refusal } = answered;
      metrics.refused(refusal.code);
      const page = refusedPage({ ...refusal, message: secrets.remove(refusal.message) }, endpoint.path);
      return { ...page, headers: { ...page.headers, ...refusalHeaders(refusal) } };
    };
  }

  function checked<Key extends RouteKey>(endpoint: Endpoint, handler: Handler<Key>): Serve {
    return async (inbound, params) => {
      // 1. Who is it, may they, and not too often?
      let session: Session | undefined;
      if (endpoint.access !== 'open') {
        const found = authenticate(inbound);
        const known = found instanceof Promise ? await found : found;
        if (isRefusal(known)) return known;
        session = known;
        if (endpoint.access === 'human' && session.actor.kind !== 'human') return humansOnly(session.actor);
        const tooMany = take(session.credential.id);
        if (tooMany) return tooMany;
        // Of what agents ask for at once, one thing is done in each turn of the others (T23).
        if (session.actor.kind !== 'human') await turnInLine();
      }

      // 2. Does what they sent have the right shape? Not every store can be asked for what is no id.
      if (params.thread !== undefined && !isId(params.thread)) return unknownThread(params.thread);
      const query = endpoint.query && parsedQuery(endpoint.query, inbound.search);
      if (isRefusal(query)) return query;
      let body: unknown;
      if (endpoint.body) {
        if (!isJson(inbound.header('content-type'))) return notJson();
        const bytes = await inbound.body();
        const truth = endpoint.envelope && { thread: params.thread, from: session?.actor.id };
        body = isRefusal(bytes) ? bytes : parsedBody(endpoint.body, bytes, truth);
        if (isRefusal(body)) return body;
        // A body may take its time, and its credential may have ended meanwhile (I25).
        const still = session && (await authenticate(inbound));
        if (isRefusal(still)) return still;
      }

      if (endpoint.upload && inbound.header('content-type') !== endpoint.upload) return notLines();

      // 3. Then do it.
      const handled = await handler({ inbound, params, query, body, session } as never as Call<Key>);
      if (typeof handled === 'object' || handled === STREAMING) return handled;
      return { status: endpoint.status, headers: JSON_HEADERS, body: handled };
    };
  }

  function authenticate(inbound: Inbound): Session | Refusal | Promise<Session | Refusal> {
    const token = tokenOf(inbound);
    if (token === undefined) return noCredential();
    const found = credentials.find(token);
    if (!(found instanceof Promise)) return sessionOf(token, found);
    return found.then((credential) => sessionOf(token, credential));
  }

  function refused({ refusal }: Refusal | Fault): Reply {
    metrics.refused(refusal.code);
    const body = secrets.remove(JSON.stringify({ error: refusal }));
    return { status: statusOf[refusal.code], headers: { ...JSON_HEADERS, ...refusalHeaders(refusal) }, body };
  }

  /** Nobody foresaw it: whoever asked learns that it failed, whoever runs the server learns why. */
  function fault(error: unknown): Fault {
    report(faultLine(error));
    const message = 'Something went wrong in the server; its own output says what. Nothing more was done.';
    return { refusal: { code: 'internal', message } };
  }

  return { answer, mount };
}

interface Fault {
  readonly refusal: { readonly code: 'internal'; readonly message: string };
}

function sessionOf(token: string, credential: Credential | undefined): Session | Refusal {
  if (credential) return { token, credential, actor: { id: credential.participant, kind: credential.kind } };
  return notKnown();
}

function noCredential(): Refusal {
  const message = 'A credential is needed: send "Authorization: Bearer TOKEN" ("heddle token" prints one).';
  return refuse('unauthenticated', message);
}

function humansOnly({ id }: Actor): Refusal {
  const message = `This needs a human's credential; ${id} has none. Ask a human of this workspace.`;
  return refuse('forbidden', message, { participant: id });
}

function parsedQuery(schema: NonNullable<Endpoint['query']>, search: string): unknown {
  // No store has a text with NUL (L15), and not every one can be asked for it.
  if (search.includes('%00'))
    return refuse('unacceptable_text', 'The address has a NUL character in it. Leave it out.');
  const input = Object.fromEntries(new URLSearchParams(search));
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : malformed(parsed.error, input);
}

function parsedBody(
  schema: NonNullable<Endpoint['body']>,
  bytes: Buffer,
  truth: Parameters<typeof plainEvent>[1] | undefined,
): unknown {
  const text = textOf(bytes);
  if (isRefusal(text)) return text;
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    return refuse('malformed', `The body is not JSON: ${(error as Error).message}.`);
  }
  if (truth) input = plainEvent(input, truth);
  if (isRefusal(input)) return input;
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : malformed(parsed.error, input);
}

function notJson(): Refusal {
  return refuse('malformed', 'The body must be JSON: send it with "Content-Type: application/json".');
}

function notLines(): Refusal {
  return refuse('malformed', 'The body must be JSON Lines: send it with "Content-Type: application/jsonl".');
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
