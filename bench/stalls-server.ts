// Our server with its work started, which tells how long it kept everybody waiting: `stalls-server.ts PATH`.
import { createEngine } from '../src/engine/engine.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { createApp } from '../src/server/app.ts';
import { createCredentials, type IssuedToken } from '../src/server/auth/credentials.ts';
import { listen } from '../src/server/http/listen.ts';
import { answerCpu } from './child.ts';
import { threadIn } from './scratch.ts';

const log = openSqliteLog(process.argv[2] ?? '', { isOwner: true });
const engine = await createEngine({ log });
engine.startWork();
const credentials = createCredentials({ log, clock: engine.clock });
const { token } = (await credentials.issue('human', 'human')) as IssuedToken;
const { token: agent } = (await credentials.issue('mallory', 'agent')) as IssuedToken;
const app = createApp({ engine, credentials, version: 'bench', limits: { burst: 1e9, perSecond: 1e9 } });
const { port } = await listen({ app, port: 0 });
const thread = await threadIn(engine);

/* The processor time of this thread between two turns: what the disk takes, and whoever else uses the machine, is left out. */
let longest = 0;
let before = used();
setInterval(() => {
  const now = used();
  longest = Math.max(longest, now - before);
  before = now;
}, 1);

function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

answerCpu(() => {
  const longestStallMs = longest;
  longest = 0;
  return { syncs: log.counts.syncs, events: log.counts.events, longestStallMs };
});
process.send?.({ port, token, thread, agent });
