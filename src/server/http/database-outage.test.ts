import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bodyOf, openTestServer } from '../../../test/support/servers/server.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';

interface OutageResponse {
  readonly error: { readonly code: string; readonly message: string };
}

test('[L26] without the database every answer is 503, and afterwards no message is missing on the stream', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-ground-'));
  const path = join(directory, 'heddle.db');
  const server = await openTestServer({ log: openSqliteLog(path) });
  onTestFinished(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const client = server.client();
  const { thread } = await client.threads.create({ title: 'Plans' });
  const messages = `/api/threads/${thread.id}/events`;
  const say = (content: string) =>
    server.send('POST', messages, { body: { type: 'message', content }, headers: { 'idempotency-key': content } });
  const read = () => server.send('GET', `/api/threads/${thread.id}/state`);
  expect((await say('one')).status).toBe(201);
  const ending = new AbortController();
  const received: unknown[] = [];
  const reader = (async () => {
    for await (const { event } of client.stream({ after: undefined, signal: ending.signal })) {
      if (event?.type === 'message') received.push(event.content);
    }
  })().catch(() => {});

  renameSync(path, `${path}.away`);
  for (const answer of [await say('two'), await say('three'), await read(), await server.send('GET', '/readyz')]) {
    expect(answer.status).toBe(503);
    expect((await bodyOf<OutageResponse>(answer)).error.code).toBe('store_unavailable');
  }
  expect((await bodyOf<OutageResponse>(await say('two'))).error.message).toMatch(
    /was deleted or moved .* Put the same file back/,
  );

  renameSync(`${path}.away`, path);
  expect((await read()).status).toBe(200);
  for (const content of ['two', 'three', 'four']) expect((await say(content)).status).toBe(201);
  await expect.poll(() => received).toEqual(['one', 'two', 'three', 'four']);
  const { events } = await client.thread(thread.id).events({ before: 'head' });
  expect(events.filter(({ type }) => type === 'message')).toHaveLength(4);
  expect(server.reported).toEqual([]);
  ending.abort();
  await reader;
});
