// A process that appends to a log through an engine of its own: `writer.ts FILE|URL THREAD COUNT NAME IN_FLIGHT`.
import { setTimeout as later } from 'node:timers/promises';
import { isRefusal } from '../../src/core/refusal.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';

const [place = '', thread = '', count = '0', name = '', inFlight = '1'] = process.argv.slice(2);
const log = place.startsWith('postgres:') ? await openPostgresLog(place) : openSqliteLog(place);
const engine = await createEngine({ log });
const refused: string[] = [];
let next = 0;

async function write() {
  while (next < Number(count)) {
    const content = `${name} ${next++}`;
    // A little chance, so that the commits of several processes fall between each other in every way.
    if (Math.random() < 0.02) await later(Math.random() * 5);
    await post(content);
  }
}

async function post(content: string) {
  for (;;) {
    const input = { thread, type: 'message' as const, content };
    const handled = await engine.handle({ id: name, kind: 'agent' }, { name: 'post', input }, content);
    if (!isRefusal(handled)) return;
    // After two seconds of losing to others it is told so, and sends it again with the same id (L6).
    if (handled.refusal.code === 'conflict') continue;
    refused.push(handled.refusal.code);
    return;
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, write));
console.log(JSON.stringify({ refused }));
await engine.close();
await log.close();
