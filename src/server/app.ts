import { refuse } from '../core/refusal.ts';
import { createModels, type Models } from '../engine/calls/models.ts';
import type { Engine } from '../engine/engine.ts';
import type { Embedder } from '../models/embedder.ts';
import { LEXICAL } from '../models/lexical-embedder.ts';
import { createRegistry } from '../models/registry/registry.ts';
import { type Endpoint, endpoints, pagePaths } from '../protocol/routes.ts';
import type { Credentials } from './auth/credentials.ts';
import { createEdge, type Handler, type Handlers, type Serve } from './http/edge.ts';
import { faultLine } from './http/errors.ts';
import { fetchOf } from './http/in-process.ts';
import { DEFAULT_LIMITS, type Limits } from './http/limits.ts';
import type { Answered, Inbound } from './http/request.ts';
import { createRouter } from './http/router.ts';
import { socketListener } from './http/socket.ts';
import { createPage } from './http/static.ts';
import { type AnswerMcp, createMcpHandler, mcpEndpoints } from './mcp.ts';
import { createMetrics } from './metrics/metrics.ts';
import { accessRoutes } from './routes/access.ts';
import { catchingUpHandlers } from './routes/catch-up.ts';
import { commandHandlers } from './routes/commands.ts';
import type { Parts } from './routes/context.ts';
import { dialogueHandlers } from './routes/dialogue.ts';
import { eventRoutes } from './routes/events.ts';
import { exchangeHandlers } from './routes/exchange.ts';
import { explainHandlers } from './routes/explain.ts';
import { loomHandlers } from './routes/loom.ts';
import { loomFileHandlers } from './routes/loom-files.ts';
import { keepRoutes } from './routes/maintenance.ts';
import { modelRoutes } from './routes/models.ts';
import { sampleHandlers } from './routes/sample.ts';
import { searchHandlers } from './routes/search.ts';
import { serviceRoutes } from './routes/service.ts';
import { threadRoutes } from './routes/threads.ts';
import { betweenHandlers } from './routes/transfer.ts';
import { createStreams } from './streams/sse.ts';
import { createActivity } from './threads/activity.ts';
import { createDeliveries } from './threads/deliveries.ts';

export interface AppOptions {
  readonly engine: Engine;
  readonly credentials: Credentials;
  /** Without any, only the embedded one. */
  readonly models?: Models;
  /** Without one, by the words that texts share. */
  readonly embedder?: Embedder;
  readonly version: string;
  /** What the workspace is called. */
  readonly workspace?: string;
  /** Where the built page is. */
  readonly page?: string;
  /** Names this server answers to besides the loopback ones, with or without a port. */
  readonly allowedHosts?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** The page is reached by https, so its cookie may travel no other way. */
  readonly secureCookies?: boolean;
  readonly report?: (text: string) => void;
  /** Answers MCP clients, with the means of this very server. */
  readonly mcp?: (fetch: (request: Request) => Promise<Response>) => { answer: AnswerMcp; close(): Promise<void> };
}

