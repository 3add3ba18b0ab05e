import { connect, createServer, type Socket } from 'node:net';

export interface LossyProxy {
  readonly port: number;
  /** What is asked from now on is not answered: the first answer is swallowed and ends every connection. */
  loseNextAnswer(): void;
  /** Streams that are open carry nothing any more, and no one hears of it: as when a machine slept. Others end. */
  silenceStreams(): void;
  /** New connections are let through again. */
  heal(): void;
  close(): void;
}

/**
 * A stretch of network that can lose what comes back from a server, after the server has done its work. A page's server
 * answers to its own name only, which `isHttp` puts into requests.
 */
export async function lossyProxy(host: string, port: number, { isHttp = false } = {}): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  /** The near ends of all connections, those that carry a stream, and those that carry nothing any more. */
  const fronts = new Set<Socket>();
  const streams = new WeakSet<Socket>();
  const silent = new WeakSet<Socket>();
  let losing = false;
  const server = createServer((near) => {
    const far = connect(port, host);
    fronts.add(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        fronts.delete(near);
        near.destroy();
        far.destroy();
      });
    }
    let hasRequest = false;
    near.on('data', (data) => {
      hasRequest = losing;
      if (/^GET \/api\/(?:threads\/[^/]+\/)?stream/.test(data.toString('latin1'))) streams.add(near);
      if (!silent.has(near)) far.write(isHttp ? named(data) : data);
    });
    // News that come unasked, such as of an earlier append, are no answer.
    far.on('data', (data) => {
      if (silent.has(near)) return;
      if (!losing || !hasRequest) near.write(data);
      else dropAll();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const ownPort = (server.address() as { port: number }).port;

  function named(data: Buffer): Buffer {
    return Buffer.from(data.toString('latin1').replaceAll(`127.0.0.1:${ownPort}`, `${host}:${port}`), 'latin1');
  }

  function dropAll() {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: ownPort,
    loseNextAnswer: () => {
      losing = true;
    },
    silenceStreams: () => {
      for (const near of fronts) {
        if (streams.has(near)) silent.add(near);
        else near.destroy();
      }
    },
    heal: () => {
      losing = false;
    },
    close: () => {
      server.close();
      dropAll();
    },
  };
}
