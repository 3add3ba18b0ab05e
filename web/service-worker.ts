// Lets the page open without a server (I22): keeps its own files, and nothing that a server said about a workspace.

/** The part of a service worker's scope that is used here; its library of types does not go with that of the page. */
interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends LifeEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
declare const skipWaiting: () => Promise<void>;

/** The files that the page needs, and a name that changes with them. The build puts them in. */
declare const SHELL: { readonly version: string; readonly files: readonly string[] };

const { version, files } = SHELL;
const PREFIX = 'heddle.shell.';
const CACHE = PREFIX + version;
/** The page itself: the same for every address it can show. */
const PAGE = '/';
/** Addresses that a browser can visit and that are not the page. */
const OTHERS = /^\/(api|mcp|assets|signin|docs|dev|healthz|readyz|metrics|openapi\.json)(\/|$)/;
/** A connection that hangs is as good as none: after this time the kept page opens, and keeps trying by itself. */
const PATIENCE_MS = 5_000;

addEventListener('install', ((event: LifeEvent) => event.waitUntil(install())) as EventListener);
addEventListener('activate', ((event: LifeEvent) => event.waitUntil(removeOldBuilds())) as EventListener);
addEventListener('fetch', ((event: FetchEvent) => {
  const { method, url, mode } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin) return;
  if (mode === 'navigate' ? !OTHERS.test(pathname) : isKeptFile(pathname)) event.respondWith(fromServer(event.request));
  else if (pathname.startsWith('/assets/')) event.respondWith(fromCache(event.request));
}) as EventListener);

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(PAGE, { cache: 'reload' }), ...files]);
  await skipWaiting();
}

/** Tabs that still run the build before this one load the rest of it from its cache. */
async function removeOldBuilds(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  for (const name of others.slice(0, -1)) await caches.delete(name);
}

/** Icons and the like, which keep their name when they change. */
function isKeptFile(path: string): boolean {
  return !path.startsWith('/assets/') && files.includes(path);
}

/** From the server as long as it answers; else as it was. */
async function fromServer(request: Request): Promise<Response> {
  const answer = fetch(request);
  const kept = await caches.match(request.mode === 'navigate' ? PAGE : request, { cacheName: CACHE, ignoreVary: true });
  if (!kept) return answer;
  const patience = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS));
  return Promise.race([answer.then((response) => (isFromProxy(response) ? kept : response)), patience]).catch(
    () => kept,
  );
}

/** A file with a hash in its name never changes. */
async function fromCache(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** The proxy in front of a server that is away. All that Heddle says itself has this header. */
function isFromProxy({ status, headers }: Response): boolean {
  return status >= 502 && !headers.has('content-security-policy');
}
