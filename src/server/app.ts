import { refuse } from '../core/refusal.ts';
import { createModels, type Models } from '../engine/calls/models.ts';
import type { Engine } from '../engine/engine.ts';
import type { Embedder } from '../models/embedder.ts';
import { LEXICAL } from '../models/lexical-embedder.ts';
import { createRegistry } from '../models/registry/registry.ts';
import { endpoints, pagePaths } from '../protocol/routes.ts';
import type { Credentials } from './auth/credentials.ts';
import { createEdge, type MountedHandler, type RouteHandler, type RouteHandlers } from './http/edge.ts';
import { faultLine } from './http/errors.ts';
import { createFetch } from './http/in-process.ts';
import { DEFAULT_LIMITS, type ServerLimits } from './http/limits.ts';
import type { InboundRequest, ResponseOrStream } from './http/request.ts';
import { createRouter } from './http/router.ts';
import { socketListener } from './http/socket.ts';
import { createPageFiles } from './http/static.ts';
import { createMcpHandler, type McpResponder, mcpEndpoints } from './mcp.ts';
import { createMetrics } from './metrics/metrics.ts';
import { accessHandlers } from './routes/access.ts';
import { blobHandlers } from './routes/blobs.ts';
import { catchUpHandlers } from './routes/catch-up.ts';
import { commandHandlers } from './routes/commands.ts';
import type { RouteContext } from './routes/context.ts';
import { dialogueHandlers } from './routes/dialogue.ts';
import { eventHandlers } from './routes/events.ts';
import { exchangeHandlers } from './routes/exchange.ts';
import { explainHandlers } from './routes/explain.ts';
import { loomHandlers } from './routes/loom.ts';
import { loomFileHandlers } from './routes/loom-files.ts';
import { maintenanceHandlers } from './routes/maintenance.ts';
import { modelHandlers } from './routes/models.ts';
import { peopleHandlers } from './routes/people.ts';
import { pinHandlers } from './routes/pins.ts';
import { sampleHandlers } from './routes/sample.ts';
import { searchHandlers } from './routes/search.ts';
import { serviceHandlers } from './routes/service.ts';
import { snippetHandlers } from './routes/snippets.ts';
import { threadHandlers } from './routes/threads.ts';
import { transferHandlers } from './routes/transfer.ts';
import { versionHandlers } from './routes/versions.ts';
import { createStreams } from './streams/sse.ts';
import { createActivity } from './threads/activity.ts';
import { createDeliveries } from './threads/deliveries.ts';

export interface AppOptions {
  readonly engine: Engine;
  readonly credentials: Credentials;
  /** Default: only the embedded model. */
  readonly models?: Models;
  /** Default: texts are compared by the words they share. */
  readonly embedder?: Embedder;
  readonly version: string;
  readonly workspace?: string;
  /** The command that prints a sign-in link, as it works where this server runs. */
  readonly signInCommand?: string;
  readonly page?: string;
  /** Host names this server accepts besides the loopback ones, with or without a port. */
  readonly allowedHosts?: readonly string[];
  readonly limits?: Partial<ServerLimits>;
  /** Milliseconds from a monotonic clock, for the rate limit. */
  readonly elapsed?: () => number;
  /** Whether any server works on this log; a run that nobody works on is shown as interrupted. Default: yes. */
  readonly isServed?: () => boolean;
  /** The page is served over https, so its cookie is sent only over https. */
  readonly secureCookies?: boolean;
  /** Where other devices reach this server, once it listens; undefined if only this machine does. */
  readonly publicAddress?: (() => string | undefined) | undefined;
  readonly report?: (text: string) => void;
  /** Creates the handler for MCP clients, which calls this server's own `fetch`. */
  readonly mcp?: (fetch: (request: Request) => Promise<Response>) => { answer: McpResponder; close(): Promise<void> };
}

