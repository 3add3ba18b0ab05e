import { join } from 'node:path';
import { type Server, startServer } from './child.ts';
import { post } from './load.ts';
import { type Figure, ratios } from './measure.ts';
import { withDirectory } from './scratch.ts';

const REQUESTS = 6_000;
const WRITERS = 32;

/** What the server's processor does for one durable message over HTTP, 32 clients at once. */
export async function httpAppend(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const ours = await startServer('bench/server.ts', [join(directory, 'ours.db')]);
    const floor = await startServer('bench/floor-server.ts', [join(directory, 'floor.db')]);
    const syncs: number[] = [];
    const cpu = (server: Server) => async () => {
      const before = await server.used();
      await post(server, REQUESTS, WRITERS);
      const after = await server.used();
      if (server === ours) syncs.push((after.syncs - before.syncs) / (after.events - before.events));
      return (after.cpuMicros - before.cpuMicros) / REQUESTS;
    };
    const run = await ratios(11, cpu(ours), cpu(floor));
    await ours.stop();
    await floor.stop();
    return [
      {
        name: 'server CPU per durable HTTP append ÷ bare node:http + JSON.parse + the same grouped insert',
        goal: { atMost: 1.33 },
        values: run.ratios,
        note: `${run.ours.toFixed(1)} µs ÷ ${run.floor.toFixed(1)} µs, ${WRITERS} writers, ${REQUESTS} requests a round`,
      },
      {
        name: `fsyncs per acknowledged append, ${WRITERS} writers`,
        goal: { atMost: 1 / 8 },
        values: syncs,
        note: 'commits that waited for the disk ÷ events stored, as the store counts them',
      },
    ];
  });
}
