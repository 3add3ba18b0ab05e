import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { newWorkspace } from '../support/program/heddle.ts';

// The program is started many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

test('[C10] [I29] a message is opened as a loom, gone on with and brought back; the trail shows it, and it verifies', async () => {
  const { ok, run, path } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  const { event } = (await ok('post', 'Garden', 'Roses by the wall.', '--json')).json;
  const link = `/threads/${event.thread}#${event.id}`;
  expect((await ok('open', link, '--as', 'loom', '--title', 'Verse')).out).toMatch(
    /Opened “Verse” as a loom\. \/loom\//,
  );
  await ok('loom', 'append', 'Verse', ' Beans behind.');
  const brought = await ok('bring', 'Verse');
  expect(brought.out).toContain('Sent to “Garden” as a draft, for a human to post. /threads/');
  expect((await ok('bring', 'Verse', '--as', 'message', '--json')).json.events[0]).toMatchObject({
    ...{ type: 'message', content: 'Roses by the wall. Beans behind.' },
    meta: { reply_to: event.id, origin: { what: 'node' } },
  });
  const trail = (await ok('trail', 'Verse')).out;
  expect(trail).toContain('“Verse” (loom) was opened from a message in “Garden” (conversation)');
  expect(trail).toContain('“Garden” (conversation) was sent a node in “Verse” (loom)');
  expect(trail).toContain(link);
  expect((await ok('verify')).code).toBe(0);

  const refused = await run(['bring', 'Garden']);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain('Name one of its texts');

  writeFileSync(join(path, 'spec.txt'), 'Count the roses [#1].');
  const auditor = ['auditor', '--client', 'model', '--role', 'auditor', '--every', '20'];
  const invited = await ok('invite', 'Garden', ...auditor, '--spec', join(path, 'spec.txt'), '--json');
  expect(invited.json.events[0].content.invite.profile).toMatchObject({ spec: 'Count the roses [#1].', every: 20 });
});
