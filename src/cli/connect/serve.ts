import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { basename } from 'node:path';
import { type Client, createClient } from '../../client/index.ts';
import { dataDirectoryOf } from '../../workspace/directory.ts';
import { type RunningServer, removeServerFile, writeServerFile } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { Failure, usageError } from '../failure.ts';
import { withCommandPrefix, workspaceOption } from '../output/hints.ts';
import { ensureToken } from './client.ts';
import { logName, ownWorkspace } from './workspace.ts';

export interface ServeOptions {
  readonly port: string;
  readonly host: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: boolean;
  readonly allowHost?: string[];
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/** Serves the workspace until Ctrl-C. Calls `onReady` once the server answers at the address `page`. */
export async function serve(
  cli: Cli,
  options: ServeOptions,
  onReady: (client: Client, page: string) => Promise<void>,
): Promise<void> {
  const address = listenOptionsOf(options);
  const stopRequest = waitForStop();
  const { log, settings, close } = await ownWorkspace(cli, alreadyServedFailure);
  let publicAddress: string | undefined;
  try {
    const server = await cli.host.openServer(log, {
      settings: cli.directory.settings,
      tokenKey: cli.directory.tokenKey,
      limits: settings.limits,
      allowedHosts: allowedHostsOf(options),
      secureCookies: address.isSecure,
      publicAddress: () => publicAddress,
      workspace: basename(cli.directory.path),
      signInCommand: signInCommandFor(cli, options),
      isShared: cli.database !== undefined,
    });
    try {
      const token = await ensureToken(cli, server.credentials, settings.person.id);
      const listener = await server.listen(address);
      const localListener = address.isSecure ? await server.listen({ host: '127.0.0.1', port: 0 }) : listener;
      try {
        server.startWork(createIndexNotes(cli));
        const page = pageUrlOf(options, listener.url, address.isSecure);
        if (!isLoopbackUrl(page)) publicAddress = page;
        writeServerFile(cli.directory.server, { url: localListener.url, page, pid: process.pid, log: logName(cli) });
        await onReady(createClient({ url: page, token, fetch: server.fetch }), page);
        await stopRequest;
        cli.out.note('Stopping …');
      } finally {
        removeServerFile(cli.directory.server, process.pid);
        await Promise.all([listener.close(), localListener.close()]);
      }
    } finally {
      await server.close();
    }
  } finally {
    await close();
  }
}

const FIRST_NOTE_MS = 1_000;
const NOTE_EVERY_MS = 10_000;

/** Reports progress now and then while a long thread list from an earlier version is upgraded. */
function createIndexNotes({ out }: Cli): (threads: number, total: number) => void {
  let next = performance.now() + FIRST_NOTE_MS;
  return (threads, total) => {
    if (performance.now() < next || threads === total) return;
    next = performance.now() + NOTE_EVERY_MS;
    const [done, all] = [threads, total].map((count) => count.toLocaleString('en'));
    out.note(`Updating the list of threads from an earlier version: ${done} of ${all}.`);
  };
}

/** The address for people. A wildcard such as 0.0.0.0 is not one, and a proxy has its own. */
function pageUrlOf({ host, behindProxy, allowHost = [] }: ServeOptions, url: string, isSecure: boolean): string {
  const [name] = allowHost;
  if (behindProxy) return name ? `https://${name}` : url;
  const { port } = new URL(url);
  if (host !== '0.0.0.0' && host !== '::') return url;
  return `${isSecure ? 'https' : 'http'}://${name ?? hostname()}:${port}`;
}

function isLoopbackUrl(url: string): boolean {
  return LOOPBACK.includes(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

/** As it works in any terminal of this machine. Other machines are not shown where the workspace is. */
function signInCommandFor({ directory }: Cli, { host, behindProxy }: ServeOptions): string {
  const isUsual = directory.path === dataDirectoryOf(process.env, process.platform);
  const isNamed = !isUsual && LOOPBACK.includes(host) && !behindProxy;
  return withCommandPrefix('heddle token --link', { workspace: isNamed ? workspaceOption(directory.path) : '' });
}

function alreadyServedFailure({ page, pid }: RunningServer): Failure {
  return new Failure(
    'already_running',
    `A server is already running for this workspace at ${page} (process ${pid}). Use it ("heddle token --link" prints a sign-in link), or stop it first.`,
  );
}

function listenOptionsOf({ host, port, tlsCert, tlsKey, behindProxy = false }: ServeOptions) {
  const number = Number(port);
  if (!/^\d+$/.test(port) || number > 65535)
    throw usageError(`"--port ${port}" is not a port: use a number up to 65535, or 0 to choose a free one.`);
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw usageError('--tls-cert and --tls-key go together.');
  const isLocal = LOOPBACK.includes(host);
  if (!isLocal && tlsCert === undefined && !behindProxy) {
    throw usageError(
      `Listening on ${host} lets other machines connect, and tokens must not travel unencrypted: add --tls-cert and --tls-key, or --behind-proxy if a proxy handles https.`,
    );
  }
  const tls =
    tlsCert && tlsKey ? { cert: readFileSync(tlsCert, 'utf8'), key: readFileSync(tlsKey, 'utf8') } : undefined;
  return { host, port: number, behindProxy, isSecure: tls !== undefined || behindProxy, ...(tls && { tls }) };
}

/** A server that listens on all addresses accepts each of them as the host name. */
function allowedHostsOf({ host, allowHost = [] }: ServeOptions): readonly string[] {
  // The server always accepts loopback names, and only with its own port.
  if (LOOPBACK.includes(host)) return allowHost;
  if (host !== '0.0.0.0' && host !== '::') return [host, ...allowHost];
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [
    hostname(),
    ...addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
    ...allowHost,
  ];
}

const IMPATIENT_MS = 500;

/** The first signal shuts down cleanly, a later one at once. One Ctrl-C may arrive twice: from the terminal and npm. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const stop = () => {
      first ??= performance.now();
      if (performance.now() - first > IMPATIENT_MS) process.exit(1);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  });
}
