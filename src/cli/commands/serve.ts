import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { basename } from 'node:path';
import { type Client, createClient } from '../../client/index.ts';
import { type RunningServer, removeServerFile, writeServerFile } from '../../workspace/server-file.ts';
import { openBrowser } from '../browser.ts';
import type { Cli } from '../cli.ts';
import { ensureToken } from '../connect.ts';
import { type Declare, examples } from '../declare.ts';
import { Failure, usage } from '../failure.ts';
import { logName, own } from '../own.ts';

interface Options {
  readonly port: string;
  readonly host: string;
  readonly open: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: boolean;
  readonly allowHost?: string[];
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

export const declare: Declare = (command, start) =>
  command
    .option('--port <n>', 'the port to listen on; 0 takes a free one', '4747')
    .option('--host <address>', 'the address to listen on; another than this machine itself needs https', '127.0.0.1')
    .option('--no-open', 'do not open the page in a browser')
    .option('--tls-cert <file>', 'a certificate for https (PEM), with --tls-key')
    .option('--tls-key <file>', 'its key (PEM)')
    .option('--behind-proxy', 'a proxy in front of this server takes care of https')
    .option('--allow-host <name...>', 'other names by which the server may be called, such as the one of the proxy')
    .addHelpText(
      'after',
      examples(
        'heddle',
        'heddle serve --port 0 --no-open --json',
        'heddle serve --database postgres://user:password@host/heddle',
        'heddle serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem',
      ),
    )
    .addHelpText('after', '\nCtrl-C stops it. What was begun goes on at the next start.')
    .action((options: Options) => serve(start(), options));

async function serve(cli: Cli, options: Options): Promise<void> {
  const where = whereOf(options);
  const stopped = untilStopped();
  const { log, settings, close } = await own(cli, alreadyServed);
  try {
    const server = await cli.host.openServer(log, {
      settings: cli.directory.settings,
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
        server.startWork();
        const page = pageOf(options, listening.url, where.isSecure);
        writeServerFile(cli.directory.server, { url: local.url, page, pid: process.pid, log: logName(cli) });
        await announce(cli, createClient({ url: page, token, fetch: server.fetch }), page, options);
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

async function announce(cli: Cli, client: Client, page: string, options: Options): Promise<void> {
  const { out, directory } = cli;
  if (out.json) return out.value({ url: page, workspace: directory.path, pid: process.pid });
  const link = await client.signInLink();
  const log = cli.database === undefined ? '' : ` on ${logName(cli)}`;
  out.line(`Heddle runs at ${page}\n`);
  out.line(`  ${out.colors.bold(link.url)}\n`);
  out.line(out.colors.dim('The link signs you in, once, within ten minutes; "heddle token --link" makes another.'));
  out.line(out.colors.dim(`The workspace is ${directory.path}${log}. Ctrl-C stops the server.`));
  if (options.open && !(await openBrowser((await client.signInLink()).url))) {
    out.line(out.colors.dim('No browser could be opened from here: open the link yourself.'));
  }
}

/** The address people use: every address of a machine is none, and a proxy has its own. */
function pageOf({ host, behindProxy, allowHost = [] }: Options, url: string, isSecure: boolean): string {
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

function whereOf({ host, port, tlsCert, tlsKey, behindProxy = false }: Options) {
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
function namesOf({ host, allowHost = [] }: Options): readonly string[] {
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
