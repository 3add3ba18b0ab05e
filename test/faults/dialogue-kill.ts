import { randomInt } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { seeded } from '../support/random.ts';
import { type Fault, must } from './fault.ts';
import { checkIterations, furnishMind } from './minds.ts';
import { type Server, type Workspace, withWorkspace } from './server.ts';

const DIALOGUES = 8;

/** The server is killed again and again in the middle of iterations; the minds go on where they were. */
export const dialogueKill: Fault = {
  name: 'dialogue-kill',
  rules: '[D3] [L9] [L19]',
  slice: 2,
  full: 200,
  async run(kills, say) {
    const seed = randomInt(2 ** 31);
    say(`seed ${seed}`);
    try {
      return await withWorkspace(async (workspace) => {
        await furnishMind(workspace.path);
        return killMinds(workspace, kills, seed, say);
      });
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  },
};

async function killMinds(workspace: Workspace, kills: number, seed: number, say: (text: string) => void) {
  const random = seeded(seed);
  let server = await workspace.serve();
  const threads = await Promise.all(Array.from({ length: DIALOGUES }, () => begin(server)));
  let known = new Map<string, string>();
  for (let kill = 1; kill <= kills; kill++) {
    // Each of them has gone on since the last time, and is somewhere in the middle now.
    await Promise.all(threads.map((thread) => progress(server, thread)));
    await later(random.below(200));
    known = new Map(await Promise.all(threads.map(async (thread) => [thread, await drafts(server, thread)] as const)));
    await server.kill();
    server = await workspace.serve();
    for (const [thread, before] of known) {
      const after = await drafts(server, thread);
      must(after.startsWith(before), `a draft that was seen in ${thread} is lost or changed`);
    }
    if (kill % 10 === 0) say(`kill ${kill}`);
  }
  await Promise.all(threads.map((thread) => progress(server, thread)));
  await server.kill();
  return check(workspace, threads, kills);
}

async function begin(server: Server): Promise<string> {
  const client = server.client();
  const { thread } = await client.threads.create({ title: 'Talk', kind: 'dialogue' });
  const run = { iterations: 1_000_000, silences: 1000 };
  await client.thread(thread.id).command('message', { text: 'Is it noisy in there?', run });
  return thread.id;
}

/** Waits for the next iteration of a dialogue. */
async function progress(server: Server, thread: string): Promise<void> {
  const { head } = await read<{ head: string }>(server, `/api/threads/${thread}`);
  for (let cursor = head; ; ) {
    const page = await read<{ events: { type: string }[]; cursor: string }>(
      server,
      `/api/threads/${thread}/events?after=${cursor}&wait=20`,
    );
    if (page.events.some(({ type }) => type === 'iteration.ended')) return;
    must(page.events.length > 0, `the mind of ${thread} did not go on`);
    cursor = page.cursor;
  }
}

/** One line each, oldest first. */
async function drafts(server: Server, thread: string): Promise<string> {
  const page = await read<{ drafts: { index: number; iter: number; text: string }[] }>(
    server,
    `/api/threads/${thread}/drafts?limit=1000`,
  );
  return page.drafts
    .map(({ index, iter, text }) => `${index} ${iter} ${JSON.stringify(text)}\n`)
    .reverse()
    .join('');
}

async function read<T>({ url, token }: Server, path: string): Promise<T> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  must(response.ok, `${path} was answered ${response.status}`);
  return (await response.json()) as T;
}

async function check(workspace: Workspace, threads: readonly string[], kills: number): Promise<string> {
  const log = openSqliteLog(workspace.database, { readOnly: true });
  try {
    const { broken } = await verifyLog(log, undefined);
    must(!broken, `the chain is broken: ${JSON.stringify(broken)}`);
    const sums = { iterations: 0, drafts: 0 };
    for (const thread of threads) {
      const { iterations, drafts: written } = checkIterations((await log.readThread(thread, 0, 1e6)).map(eventOf));
      sums.iterations += iterations;
      sums.drafts += written;
    }
    return `${kills} kills in the middle of ${threads.length} minds, ${sums.iterations} iterations, ${sums.drafts} drafts: none lost, none twice, numbers without a gap`;
  } finally {
    await log.close();
  }
}
