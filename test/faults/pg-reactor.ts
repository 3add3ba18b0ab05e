// A server that only reacts: `pg-reactor.ts URL`. Says so when it is up, and runs until it is killed.
import { createEngine } from '../../src/engine/engine.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';

const engine = await createEngine({ log: await openPostgresLog(process.argv[2] ?? '') });
engine.startWork();
console.log(JSON.stringify({ ready: true }));
