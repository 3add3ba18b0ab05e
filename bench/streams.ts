import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Server, startServer } from './child.ts';
import { postOne } from './load.ts';
import { type Figure, median, ratios } from './measure.ts';
import { withDirectory } from './scratch.ts';

const READERS = 100;
const POSTS = 300;
const SEEN = 300;

/** What one delivery to one of 100 readers costs, and how soon after its append an event is seen. */
export async function streams(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const ours = await startServer('bench/server.ts', [join(directory, 'ours.db')]);
    const floor = await startServer('bench/fan-out-server.ts', []);
    const delivery = await ratios(
      9,
      () => cpuPerDelivery(ours),
      () => cpuPerDelivery(floor),
    );
    const seen: number[] = [];
    for (let i = 0; i < 7; i++) seen.push(await seenAfter(ours));
    await ours.stop();
    await floor.stop();
    return [
      {
        name: `server CPU per stream delivery, ${READERS} clients ÷ bare fan-out`,
        goal: { atMost: 1.2 },
        values: delivery.ratios,
        note: `${delivery.ours.toFixed(1)} µs ÷ ${delivery.floor.toFixed(1)} µs, what ${READERS} readers add to ${POSTS} posts`,
      },
      {
        name: 'append → seen on a stream, p50 ÷ append p50',
        goal: { atMost: 1.3 },
        values: seen,
        note: `both over HTTP from another process, ${SEEN} appends a round`,
      },
    ];
  });
}

/** What the readers add: the same posts with and without them, so that storing (which the floor does not do) counts for neither. */
async function cpuPerDelivery(server: Server): Promise<number> {
  const alone = await cpuOfPosts(server, 0);
  const followed = await cpuOfPosts(server, READERS);
  return (followed - alone) / (POSTS * READERS);
}

async function cpuOfPosts(server: Server, count: number): Promise<number> {
  const readers = await Promise.all(Array.from({ length: count }, () => open(server)));
  const before = await server.used();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const all = Promise.all(readers.map((reader) => counted(reader, POSTS)));
  for (let i = 0; i < POSTS; i++) await postOne(server, agent);
  await all;
  const after = await server.used();
  agent.destroy();
  for (const reader of readers) reader.destroy();
  return after.cpuMicros - before.cpuMicros;
}

async function seenAfter(server: Server): Promise<number> {
  const reader = await open(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const appended: number[] = [];
  const seen: number[] = [];
  for (let i = 0; i < SEEN; i++) {
    const start = performance.now();
    const frame = counted(reader, 1).then(() => seen.push(performance.now() - start));
    await postOne(server, agent);
    appended.push(performance.now() - start);
    await frame;
  }
  agent.destroy();
  reader.destroy();
  return median(seen) / median(appended);
}

/** An open stream, live from now on. */
function open(server: Server): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = `/api/threads/${server.thread}/stream?after=head`;
    const headers = { authorization: `Bearer ${server.token}` };
    const asked = get({ host: '127.0.0.1', port: server.port, path, headers, agent: false }, (response) => {
      response.once('data', () => resolve(response));
    });
    asked.on('error', reject);
  });
}

/** Resolves when so many events have come. */
function counted(reader: IncomingMessage, wanted: number): Promise<void> {
  return new Promise((resolve) => {
    let events = 0;
    reader.on('data', function take(chunk: Buffer) {
      for (let at = chunk.indexOf('event: message'); at >= 0; at = chunk.indexOf('event: message', at + 1)) events++;
      if (events < wanted) return;
      reader.off('data', take);
      resolve();
    });
  });
}
