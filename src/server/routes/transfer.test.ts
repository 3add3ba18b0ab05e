import { afterEach, beforeEach, expect, test } from 'vitest';
import { askStep, dialoguesOf, draftStep } from '../../../test/support/servers/dialogue-samples.ts';
import { auditStep, exchangesOf, twoRounds } from '../../../test/support/servers/exchange-samples.ts';
import { openTestServer, type TestServer } from '../../../test/support/servers/server.ts';
import { readExport } from '../../../test/support/stores/exports.ts';
import type { Client } from '../../client/index.ts';

let server: TestServer;
let ada: Client;

beforeEach(async () => {
  server = await openTestServer();
  ada = server.client();
});
afterEach(() => server.close());

async function createPlans() {
  const { thread } = await ada.threads.create({ title: 'Garden plans' });
  await ada.thread(thread.id).post({ type: 'message', content: 'Where do the roses go?' });
  const agent = server.client(server.agent);
  const { event } = await agent
    .thread(thread.id)
    .post({ type: 'message', content: 'Roses by the wall.\nBeans behind.' });
  return { id: thread.id, event: event.id, link: `/threads/${thread.id}#${event.id}` };
}

const refusalOf = (wish: Promise<unknown>) =>
  wish.then(
    () => undefined,
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  );

test('[I29] [W7] a message can be opened as a loom with its author, continued, sent back as a draft and posted', async () => {
  const { id, event, link } = await createPlans();
  const { thread: loom, link: there } = await ada.open({ link, as: 'loom' });
  expect(there).toBe(`/loom/${loom.id}`);
  expect(loom).toMatchObject({
    title: 'Roses by the wall.',
    kind: 'loom',
    origin: { thread: id, link, what: 'message', event },
  });
  const path = await ada.thread(loom.id).loom.path();
  expect(path).toMatchObject({ text: 'Roses by the wall.\nBeans behind.', path: [{ author: 'alpha', kind: 'model' }] });
  await ada.thread(loom.id).command('commit', { text: ' And thyme.' });

  const message = await ada.bring({ from: there });
  const [draft] = message.events;
  expect(message.link).toBe(`/threads/${id}#${draft?.id}`);
  expect(draft).toMatchObject({
    type: 'draft.proposed',
    content: { text: 'Roses by the wall.\nBeans behind. And thyme.', reply_to: event },
    meta: { origin: { thread: loom.id, what: 'node' } },
  });
  const { state } = await ada.thread(id).state();
  expect(state.drafts).toMatchObject([{ event: draft?.id, origin: { thread: loom.id } }]);
  const { events } = await ada.thread(id).command('draft_accept', { index: 1 });
  expect(events.at(-1)).toMatchObject({
    type: 'message',
    from: 'ada',
    meta: { by: 'human', origin: { thread: loom.id } },
  });

  for (const end of [id, loom.id]) {
    const { threads, steps } = await ada.thread(end).trail();
    expect(threads.map((each) => each.id).sort()).toEqual([id, loom.id].sort());
    expect(steps).toHaveLength(2);
    expect(steps.find(({ how }) => how === 'opened')).toMatchObject({ from: link, to: there });
    expect(steps.find(({ how }) => how === 'brought')).toMatchObject({
      from: expect.stringContaining(`/loom/${loom.id}#`),
      to: `/threads/${id}#${events.at(-1)?.id}`,
    });
  }
});

test('[I29] a passage can be opened, and a repeated request is done once', async () => {
  const { link } = await createPlans();
  const request = { link, as: 'loom', start: 19, end: 24 } as const;
  const { thread } = await ada.open(request, { id: 'once' });
  expect((await ada.thread(thread.id).loom.path()).text).toBe('Beans');
  expect(thread.origin).toMatchObject({ start: 19, end: 24 });
  expect((await ada.open(request, { id: 'once' })).thread.id).toBe(thread.id);
  expect(await refusalOf(ada.open({ ...request, start: 90, end: 95 }))).toMatchObject({ code: 'malformed' });
});

