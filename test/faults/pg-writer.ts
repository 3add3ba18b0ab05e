// A server's share of the PostgreSQL rig: `pg-writer.ts URL THREAD COUNT NAME WRITERS`.
import { setTimeout as later } from 'node:timers/promises';
import { isRefusal } from '../../src/core/refusal.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { openPostgresLog } from '../../src/log/postgres.ts';

const [url = '', thread = '', count = '0', name = '', writers = '1'] = process.argv.slice(2);
const log = await openPostgresLog(url);
const engine = await createEngine({ log });
const refused: string[] = [];
let next = 0;

async function write() {
  while (next < Number(count)) {
    const content = `${name} ${next++}`;
    // The delay comes from the writer: it spreads commits of several servers over each other at random.
    if (Math.random() < 0.02) await later(Math.random() * 5);
    const input = { thread, type: 'message' as const, content };
    for (;;) {
      const handled = await engine.handle({ id: name, kind: 'agent' }, { name: 'post', input }, content);
      if (!isRefusal(handled)) break;
      // After two seconds of losing to others it is told so, and sends it again with the same id (L6).
      if (handled.refusal.code === 'conflict') continue;
      refused.push(handled.refusal.code);
      break;
    }
  }
}

await Promise.all(Array.from({ length: Number(writers) }, write));
console.log(JSON.stringify({ refused }));
await engine.close();
await log.close();
