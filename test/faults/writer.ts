// A process that appends to a log through an engine of its own: `writer.ts LOG THREAD COUNT NAME`.
import { isRefusal } from '../../src/core/refusal.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { openSqliteLog } from '../../src/log/sqlite.ts';

const [path = '', thread = '', count = '0', name = ''] = process.argv.slice(2);
const IN_FLIGHT = 8;

const log = openSqliteLog(path);
const engine = await createEngine({ log });
const refused: string[] = [];
let next = 0;

async function write() {
  while (next < Number(count)) {
    const content = `${name} ${next++}`;
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

await Promise.all(Array.from({ length: IN_FLIGHT }, write));
console.log(JSON.stringify({ refused }));
await engine.close();
await log.close();