test('[I29] [D3] a dialogue opened from a message has what was said before it, and the accepted reply is posted back', async () => {
  const { id, link } = await createPlans();
  const { thread } = await ada.open({ link, as: 'dialogue' });
  const { events } = await ada.thread(thread.id).events();
  expect(events.at(-1)).toMatchObject({
    ...{ type: 'turn.opened', from: 'ada' },
    content: {
      turn: 1,
      text: 'From "Garden plans", what was said before:\n\n> ada: Where do the roses go?\n\nalpha wrote:\n\nRoses by the wall.\nBeans behind.',
    },
  });
  const { send } = dialoguesOf(server.engine);
  await send(thread.id, 'run', {});
  await send(thread.id, ...(draftStep(1, 'By the wall, then.') as [never, object]));
  await send(thread.id, 'accept', { draft: 1 });
  const message = await ada.bring({ from: `/dialogue/${thread.id}#1.1`, as: 'message' });
  expect(message.events[0]).toMatchObject({
    ...{ type: 'message', from: 'ada', content: 'By the wall, then.', thread: id },
    meta: { origin: { thread: thread.id, link: `/dialogue/${thread.id}#1.1`, what: 'draft' } },
  });
});

test('[I29] a draft opened as a loom comes back as that draft accepted with changes, otherwise as a note', async () => {
  const { make } = dialoguesOf(server.engine);
  const id = await make(askStep, draftStep(1, 'Yes.'), draftStep(2, 'Very.'));
  const { thread } = await ada.open({ link: `/dialogue/${id}#1.1`, as: 'loom' });
  await ada.thread(thread.id).command('commit', { text: ' Always.' });
  const steered = await ada.bring({ from: `/loom/${thread.id}`, to: `/dialogue/${id}#1` });
  expect(steered.events[0]).toMatchObject({ type: 'turn.steered', content: { text: 'Yes. Always.' } });
  const accepted = await ada.bring({ from: `/loom/${thread.id}` });
  expect(accepted.link).toBe(`/dialogue/${id}#1.1`);
  expect(accepted.events[0]).toMatchObject({
    ...{ type: 'turn.accepted', content: { draft: 1, edited: { text: 'Yes. Always.' } } },
    meta: { origin: { thread: thread.id } },
  });
  const next = await ada.bring({ from: `/loom/${thread.id}` });
  expect(next.events[0]).toMatchObject({ type: 'turn.opened', content: { turn: 2, text: 'Yes. Always.' } });
});

test('[I29] thoughts and audits can be opened too, and text from an audit comes back as an injection', async () => {
  const id = await exchangesOf(server.engine).make(...twoRounds, auditStep(1, 'All of it is [#2].'));
  for (const [at, text, what] of [
    ['audit.1', 'All of it is [#2].', 'audit'],
    ['thought.1', 'the sea', 'thought'],
  ] as const) {
    const { thread } = await ada.open({ link: `/exchange/${id}#${at}`, as: 'loom' });
    expect(thread.origin).toMatchObject({ what, thread: id });
    expect((await ada.thread(thread.id).loom.path()).text).toBe(text);
    const { events } = await ada.bring({ from: `/loom/${thread.id}` });
    expect(events[0]).toMatchObject({ type: 'injection.made', content: { text } });
  }
});

