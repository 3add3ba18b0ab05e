import { connect, createServer, type Socket } from 'node:net';

export interface LossyProxy {
  readonly port: number;
  /** What is asked from now on is not answered: the first answer is swallowed and ends every connection. */
  loseNextAnswer(): void;
  /** New connections are let through again. */
  heal(): void;
  close(): void;
}

/** A stretch of network that can lose what comes back from a server, after the server has done its work. */
export async function lossyProxy(host: string, port: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  let losing = false;
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    let hasRequest = false;
    near.on('data', (data) => {
      hasRequest = losing;
      far.write(data);
    });
    // News that come unasked, such as of an earlier append, are no answer.
    far.on('data', (data) => {
      if (!losing || !hasRequest) return near.write(data);
      return dropAll();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function dropAll() {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: (server.address() as { port: number }).port,
    loseNextAnswer: () => {
      losing = true;
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
