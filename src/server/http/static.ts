import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sha256 } from '../../log/seal.ts';
import type { HttpResponse } from './request.ts';
import { PAGE_HEADERS } from './security.ts';

interface StaticFile {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
  /** The same for a browser that takes it compressed; made when it is first asked for. */
  gzipped?: Buffer;
}

/** What a browser has, and what it takes. */
interface PageRequest {
  readonly ifNoneMatch?: string | undefined;
  readonly acceptEncoding?: string | undefined;
}

/** Fonts and pictures are compressed by themselves. */
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.json', '.svg', '.webmanifest', '.txt']);

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

/** The built page, cached in memory and reloaded after a new build. */
export function createPageFiles(directory: string | undefined) {
  let files: ReadonlyMap<string, StaticFile> = new Map();
  let filesModifiedAt = 0;

  /** `path` is a URL path such as `/assets/main-1a2b.js` or `/dev/ui`; undefined if there is no such file. */
  function serve(path: string, { ifNoneMatch, acceptEncoding = '' }: PageRequest = {}): HttpResponse | undefined {
    refresh();
    const file = files.get(path) ?? files.get(`${path}.html`);
    if (!file) return undefined;
    if (ifNoneMatch !== undefined && ifNoneMatch === file.headers.etag) {
      return { status: 304, headers: file.headers, body: '' };
    }
    if (file.headers.vary === undefined || !/\bgzip\b/.test(acceptEncoding)) {
      return { status: 200, headers: file.headers, body: file.body };
    }
    file.gzipped ??= gzipSync(file.body, { level: 9 });
    return { status: 200, headers: { ...file.headers, 'content-encoding': 'gzip' }, body: file.gzipped };
  }

  function refresh() {
    if (directory === undefined) return;
    const modifiedAt = statSync(join(directory, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (modifiedAt === filesModifiedAt) return;
    files = modifiedAt === 0 ? new Map() : readFiles(directory);
    filesModifiedAt = modifiedAt;
  }

  return {
    file: serve,
    /** The page itself, for every path it can show. */
    index: (request: PageRequest) => serve('/index.html', request) ?? notBuiltPage(),
    /** The page for an unknown path, which tells the reader so. Undefined while the page is not built. */
    notFound(): HttpResponse | undefined {
      const index = serve('/index.html');
      const { etag: _, ...headers } = index?.headers ?? {};
      return index && { status: 404, headers: { ...headers, 'cache-control': 'no-store' }, body: index.body };
    },
  };
}

function readFiles(directory: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const address = path.slice(directory.length).split(sep).join('/');
    files.set(address.startsWith('/') ? address : `/${address}`, fileOf(address, readFileSync(path)));
  }
  return files;
}

function fileOf(address: string, body: Buffer): StaticFile {
  // Files under assets/ have a content hash in their name, so they never change.
  const isImmutable = /(^|\/)assets\//.test(address);
  return {
    body,
    headers: {
      ...PAGE_HEADERS,
      'content-type': MIME_TYPES[extname(address)] ?? 'application/octet-stream',
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      // Weak: the same for what is sent compressed.
      etag: `W/"${sha256(body).slice(0, 32)}"`,
      ...(COMPRESSIBLE.has(extname(address)) && { vary: 'accept-encoding' }),
    },
  };
}

const NOT_BUILT_HTML =
  '<!doctype html><meta charset="utf-8"><title>Heddle</title>' +
  '<p>The page is not built yet: run <code>npm run build</code>, then load this again. The API works without it.</p>\n';

function notBuiltPage(): HttpResponse {
  const headers = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 503, headers, body: NOT_BUILT_HTML };
}
