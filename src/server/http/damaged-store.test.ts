import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fuzzRuns, seeded } from '../../../test/support/random.ts';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';
import type { WireError } from '../../protocol/wire.ts';

const PAGE = 4096;
const MESSAGE = { type: 'message', content: 'x' };

/** A file with some threads in it, closed. */
async function makeDatabase() {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-damage-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'heddle.db');
  const server = await openTestServer({ log: openSqliteLog(path) });
  const threads: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { thread } = await server.client().threads.create({ title: `T${i}` });
    threads.push(thread.id);
    const talk = server.client().thread(thread.id);
    for (let k = 0; k < 10; k++) await talk.post({ type: 'message', content: `${k} ${'long '.repeat(200)}` });
  }
  await server.close();
  return { path, threads };
}

/** Overwrites pages, all but the first, which says what the file is. */
function damagePages(path: string, random: ReturnType<typeof seeded>) {
  const count = statSync(path).size / PAGE;
  const file = openSync(path, 'r+');
  for (let i = 0; i <= random.below(count / 2); i++) {
    writeSync(file, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (1 + random.below(count - 1)) * PAGE);
  }
  closeSync(file);
}

async function openServerOn(path: string): Promise<TestServer> {
  return openTestServer({ log: openSqliteLog(path) });
}

async function answersOf(server: TestServer, threads: readonly string[]): Promise<[string, number, string][]> {
  const reads = threads.flatMap((thread) => [
    ...['', '/events', '/state', '/conversation', '/presence'].map((part) => `GET /api/threads/${thread}${part}`),
    `POST /api/threads/${thread}/events`,
  ]);
  const answers: [string, number, string][] = [];
  for (const route of ['GET /api/threads', 'GET /api/events', 'GET /api/search?q=long', 'GET /api/usage', ...reads]) {
    const [method = '', address = ''] = route.split(' ');
    const answer = await server.send(method, address, method === 'POST' ? { body: MESSAGE } : {});
    answers.push([route, answer.status, await answer.text()]);
  }
  return answers;
}

test('[L16] a request that hits a damaged page is answered 503 with what to do, never 500', async () => {
  let count = 0;
  for (let i = 0; i < fuzzRuns(6) || count === 0; i++) {
    const seed = Number(process.env.HEDDLE_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const { path, threads } = await makeDatabase();
    damagePages(path, seeded(seed));
    // Where not even a token can be written, there is no server; opening says so then.
    const server = await openServerOn(path).catch(() => undefined);
    if (!server) continue;
    for (const [wish, status, text] of await answersOf(server, threads)) {
      expect([seed, wish, status]).not.toEqual([seed, wish, 500]);
      if (status !== 503) continue;
      count++;
      expect((JSON.parse(text) as WireError).error.message).toMatch(/^The database is damaged .*"heddle restore"/);
    }
    expect(server.reported).toEqual([]);
    await server.close();
  }
});
