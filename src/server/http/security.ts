import { type Refusal, refuse } from '../../core/refusal.ts';
import { SESSION_SECONDS } from '../../protocol/session-lifetime.ts';
import type { InboundRequest } from './request.ts';

/** For data: nothing in it may be executed, framed, sniffed, read by other sites or cached. */
export const DATA_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/**
 * For files that participants attach (I27): a browser may show a picture, but runs nothing, guesses nothing, and asks
 * again before it shows what it has kept.
 */
export const FILE_HEADERS = {
  ...DATA_HEADERS,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'cache-control': 'private, no-cache',
} as const;

const DOCUMENT_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

/** For the page: it may load only its own files. */
export const PAGE_HEADERS = {
  ...DOCUMENT_HEADERS,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

interface DocumentPolicy {
  readonly style?: string;
  readonly script?: string;
  /** The document has a form that submits to this server. */
  readonly form?: boolean;
}

/** Headers of a self-contained document, which allow its style and script by their hashes. */
export function documentHeaders({ style, script, form = false }: DocumentPolicy = {}) {
  const hashSource = (hash: string | undefined) => (hash === undefined ? "'none'" : `'sha256-${hash}'`);
  const sources = `style-src ${hashSource(style)}; script-src ${hashSource(script)}`;
  return {
    ...DOCUMENT_HEADERS,
    'content-security-policy': `default-src 'none'; ${sources}; base-uri 'none'; form-action ${form ? "'self'" : "'none'"}; frame-ancestors 'none'`,
    // Without a referrer a browser would not send the form's origin, and the guard would refuse it.
    ...(form && { 'referrer-policy': 'same-origin' }),
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
  };
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * A page of another site can make a browser send requests here, with DNS rebinding even under our own origin. Host is
 * the name the client used and Origin the page that asked: both are checked on every route (I17).
 */
export function createGuard(allowedHosts: readonly string[] = []) {
  const allowedNames = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const hostNamesByPort = new Map<number | undefined, ReadonlySet<string>>();

  return function check(inbound: InboundRequest): Refusal | undefined {
    const ambiguity = checkAmbiguity(inbound);
    if (ambiguity) return ambiguity;
    const name = inbound.host().toLowerCase();
    if (!isOwnHost(name, inbound)) {
      return refuse(
        'wrong_origin',
        `This server does not accept the host name "${printable(name)}". Use its own address, or restart it with "--allow-host NAME".`,
      );
    }
    const origin = inbound.header('origin');
    if (origin === undefined || origin === `http://${name}` || origin === `https://${name}`) return undefined;
    return refuse(
      'wrong_origin',
      `Pages from "${printable(origin)}" may not use this server. Open the server’s own page.`,
    );
  };

  /** Refuses requests that state a thing twice: a proxy in front of this server may have checked the other one. */
  function checkAmbiguity(inbound: InboundRequest): Refusal | undefined {
    if (!inbound.path.startsWith('/')) {
      return refuse('malformed', 'The request line contains a host. Send only a path, such as /api/threads.');
    }
    const repeatedHeader = inbound.repeatedHeader();
    if (repeatedHeader !== undefined) {
      return refuse(
        'malformed',
        `The header "${repeatedHeader}" was sent more than once. Nothing was done; send it once.`,
      );
    }
    const forwardedHost = inbound.header('x-forwarded-host');
    if (forwardedHost?.split(',').every((name) => isOwnHost(name.trim().toLowerCase(), inbound)) ?? true)
      return undefined;
    return refuse(
      'malformed',
      `A proxy forwarded the host name "${printable(forwardedHost as string)}", which this server does not accept. Restart the server with "--allow-host NAME".`,
    );
  }

  /**
   * Whether a host name is ours, allowed by the operator, or the bare address of the connection, which no other site
   * can claim.
   */
  function isOwnHost(name: string, inbound: InboundRequest): boolean {
    if (hostNamesAt(inbound.port).has(name)) return true;
    if (allowedNames.has(name) || allowedNames.has(withoutPort(name))) return true;
    if (inbound.port === undefined) return LOOPBACK.includes(withoutPort(name));
    return name === `${inbound.address()}:${inbound.port}`;
  }

  function hostNamesAt(port: number | undefined): ReadonlySet<string> {
    let hostNames = hostNamesByPort.get(port);
    if (!hostNames) {
      const suffixes = port === 80 || port === 443 ? ['', `:${port}`] : [`:${port}`];
      hostNames = new Set(LOOPBACK.flatMap((name) => suffixes.map((suffix) => name + suffix)));
      hostNamesByPort.set(port, hostNames);
    }
    return hostNames;
  }
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host) || host === '::1';
}

function withoutPort(name: string): string {
  return name.replace(/:\d+$/, '');
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
}

/** One cookie per port: browsers do not keep the cookies of two ports of a machine apart. */
function cookieName(host: string): string {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port ? `heddle_session_${port}` : 'heddle_session';
}

export function sessionCookie(host: string, token: string, secure: boolean): string {
  return `${cookieName(host)}=${token}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/** The token a request carries: in its header, or else in its cookie. */
export function tokenOf(inbound: InboundRequest): string | undefined {
  const authorization = inbound.header('authorization');
  if (authorization !== undefined) return authorization.startsWith('Bearer ') ? authorization.slice(7) : undefined;
  const prefix = `${cookieName(inbound.host())}=`;
  const cookies = inbound.header('cookie')?.split(';');
  const sessionPair = cookies?.find((cookie) => cookie.trimStart().startsWith(prefix));
  return sessionPair?.trim().slice(prefix.length);
}
