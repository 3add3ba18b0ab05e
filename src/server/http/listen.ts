import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { App } from '../app.ts';
import { isLoopback } from './security.ts';

export interface ServerListenOptions {
  readonly app: Pick<App, 'listener' | 'close'>;
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** A proxy in front of this server handles https. */
  readonly behindProxy?: boolean;
}

export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  /** Stops accepting requests, ends streams, and resolves after the last response is sent. */
  close(): Promise<void>;
}

/** The server cannot listen; the message says why and what to do. */
export class ListenError extends Error {}

const DRAIN_TIMEOUT_MS = 3_000;
const KEEP_ALIVE_MS = 60_000;

export async function listen({
  app,
  host = '127.0.0.1',
  port = 4747,
  tls,
  behindProxy,
}: ServerListenOptions): Promise<ListeningServer> {
  if (!isLoopback(host) && !tls && !behindProxy) {
    throw new ListenError(
      `Listening on ${host} would send tokens unencrypted. Give a certificate, or declare a proxy that handles https.`,
    );
  }
  const server = tls ? openTlsServer(tls, app) : createServer(app.listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  const boundPort = await bindPort(server as Server, host, port);
  const hostName = host.includes(':') ? `[${host}]` : host;
  return {
    url: `${tls ? 'https' : 'http'}://${hostName}:${boundPort}`,
    port: boundPort,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        app.close();
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref();
      }),
  };
}

function openTlsServer(tls: NonNullable<ServerListenOptions['tls']>, app: ServerListenOptions['app']) {
  try {
    return createTlsServer(tls, app.listener);
  } catch (error) {
    const reason = (error as Error).message.replace(/^error:[^:]*:/, '');
    throw new ListenError(
      `The certificate or its key cannot be used (${reason}). Both must be PEM files, and belong together.`,
    );
  }
}

function bindPort(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ListenError(explainListenError(error, host, port), { cause: error })),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use, perhaps by another Heddle. Stop that one, or choose another with "--port N" (0 chooses a free one).`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose one above 1023 with "--port N".`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Leave out "--host" to listen on 127.0.0.1.`;
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}.`;
  }
}
