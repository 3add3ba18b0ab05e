import { Agent, request } from 'node:http';
import type { Address } from './child.ts';
import { TEXT } from './scratch.ts';

const BODY = JSON.stringify({ type: 'message', content: TEXT });
let keys = 0;

/** Posts `total` messages over `writers` connections kept open, each waiting for its answer. */
export async function post(server: Address, total: number, writers: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: writers });
  const times: number[] = [];
  let left = total;
  async function write() {
    while (left-- > 0) {
      const start = performance.now();
      await postOne(server, agent);
      times.push(performance.now() - start);
    }
  }
  await Promise.all(Array.from({ length: writers }, write));
  agent.destroy();
  return times;
}

export function postOne(server: Address, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port: server.port,
        method: 'POST',
        path: `/api/threads/${server.thread}/events`,
        headers: {
          authorization: `Bearer ${server.token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(BODY),
          'idempotency-key': `bench-${process.pid}-${++keys}`,
        },
      },
      (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 201 ? resolve() : reject(new Error(`${response.statusCode}`)),
        );
      },
    );
    sent.on('error', reject);
    sent.end(BODY);
  });
}
