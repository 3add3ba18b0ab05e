import { expect, test } from 'vitest';
import { openTestServer } from '../../../test/support/servers/server.ts';
import { readExport } from '../../../test/support/stores/exports.ts';
import { HeddleRefusal } from '../../client/index.ts';

test('[L20] an uploaded export is imported completely, and readers see it live', async () => {
  const [source, target] = [await openTestServer(), await openTestServer()];
  const { thread } = await source.client().threads.create({ title: 'Plans' });
  for (const content of ['one', 'two']) await source.client().thread(thread.id).post({ type: 'message', content });
  const reading = target.client().stream();
  const next = reading.next();
  const imported = await target.client().import(await readExport(source.engine.log));
  expect(imported).toMatchObject({ added: 3, skipped: 0, threads: 1, report: { dropped: [] } });
  expect((await next).value).toMatchObject({ event: { type: 'thread.created', thread: thread.id } });
  await reading.return();
  // What the server had in memory goes on from there.
  const { event } = await target.client().thread(thread.id).post({ type: 'message', content: 'three' });
  expect(event.seq).toBe(4);
  expect((await target.client().threads.list()).threads[0]).toMatchObject({ id: thread.id, title: 'Plans' });
  expect(await target.client().rebuild()).toEqual({ threads: 1, events: 4, mended: 0 });
  await Promise.all([source.close(), target.close()]);
});

test('[L20] a bad export is refused with the line, and nothing of it is stored', async () => {
  const server = await openTestServer();
  for (const text of ['', 'no export', '{"heddle":"export","version":1,"created":"now"}\n']) {
    const refused = await server
      .client()
      .import(text)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HeddleRefusal);
    expect(refused).toMatchObject({ code: 'bad_file' });
  }
  expect(await server.engine.log.head()).toBe(0);
  expect(server.reported).toEqual([]);
  await server.close();
});

test('[T6] importing and rebuilding need a human, and an import must declare JSON Lines', async () => {
  const server = await openTestServer();
  const asAgent = server.client(server.agent);
  await expect(asAgent.import('')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(asAgent.rebuild()).rejects.toMatchObject({ code: 'forbidden' });
  expect((await server.send('POST', '/api/import', { body: {} })).status).toBe(400);
  await server.close();
});

test('[L25] an imported thread says that it waits until a human resumes it, and an agent cannot', async () => {
  const [source, target] = [await openTestServer(), await openTestServer()];
  const invite = [{ participant_id: 'beta', profile: { client: 'model' } }];
  const { thread } = await source.client().threads.create({ title: 'Plans', invite });
  const imported = await target.client().import(await readExport(source.engine.log));
  expect(imported.open).toEqual([{ thread: thread.id, title: 'Plans' }]);
  const here = target.client().thread(thread.id);
  const waiting = { up_to: 2, waiting: true };
  expect((await target.client().threads.list()).threads[0]?.imported).toEqual(waiting);
  expect((await target.client().threads.list()).threads[0]?.working).toBeUndefined();
  expect((await here.get()).thread.imported).toEqual(waiting);
  expect((await here.state()).state.imported).toEqual(waiting);
  const resume = { type: 'control', content: { resume: true } } as const;
  await expect(target.client(target.agent).thread(thread.id).post(resume)).rejects.toMatchObject({ code: 'forbidden' });
  await here.post(resume);
  expect((await here.get()).thread).toMatchObject({ imported: { up_to: 2 }, working: true });
  expect((await here.get()).thread.imported?.waiting).toBeUndefined();
  await Promise.all([source.close(), target.close()]);
});

test('[L25] [L20] a whole workspace can only be moved into an empty one, and a single thread is not a workspace', async () => {
  const [source, target] = [await openTestServer(), await openTestServer()];
  const { thread } = await source.client().threads.create({ title: 'Plans' });
  const one = await readExport(source.engine.log, thread.id);
  await expect(target.client().import(one, { mine: true })).rejects.toThrow('an export of one thread');
  expect(await target.client().import(await readExport(source.engine.log), { mine: true })).toMatchObject({ added: 1 });
  expect((await target.client().thread(thread.id).get()).thread.imported).toBeUndefined();
  const again = target.client().import(await readExport(source.engine.log), { mine: true });
  await expect(again).rejects.toThrow('This workspace already contains events.');
  await Promise.all([source.close(), target.close()]);
});