/** The whole server but its socket: `fetch` may as well be called within the process. */
export function createApp(options: AppOptions) {
  const { engine, credentials, version, workspace = '', allowedHosts = [], secureCookies = false } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { log, secrets } = engine;
  const models = options.models ?? createModels({ log, secrets, registry: createRegistry() });
  const embedder = options.embedder ?? { id: 'lexical', dimensions: 384, ...LEXICAL };
  const metrics = createMetrics();
  const streams = createStreams(engine, credentials, metrics);
  const activity = createActivity(engine);
  const deliveries = createDeliveries(engine);
  const page = createPage(options.page);
  const stop = new AbortController();
  const tell = options.report ?? ((text) => process.stderr.write(`${text}\n`));
  const report = (text: string) => tell(secrets.remove(text));
  const edge = createEdge({ credentials, secrets, metrics, limits, allowedHosts, report });
  const stopping = stop.signal;
  const parts: Parts = {
    engine,
    models,
    embedder,
    credentials,
    metrics,
    streams,
    activity,
    deliveries,
    limits,
    workspace,
    version,
    secureCookies,
    report,
    stopping,
  };
  const handlers: Handlers = {
    ...threadRoutes(parts),
    ...commandHandlers(parts),
    ...eventRoutes(parts),
    ...accessRoutes(parts),
    ...keepRoutes(parts),
    ...modelRoutes(parts),
    ...betweenHandlers(parts),
    ...catchingUpHandlers(parts),
    ...searchHandlers(parts),
    ...explainHandlers(parts),
    ...sampleHandlers(parts),
    ...dialogueHandlers(parts),
    ...exchangeHandlers(parts),
    ...loomHandlers(parts),
    ...loomFileHandlers(parts),
    ...serviceRoutes(parts),
  };

  const router = createRouter<Serve>();
  for (const endpoint of endpoints) {
    const handler = handlers[endpoint.key] as Handler<typeof endpoint.key>;
    router.mount(endpoint.method, endpoint.path, edge.mount(endpoint, handler));
  }
  const mcp = options.mcp?.((request) => fetch(request));
  for (const endpoint of mcp ? mcpEndpoints : []) {
    const handler = createMcpHandler((mcp as NonNullable<typeof mcp>).answer, credentials);
    router.mount(endpoint.method, endpoint.path, edge.mount(endpoint, handler as never));
  }
  for (const path of pagePaths) {
    router.mount('GET', path, async (inbound) => page.index(inbound.header('if-none-match')));
  }

  function answer(inbound: Inbound): Promise<Answered> {
    const found = router.match(inbound.method === 'HEAD' ? 'GET' : inbound.method, inbound.path);
    return edge.answer(inbound, found?.value ?? elsewhere, found?.params ?? {});
  }

  /** Files of the page; to a person who went astray the page itself, which says so. */
  async function elsewhere(inbound: Inbound) {
    const { method, path } = inbound;
    const file = method === 'GET' || method === 'HEAD' ? page.file(path, inbound.header('if-none-match')) : undefined;
    return file ?? (goesThere(inbound) ? page.nowhere() : undefined) ?? unknownRoute(method, path);
  }

  /** Ends streams and waits, so that the process can stop at once. */
  function close() {
    stop.abort();
    streams.close();
    activity.close();
    metrics.close();
    mcp?.close().catch((error) => report(faultLine(error)));
  }

  const fetch = fetchOf(answer);
  return {
    /** For Node's server. */
    listener: socketListener(answer, report),
    /** Within the process, with a whole request or an address of it. */
    fetch,
    request: (path: string, init?: RequestInit) => fetch(new Request(`http://localhost${path}`, init)),
    mounted: router.mounted,
    metrics,
    close,
  };
}

export type App = ReturnType<typeof createApp>;

/** A browser that goes to an address, and no program that asks for data or a part of a page. */
function goesThere(inbound: Inbound): boolean {
  const { method, path } = inbound;
  if ((method !== 'GET' && method !== 'HEAD') || /^\/(api|mcp|assets)(\/|$)/.test(path)) return false;
  const [accept = '', dest = 'document'] = [inbound.header('accept'), inbound.header('sec-fetch-dest')];
  return accept.includes('text/html') && dest === 'document';
}

function unknownRoute(method: string, path: string) {
  const others = endpoints.filter((endpoint) => matches(endpoint, path)).map((endpoint) => endpoint.method);
  const what =
    others.length > 0
      ? `This address takes ${others.join(' and ')}, not ${method}`
      : 'There is nothing at this address';
  return refuse('unknown_route', `${what}. /docs lists what there is.`);
}

function matches({ path }: Endpoint, asked: string): boolean {
  const [parts, given] = [path.split('/'), asked.split('/')];
  return (
    parts.length === given.length &&
    parts.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  );
}
