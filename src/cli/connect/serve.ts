import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { basename } from 'node:path';
import { type Client, createClient } from '../../client/index.ts';
import { type RunningServer, removeServerFile, writeServerFile } from '../../workspace/server-file.ts';
import type { Cli } from '../cli.ts';
import { Failure, usage } from '../failure.ts';
import { ensureToken } from './client.ts';
import { logName, own } from './workspace.ts';

export interface Serving {
  readonly port: string;
  readonly host: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: boolean;
  readonly allowHost?: string[];
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/** Serves the workspace until Ctrl-C; `ready` is called once it answers at the address `page`. */
export async function serve(
  cli: Cli,
  options: Serving,
  ready: (client: Client, page: string) => Promise<void>,
): Promise<void> {
  const where = whereOf(options);
  const stopped = untilStopped();
  const { log, settings, close } = await own(cli, alreadyServed);
  try {
    const server = await cli.host.openServer(log, {
      settings: cli.directory.settings,
      tokenKey: cli.directory.tokenKey,
      limits: settings.limits,
      allowedHosts: namesOf(options),
      secureCookies: where.isSecure,
      workspace: basename(cli.directory.path),
    });
    try {
      const token = await ensureToken(cli, server.credentials, settings.person.id);
      const listening = await server.listen(where);
      const local = where.isSecure ? await server.listen({ host: '127.0.0.1', port: 0 }) : listening;
      try {
        server.startWork(rowsTold(cli));
        const page = pageOf(options, listening.url, where.isSecure);
        writeServerFile(cli.directory.server, { url: local.url, page, pid: process.pid, log: logName(cli) });
        await ready(createClient({ url: page, token, fetch: server.fetch }), page);
        await stopped;
        cli.out.note('Stopping …');
      } finally {
        removeServerFile(cli.directory.server, process.pid);
        await Promise.all([listening.close(), local.close()]);
      }
    } finally {
      await server.close();
    }
  } finally {
    await close();
  }
}

const FIRST_TOLD_MS = 1_000;
const TOLD_EVERY_MS = 10_000;

/** The list of threads is of an earlier version, and there are many: said now and then while it is brought up to date. */
function rowsTold({ out }: Cli): (threads: number, total: number) => void {
  let next = performance.now() + FIRST_TOLD_MS;
  return (threads, total) => {
    if (performance.now() < next || threads === total) return;
    next = performance.now() + TOLD_EVERY_MS;
    const [done, all] = [threads, total].map((count) => count.toLocaleString('en'));
    out.note(`Made by an earlier version, the list of threads is brought up to date: ${done} of ${all}.`);
  };
}

/** The address people use: every address of a machine is none, and a proxy has its own. */
function pageOf({ host, behindProxy, allowHost = [] }: Serving, url: string, isSecure: boolean): string {
  const [name] = allowHost;
  if (behindProxy) return name ? `https://${name}` : url;
  const { port } = new URL(url);
  if (host !== '0.0.0.0' && host !== '::') return url;
  return `${isSecure ? 'https' : 'http'}://${name ?? hostname()}:${port}`;
}

function alreadyServed({ page, pid }: RunningServer): Failure {
  return new Failure(
    'already_running',
    `This workspace is served already, at ${page} (process ${pid}). Use that one ("heddle token --link" prints a sign-in link), or stop it first.`,
  );
}

function whereOf({ host, port, tlsCert, tlsKey, behindProxy = false }: Serving) {
  const number = Number(port);
  if (!/^\d+$/.test(port) || number > 65535)
    throw usage(`"--port ${port}" is not a port: use a number up to 65535, or 0 for a free one.`);
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw usage('--tls-cert and --tls-key go together.');
  const isLocal = LOOPBACK.includes(host);
  if (!isLocal && tlsCert === undefined && !behindProxy) {
    throw usage(
      `Listening on ${host} lets other machines in, and their tokens must not travel in the clear: add --tls-cert and --tls-key, or --behind-proxy if a proxy takes care of https.`,
    );
  }
  const tls =
    tlsCert && tlsKey ? { cert: readFileSync(tlsCert, 'utf8'), key: readFileSync(tlsKey, 'utf8') } : undefined;
  return { host, port: number, behindProxy, isSecure: tls !== undefined || behindProxy, ...(tls && { tls }) };
}

/** A server on every address of this machine may be called by any of them. */
function namesOf({ host, allowHost = [] }: Serving): readonly string[] {
  // The server answers to these by itself, and then only with its own port.
  if (LOOPBACK.includes(host)) return allowHost;
  if (host !== '0.0.0.0' && host !== '::') return [host, ...allowHost];
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [
    hostname(),
    ...own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
    ...allowHost,
  ];
}

const IMPATIENT_MS = 500;

/** The first signal stops in order, a later one at once. One Ctrl-C may come twice: from the terminal, and through npm. */
function untilStopped(): Promise<void> {
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
