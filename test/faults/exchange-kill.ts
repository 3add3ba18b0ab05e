import { randomInt } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { seeded } from '../support/random.ts';
import { checkExchange, furnishExchange, SETUP } from './exchanges.ts';
import { type Fault, must } from './fault.ts';
import { type Server, type Workspace, withWorkspace } from './server.ts';

/** The server is killed again and again in audit rounds: no audit is doubled, none is lost. */
export const exchangeKill: Fault = {
  name: 'exchange-kill',
  rules: '[X1] [X4] [L9] [L19]',
  slice: 2,
  full: 100,
  async run(kills, say) {
    const seed = randomInt(2 ** 31);
    say(`seed ${seed}`);
    try {
      return await withWorkspace(async (workspace) => {
        await furnishExchange(workspace.path);
        return killAudits(workspace, kills, seed, say);
      });
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  },
};

async function killAudits(workspace: Workspace, kills: number, seed: number, say: (text: string) => void) {
  const random = seeded(seed);
  let server = await workspace.serve();
  const client = server.client();
  const { thread } = await client.threads.create({ title: 'Pool', kind: 'exchange', setup: SETUP });
  await client.thread(thread.id).command('run', { rounds: 100_000 });
  for (let kill = 1; kill <= kills; kill++) {
    await auditDue(server, thread.id);
    await later(random.below(250));
    await server.kill();
    server = await workspace.serve();
    if (kill % 10 === 0) say(`kill ${kill}`);
  }
  await auditDue(server, thread.id);
  await server.kill();
  const log = openSqliteLog(workspace.database, { readOnly: true });
  try {
    const { broken } = await verifyLog(log, undefined);
    must(!broken, `the chain is broken: ${JSON.stringify(broken)}`);
    const { rounds, audits, calls } = checkExchange((await log.readThread(thread.id, 0, 1e6)).map(eventOf));
    return `${kills} kills in audit rounds, ${rounds} rounds, ${calls} calls, ${audits} audits: none lost, none twice`;
  } finally {
    await log.close();
  }
}

interface Page {
  readonly events: readonly { readonly type: string; readonly content: { readonly audit_due?: true } }[];
  readonly cursor: string;
}
/** How many waits of twenty seconds without any news it takes to give up. */
const PATIENCE = 4;

/** Waits for the next round that an audit follows. */
async function auditDue({ url, token }: Server, thread: string): Promise<void> {
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${url}/api/threads/${thread}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    must(response.ok, `${path} was answered ${response.status}`);
    return (await response.json()) as T;
  };
  const newest = async () => JSON.stringify((await read<Page>('/events?before=head&limit=3')).events).slice(0, 2000);
  let idle = 0;
  for (let cursor = (await read<{ head: string }>('')).head; ; ) {
    const page = await read<Page>(`/events?after=${cursor}&wait=20`);
    if (page.events.some(({ type, content }) => type === 'round.ended' && content.audit_due)) return;
    if (page.events.length > 0) [cursor, idle] = [page.cursor, 0];
    else must(++idle < PATIENCE, `the exchange did not go on; its newest events: ${await newest()}`);
  }
}
