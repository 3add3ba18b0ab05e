import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** For a client that cannot send a credential: passes everything on with one, and otherwise as it came. */
export async function startAuthorizingProxy(target: string, token: string) {
  const { hostname, port, host } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    // Our own name stands for the server's; any other that a client calls it by stays what it is.
    const called = incoming.headers.host === own() ? host : (incoming.headers.host ?? host);
    const { origin } = incoming.headers;
    const from = origin === `http://${own()}` ? `http://${host}` : origin;
    const passed = request(
      {
        hostname,
        port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, host: called, ...(from && { origin: from }), authorization: `Bearer ${token}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  const own = () => `localhost:${(server.address() as AddressInfo).port}`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://${own()}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
