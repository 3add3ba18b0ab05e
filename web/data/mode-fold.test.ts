import { afterEach, beforeEach, expect, test } from 'vitest';
import { evolveDialogue } from '../../src/core/dialogue/evolve.ts';
import { initialDialogue } from '../../src/core/dialogue/state.ts';
import { draftsView, historyView, statusView } from '../../src/core/dialogue/view/view.ts';
import { openTestServer, type TestServer } from '../../test/support/servers/server.ts';
import { createModeFold } from './mode-fold.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

const parts = { kind: 'dialogue', initial: initialDialogue, evolve: evolveDialogue };
const fromServer = () => Promise.resolve('the server');

test('[I11] the views that the page makes of a dialogue are those of the server, after every event', async () => {
  const { thread } = await server.client().threads.create({ title: 'T', kind: 'dialogue' });
  const remote = server.client().thread(thread.id);
  const fold = createModeFold(remote, parts);
  await fold.load();
  const steps = [
    () => remote.command('message', { text: 'Shall we plant beans?' }),
    () => remote.command('steer', { text: 'Shorter' }),
    () => remote.post({ type: 'message', content: 'Beside it' }),
    () => remote.command('withdraw', {}),
  ];
  for (const step of steps) {
    await step();
    fold.apply((await remote.events({ limit: 1000 })).events);
    for (const [path, view] of Object.entries({ status: statusView, drafts: draftsView, history: historyView })) {
      const told = await (await server.send('GET', `/api/threads/${thread.id}/${path}`)).json();
      expect(JSON.parse(JSON.stringify(await fold.answer((state) => view(state), fromServer)))).toEqual(told);
    }
  }
});

test('[I11] a thread that is too long to hold, or of another kind, is left to the server', async () => {
  for (const [kind, messages] of [
    ['dialogue', 1000],
    ['loom', 1],
  ] as const) {
    const { thread } = await server.client().threads.create({ title: 'T', kind });
    const remote = server.client().thread(thread.id);
    await Promise.all(Array.from({ length: messages }, () => remote.post({ type: 'message', content: 'x' })));
    const fold = createModeFold(remote, parts);
    await fold.load();
    expect(await fold.answer(statusView, fromServer)).toBe('the server');
  }
});