test('[I29] the ways to send a text are listed in advance: each way the server allows, and no other', async () => {
  const { id, link } = await createPlans();
  const { make, send } = dialoguesOf(server.engine);
  const exchanges = exchangesOf(server.engine);
  const [waiting, idle] = [await make(askStep, draftStep(1, 'Yes.')), await make()];
  const pool = await exchanges.make(...twoRounds);
  const { thread: control } = await ada.thread(pool).command('branch', { control: true });
  const { thread: verse } = await ada.threads.create({ title: 'Verse', kind: 'loom', setup: { text: 'O rose' } });
  const { thread: long } = await ada.threads.create({
    title: 'Long',
    kind: 'loom',
    setup: { text: 'o'.repeat(40_000) },
  });
  const readWays = async (from: string, to?: string) => {
    const head = await server.engine.log.head();
    const offer = await ada.waysToBring({ from, ...(to && { to }) });
    expect(await server.engine.log.head()).toBe(head);
    return offer;
  };

  expect(await readWays(`/loom/${verse.id}`, link)).toMatchObject({
    ...{ thread: id, text: 'O rose', chars: 6, ways: ['draft', 'message'] },
    link: expect.stringContaining(`/loom/${verse.id}#`),
  });
  expect((await readWays(link, `/dialogue/${idle}`)).ways).toEqual(['message']);
  expect((await readWays(link, `/dialogue/${waiting}`)).ways).toEqual(['steer', 'accept']);
  expect((await readWays(link, `/dialogue/${waiting}#1.1`)).ways).toEqual(['accept', 'steer']);
  expect((await readWays(link, `/exchange/${pool}`)).ways).toEqual(['message']);
  expect((await readWays(link, `/loom/${verse.id}`)).ways).toEqual(['branch']);
  expect((await readWays(`/dialogue/${waiting}#1.1`, `/threads/${id}`)).ways).toEqual(['draft', 'message']);

  const expectNoWays = async (from: string, to: string, words: string) =>
    expect(await readWays(from, to)).toMatchObject({ ways: [], why: expect.stringContaining(words) });
  await expectNoWays(link, `/exchange/${control.id}`, 'control branch');
  await expectNoWays(`/loom/${long.id}`, `/exchange/${pool}`, 'cannot be sent to an exchange');
  await ada.thread(pool).command('halt', { reason: 'Enough.' });
  await expectNoWays(link, `/exchange/${pool}`, 'halted');
  await send(waiting, 'accept', { draft: 1 });
  expect((await readWays(link, `/dialogue/${waiting}`)).ways).toEqual(['message']);
  await ada.thread(id).post({ type: 'control', content: { mute: { targets: ['ada'] } } });
  await expectNoWays(`/loom/${verse.id}`, link, 'muted');
  expect(await refusalOf(readWays(`/threads/${id}`, `/loom/${verse.id}`))).toMatchObject({ code: 'malformed' });
  expect(await refusalOf(readWays(link, '/loom/nowhere'))).toMatchObject({ code: 'unknown_thread' });
});

test('[I29] a text that cannot be opened or sent is refused with a message, and nothing is stored', async () => {
  const { id, link } = await createPlans();
  const head = await server.engine.log.head();
  const { thread: loom } = await ada.threads.create({ title: 'Verse', kind: 'loom', setup: { text: 'O rose' } });
  const { thread: talk } = await ada.threads.create({ title: 'Talk', kind: 'dialogue' });
  for (const [wish, code, words] of [
    [() => ada.open({ link: 'not an address', as: 'loom' }), 'malformed', 'not an address'],
    [() => ada.open({ link: `/threads/${id}#nothing`, as: 'loom' }), 'unknown_event', 'no text at #nothing'],
    [() => ada.open({ link: '/threads/nowhere#x', as: 'loom' }), 'unknown_thread', 'no thread nowhere'],
    [() => ada.open({ link: `/threads/${id}`, as: 'dialogue' }), 'malformed', 'Name one of its texts'],
    [() => ada.bring({ from: `/loom/${loom.id}` }), 'malformed', 'was not opened from another thread'],
    [() => ada.bring({ from: `/loom/${loom.id}`, to: link, as: 'steer' }), 'wrong_kind', 'as "draft" or "message"'],
    [() => ada.bring({ from: `/loom/${loom.id}`, to: `/threads/${id}#nothing` }), 'unknown_event', 'no text at'],
    [
      () => server.client(server.agent).bring({ from: `/loom/${loom.id}`, to: `/dialogue/${talk.id}` }),
      'forbidden',
      'Only a person',
    ],
  ] as const) {
    expect(await refusalOf(wish())).toMatchObject({ code, message: expect.stringContaining(words) });
  }
  expect(await server.engine.log.head()).toBe(head + 3);
  expect(
    (await server.send('POST', '/api/threads', { body: { title: 'Forged', origin: { thread: id } } })).status,
  ).toBe(400);
});

test('[I29] [L20] an export includes origins, also in the rows of threads', async () => {
  const { id, link } = await createPlans();
  const { thread: loom } = await ada.open({ link, as: 'loom' });
  await ada.bring({ from: `/loom/${loom.id}`, as: 'message' });
  const other = await openTestServer();
  await other.client().import(await readExport(server.engine.log));
  expect(await other.client().thread(id).trail()).toEqual(await ada.thread(id).trail());
  expect(await other.client().rebuild()).toMatchObject({ threads: 2, mended: 0 });
  await other.close();
});
