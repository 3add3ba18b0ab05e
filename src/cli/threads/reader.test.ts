import { expect, onTestFinished, test, vi } from 'vitest';
import { programOn } from '../../../test/support/program/program-in-process.ts';
import { askStep, dialoguesOf, draftStep } from '../../../test/support/servers/dialogue-samples.ts';
import { auditStep, exchangesOf, roundSteps } from '../../../test/support/servers/exchange-samples.ts';
import { openTestServer } from '../../../test/support/servers/server.ts';

/** What a program tells by the log, and that it tells the same by a server, without reading the log itself. */
async function sameBoth(name: 'mind' | 'logos', server: Awaited<ReturnType<typeof openTestServer>>, lines: string[][]) {
  const { run, serve, reads } = programOn(server, name);
  // What is told of a moment is how long ago it was.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const all = async () => {
    const told = [];
    for (const words of lines) {
      const { out, ...rest } = await run([...words, '--json'], server.human);
      const json = out === '' ? undefined : JSON.parse(out);
      told.push({ text: await run(words, server.human), ...rest, json });
    }
    return told;
  };
  const byLog = await all();
  const before = reads();
  expect(before).toBeGreaterThan(0);
  const hide = await serve();
  onTestFinished(hide);
  const byServer = await all();
  expect(byServer).toEqual(byLog);
  expect(reads()).toBe(before);
  return byServer;
}

async function open() {
  const server = await openTestServer();
  onTestFinished(server.close);
  return server;
}

test('[C7] status, drafts, history and away tell the same by a server, which has the dialogue in memory, as by the log', async () => {
  const server = await open();
  const { make, send } = dialoguesOf(server.engine);
  const many = Array.from({ length: 1100 }, (_, i) =>
    draftStep(i + 2, i % 7 === 6 ? '+1' : `Draft ${i}, somewhat long.`),
  );
  const thread = await make(
    ...[askStep, draftStep(1, 'Yes.', 'a thought'), ['accept', {}] as const],
    ...[['message', { text: 'And?', run: { iterations: 5000 } }] as const],
  );
  for (const [name, input] of many) await send(thread, name, { ...input, turn: 2, run: 2 });
  const at = ['--thread', thread];
  const told = await sameBoth('mind', server, [
    ...[
      ['status', ...at],
      ['drafts', ...at],
      ['drafts', '--all', ...at],
      ['drafts', '3', '5', ...at],
    ],
    ...[
      ['drafts', '--turn', '1', ...at],
      ['history', ...at],
      ['away', ...at],
    ],
    // What there is not is said alike, too.
    ...[
      ['drafts', '99999', ...at],
      ['drafts', '--turn', '9', ...at],
      ['drafts', '9', '--turn', '1', ...at],
    ],
  ]);
  expect(told[2]?.json.drafts.length).toBeGreaterThan(1000);
  expect(told[5]?.text.out).toMatch(/mind_0 \(scripted\):\n {4}Yes\./);
});

test('[C8] status and audits tell the same by a server as by the log', async () => {
  const server = await open();
  const thread = await exchangesOf(server.engine).make(
    ...[['run', { rounds: 9 }] as const, ...roundSteps(1, 'the sea'), ...roundSteps(2, 'the sky')],
    ...[auditStep(1, 'Sea [#1], sky [#2], and [#9].'), ['observe', { text: 'I see.' }] as const],
    ...[...roundSteps(3, 'the land'), ...roundSteps(4, 'the wind'), auditStep(2, 'Land [#3].')],
  );
  const at = ['--thread', thread];
  const told = await sameBoth('logos', server, [
    ...[
      ['status', ...at],
      ['audits', ...at],
      ['audits', '1', ...at],
      ['audits', '--all', ...at],
      ['audits', '7', ...at],
    ],
  ]);
  expect(told[0]?.text.out).toMatch(/Minds: mind_0 \(scripted\)/);
  expect(told[3]?.json.audits.map(({ audit }: { audit: number }) => audit)).toEqual([2, 1]);
});

test('[C7] a thread of another kind, and one that is not there, are said alike', async () => {
  const server = await open();
  const { thread } = await server.client().threads.create({ title: 'Talk of many' });
  await sameBoth('mind', server, [
    ['status', '--thread', thread.id],
    ['history', '--thread', 'Nowhere'],
  ]);
});
