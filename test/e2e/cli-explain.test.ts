import { expect, test, vi } from 'vitest';
import { newWorkspace } from '../support/program/heddle.ts';

// The program is started many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

test('[I28] [I3] explain says who wrote a text and proves it, with and without a server, and says what a link is', async () => {
  const { ok, run, serve } = newWorkspace();
  const { thread } = (await ok('threads', 'new', 'Garden', '--json')).json;
  const { event } = (await ok('post', 'Garden', 'Beans \u202e or peas?', '--json')).json;
  const link = `/threads/${thread.id}#${event.id}`;
  const { out } = await ok('explain', link, '--offset', '2');
  expect(out).toMatch(
    /^A message in "Garden"\n {2}Beans <U\+202E> or peas\?\n\nBy human \(human\)\.\nhuman wrote it\./,
  );
  expect(out).toContain('Every link from the thread’s beginning up to here holds: 2 events.');
  expect(out).toContain(`  hash ${event.hash}\n`);
  const alone = (await ok('explain', link, '--json')).json;
  expect(alone).toMatchObject({
    link,
    author: { id: 'human', kind: 'human' },
    proof: { hash: event.hash, holds: true },
  });
  const { url } = await serve();
  expect((await ok('explain', `${url}${link}`, '--json')).json).toEqual(alone);
  expect(await run(['explain', 'Garden'])).toMatchObject({ code: 2, err: /A link looks like \/threads\/ID#EVENT/ });
  expect(await run(['explain', link, '--offset', 'x'])).toMatchObject({ code: 2 });
  expect(await run(['explain', link, '--offset', '99'])).toMatchObject({ code: 3, err: /The text has 16 characters/ });
});
