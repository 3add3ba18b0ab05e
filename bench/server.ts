// Our server on a fresh SQLite file, in a process of its own: `server.ts PATH`.
import { createEngine } from '../src/engine/engine.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { createApp } from '../src/server/app.ts';
import { createCredentials, type IssuedToken } from '../src/server/auth/credentials.ts';
import { listen } from '../src/server/http/listen.ts';
import { answerCpu } from './child.ts';
import { threadIn } from './scratch.ts';

const log = openSqliteLog(process.argv[2] ?? '');
const engine = await createEngine({ log });
engine.startWork();
const credentials = createCredentials({ log, clock: engine.clock });
const { token } = (await credentials.issue('human', 'human')) as IssuedToken;
const app = createApp({ engine, credentials, version: 'bench', limits: { burst: 1e9, perSecond: 1e9 } });
const { port } = await listen({ app, port: 0 });
const thread = await threadIn(engine);
answerCpu(() => ({ syncs: log.counts.syncs, events: log.counts.events }));
process.send?.({ port, token, thread });
