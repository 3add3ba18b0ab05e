import { describe, expect, test } from 'vitest';
import { openTestServer, readRefusal } from '../../../test/support/servers/server.ts';
import { NoSpace, StoreUnavailable } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';

describe('[L16] a store in trouble', () => {
  test('a full disk answers 507, reading continues and writing resumes when there is room', async () => {
    const log = openMemoryLog();
    const { append } = log;
    const full = await openTestServer({ log });
    const { thread: made } = await full.client().threads.create({ title: 'x' });
    log.append = async () => {
      throw new NoSpace('The disk is full.');
    };
    const post = () => full.send('POST', `/api/threads/${made.id}/events`, { body: { type: 'message', content: 'x' } });
    expect(await readRefusal(await post())).toMatchObject({ status: 507, code: 'no_space' });
    expect((await full.send('GET', `/api/threads/${made.id}/events`)).status).toBe(200);
    log.append = append;
    expect((await post()).status).toBe(201);
    expect(full.reported).toEqual([]);
    await full.close();
  });

  test('an unavailable store answers 503 to reads and writes', async () => {
    const log = openMemoryLog();
    const away = await openTestServer({ log });
    const { thread: made } = await away.client().threads.create({ title: 'x' });
    const failUnavailable = async () => {
      throw new StoreUnavailable('The database does not answer.');
    };
    Object.assign(log, {
      append: failUnavailable,
      readThread: failUnavailable,
      readAll: failUnavailable,
      records: failUnavailable,
    });
    const path = `/api/threads/${made.id}/events`;
    for (const [method, address, body] of [
      ['GET', path],
      ['POST', path, { type: 'message', content: 'x' }],
      ['GET', '/api/events'],
      ['GET', '/api/threads'],
      ['POST', '/api/credentials', { participant: 'beta' }],
    ] as const) {
      const answer = await readRefusal(await away.send(method, address, { body }));
      expect(answer).toMatchObject({ status: 503, code: 'store_unavailable' });
    }
    expect(away.reported).toEqual([]);
    await away.close();
  });
});

test('[I5] an internal error is shown to the operator of the server, not to the caller', async () => {
  const broken = await openTestServer();
  broken.engine.log.lastOf = async () => {
    throw new Error(`the disk at /secret/place, token ${broken.human}`);
  };
  const { thread: made } = await broken.client().threads.create({ title: 'x' });
  const response = await broken.send('GET', `/api/threads/${made.id}`);
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(text).error.code).toBe('internal');
  expect(text).not.toMatch(/secret|at |token/);
  expect(broken.reported).toHaveLength(1);
  expect(broken.reported[0]).toContain('the disk at /secret/place');
  expect(broken.reported[0]).not.toContain('hdl_');
  await broken.close();
});