/** The whole server without its socket; `fetch` also works within the process. */
export function createApp(options: AppOptions) {
  const { engine, credentials, version, workspace = '', allowedHosts = [], secureCookies = false } = options;
  const { signInCommand = 'heddle token --link', elapsed = () => performance.now() } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { log, secrets } = engine;
  const models = options.models ?? createModels({ log, secrets, registry: createRegistry() });
  const embedder = options.embedder ?? { id: 'lexical', dimensions: 384, ...LEXICAL };
  const metrics = createMetrics();
  const streams = createStreams(engine, credentials, metrics);
  const activity = createActivity(engine);
  const deliveries = createDeliveries(engine);
  const page = createPageFiles(options.page);
  const shutdown = new AbortController();
  const writeReport = options.report ?? ((text) => process.stderr.write(`${text}\n`));
  const report = (text: string) => writeReport(secrets.remove(text));
  const edge = createEdge({ credentials, secrets, metrics, limits, allowedHosts, signInCommand, elapsed, report });
  const stopping = shutdown.signal;
  const context: RouteContext = {
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
    publicAddress: options.publicAddress ?? (() => undefined),
    signInCommand,
    isServed: options.isServed ?? (() => true),
    report,
    stopping,
  };
  const handlers: RouteHandlers = {
    ...threadHandlers(context),
    ...commandHandlers(context),
    ...eventHandlers(context),
    ...accessHandlers(context),
    ...blobHandlers(context),
    ...maintenanceHandlers(context),
    ...modelHandlers(context),
    ...transferHandlers(context),
    ...catchUpHandlers(context),
    ...pinHandlers(context),
    ...peopleHandlers(context),
    ...versionHandlers(context),
    ...snippetHandlers(context),
    ...searchHandlers(context),
    ...explainHandlers(context),
    ...sampleHandlers(context),
    ...dialogueHandlers(context),
    ...exchangeHandlers(context),
    ...loomHandlers(context),
    ...loomFileHandlers(context),
    ...serviceHandlers(context),
  };

  const router = createRouter<MountedHandler>();
  for (const endpoint of endpoints) {
    const handler = handlers[endpoint.key] as RouteHandler<typeof endpoint.key>;
    router.mount(endpoint.method, endpoint.path, edge.mount(endpoint, handler));
  }
  const mcpResponder = options.mcp?.((request) => fetch(request));
  for (const endpoint of mcpResponder ? mcpEndpoints : []) {
    const handler = createMcpHandler((mcpResponder as NonNullable<typeof mcpResponder>).answer, credentials);
    router.mount(endpoint.method, endpoint.path, edge.mount(endpoint, handler as never));
  }
  for (const path of pagePaths) {
    router.mount('GET', path, async (inbound) => page.index(whatItTakes(inbound)));
  }

  function answer(inbound: InboundRequest): Promise<ResponseOrStream> {
    const match = router.match(inbound.method === 'HEAD' ? 'GET' : inbound.method, inbound.path);
    return edge.answer(inbound, match?.value ?? serveOther, match?.params ?? {});
  }

  /** Serves the page's files. A person who opened an unknown path gets the page itself, which says so. */
  async function serveOther(inbound: InboundRequest) {
    const { method, path } = inbound;
    const file = method === 'GET' || method === 'HEAD' ? page.file(path, whatItTakes(inbound)) : undefined;
    return file ?? (isPageVisit(inbound) ? page.notFound() : undefined) ?? unknownRoute(method, router.methodsAt(path));
  }

  /** Ends all streams and pending waits, so that the process can stop at once. */
  function close() {
    shutdown.abort();
    streams.close();
    activity.close();
    metrics.close();
    mcpResponder?.close().catch((error) => report(faultLine(error)));
  }

  const fetch = createFetch(answer);
  return {
    listener: socketListener(answer, report),
    /** For calls within the process, with a whole request or just a path. */
    fetch,
    request: (path: string, init?: RequestInit) => fetch(new Request(`http://localhost${path}`, init)),
    mountedRoutes: router.mountedRoutes,
    metrics,
    close,
  };
}

export type App = ReturnType<typeof createApp>;

/** Whether a browser is opening a page, as opposed to a program that fetches data or a part of a page. */
function isPageVisit(inbound: InboundRequest): boolean {
  const { method, path } = inbound;
  if ((method !== 'GET' && method !== 'HEAD') || /^\/(api|mcp|assets)(\/|$)/.test(path)) return false;
  const [accept = '', dest = 'document'] = [inbound.header('accept'), inbound.header('sec-fetch-dest')];
  return accept.includes('text/html') && dest === 'document';
}

function unknownRoute(method: string, otherMethods: readonly string[]) {
  const problem =
    otherMethods.length > 0
      ? `This address accepts ${otherMethods.join(' and ')}, not ${method}`
      : 'There is nothing at this address';
  return refuse('unknown_route', `${problem}. /docs lists all addresses.`);
}

function whatItTakes(inbound: InboundRequest) {
  return { ifNoneMatch: inbound.header('if-none-match'), acceptEncoding: inbound.header('accept-encoding') };
}
