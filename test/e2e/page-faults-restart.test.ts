import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGate, type FakeModels, startFakeModels } from '../support/models/fake-models.ts';
import { draft, says } from './page-dialogue-support.ts';
import { letter, round, thinks } from './page-exchange-support.ts';
import { text as loomText, shown } from './page-loom-support.ts';
import { giveModels } from './page-models-support.ts';
import { gone, row, see, setUpPages, write } from './page-support.ts';

vi.setConfig({ testTimeout: 90_000 });
const pages = setUpPages();

const words = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');
/** What was written when the server died, and what is written in the end. */
const [HALF, WHOLE] = [`Reeds ${words(90, 'half')}`, 'Reeds stand in the water, whole.'];

/** Models at a socket, which outlive the server. */
async function models(): Promise<FakeModels> {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const far = { provider: 'openai-chat', base_url: fake.openAiUrl, model: 'far' };
  const base = { provider: 'openai-completions', base_url: fake.openAiUrl, model: 'base' };
  giveModels(pages.server.workspace, {}, { others: { far, base }, defaults: { loom: 'base' } });
  return fake;
}

/** A room that hears all that is said from now on. */
async function openRoom(path: 'threads' | 'dialogue' | 'exchange' | 'loom', id: string): Promise<Page> {
  const page = await pages.open(`/${path}/${id}`);
  const isHere = async () => {
    const { presence } = await pages.human().thread(id).presence();
    return presence.some(({ participant, reach }) => participant === 'human' && reach === 'live');
  };
  await expect.poll(isHere, { timeout: 10_000 }).toBe(true);
  return page;
}

const hangs = (text: string) => ({ text, fault: 'hang' as const, after: 60 });

async function killAndRestart(page: Page): Promise<void> {
  await pages.killServer();
  await see(page.getByRole('status').getByText('reconnecting'));
  await pages.restartServer();
  await see(page.getByRole('status').getByText('connected', { exact: true }));
}

/** What was half written is gone, and what was written in the end stands there once. */
async function onlyWhole(page: Page, where: Locator): Promise<void> {
  await see(where);
  await gone(page.getByText(/half0/));
  expect(await page.getByRole('main').getByText(WHOLE).count()).toBe(1);
}

test('[M12] [T18] a thread: the answer that was being written when the server died is written again, once', async () => {
  const fake = await models();
  fake.script({ text: 'PASS' }, hangs(HALF), { text: WHOLE });
  const profile = { kind: 'agent' as const, client: 'model', model: 'far' };
  const { thread } = await pages.human().threads.create({ title: 'A', invite: [{ participant_id: 'wise', profile }] });
  const page = await openRoom('threads', thread.id);
  await expect.poll(() => fake.requests.length).toBe(1);
  await write(page, 'What do reeds do?');
  await see(page.getByRole('article', { name: 'wise is writing' }).getByText(/half5/));
  await killAndRestart(page);
  await onlyWhole(page, row(page, WHOLE));
  await pages.human().thread(thread.id).post({ type: 'message', to: 'human', content: 'Live again.' });
  await see(row(page, 'Live again.'));
});

test('[M12] [D31] a dialogue: the draft that was being written when the server died is written again, once', async () => {
  const fake = await models();
  fake.script(hangs(says(HALF)), { text: says(WHOLE) });
  const setup = { model: 'far' };
  const { thread } = await pages.human().threads.create({ title: 'B', kind: 'dialogue', setup });
  const page = await openRoom('dialogue', thread.id);
  await pages
    .human()
    .thread(thread.id)
    .command('message', { text: 'Reeds?', run: { iterations: 1 } });
  await see(page.getByRole('region', { name: 'Drafts' }).getByText(/half5/));
  await killAndRestart(page);
  await onlyWhole(page, draft(page, 1).getByText(WHOLE));
});

test('[M12] [D31] an exchange: a thought, then an audit, cut short by the end of the server come again, once', async () => {
  const fake = await models();
  fake.script(hangs(thinks(HALF)), { text: thinks(WHOLE) });
  const setup = {
    minds: [{ id: 'heron', model: 'far' }],
    auditor_model: 'far',
    audit_every: 1,
    ask_after_audit: 'never',
  };
  const { thread } = await pages.human().threads.create({ title: 'C', kind: 'exchange', setup });
  const page = await openRoom('exchange', thread.id);
  // The letter begins when the page is back to hear it.
  const gate = createGate(1);
  fake.answer(() => ({ ...hangs(words(90, 'letter')), gate }));
  await pages.human().thread(thread.id).command('run', { rounds: 1 });
  await see(round(page, 1).getByText(/half5/));
  await killAndRestart(page);
  await gate.reached;
  gate.open();
  await see(letter(page, 1).getByText(/letter5/));
  await onlyWhole(page, round(page, 1).getByText(WHOLE));
  fake.answer(() => ({ text: 'All was said in [#1].' }));
  await killAndRestart(page);
  await see(letter(page, 1).getByText('All was said in'));
  await gone(page.getByText(/letter0/));
  expect(await letter(page, 1).count()).toBe(1);
});

test('[M12] [I15] a loom: a continuation cut short by the end of the server comes again, once', async () => {
  const fake = await models();
  fake.script({ ...hangs(` ${HALF}`) });
  fake.answer(() => ({ text: ` ${WHOLE}` }));
  const { thread } = await pages.human().threads.create({ title: 'D', kind: 'loom', setup: { text: 'Begin.' } });
  const page = await openRoom('loom', thread.id);
  await see(loomText(page));
  await pages.human().thread(thread.id).command('generate', { n: 1 });
  await expect.poll(() => shown(page)).toContain('half5');
  await killAndRestart(page);
  await expect.poll(() => shown(page), { timeout: 30_000 }).toBe(`Begin. ${WHOLE}`);
  await gone(page.getByRole('button', { name: 'Stop' }));
});

test('[M12] [D31] a model that is away when the server is back: each room says so, and nothing seems to be written', async () => {
  const fake = await models();
  fake.script({ text: 'PASS' }, ...Array.from({ length: 4 }, () => hangs(`${HALF} ${HALF}`)));
  const { human } = pages;
  const profile = { kind: 'agent' as const, client: 'model', model: 'far' };
  const invite = [{ participant_id: 'wise', profile }];
  const { thread } = await human().threads.create({ title: 'Away', invite });
  await expect.poll(() => fake.requests.length).toBe(1);
  const { thread: dialogue } = await human().threads.create({ title: 'E', kind: 'dialogue', setup: { model: 'far' } });
  const minds = [{ id: 'heron', model: 'far' }];
  const { thread: exchange } = await human().threads.create({ title: 'F', kind: 'exchange', setup: { minds } });
  const { thread: loom } = await human().threads.create({ title: 'G', kind: 'loom', setup: { text: 'Begin.' } });
  const rooms = {
    thread: await openRoom('threads', thread.id),
    dialogue: await openRoom('dialogue', dialogue.id),
    exchange: await openRoom('exchange', exchange.id),
    loom: await openRoom('loom', loom.id),
  };
  await human().thread(thread.id).post({ type: 'message', content: 'Reeds?' });
  await human()
    .thread(dialogue.id)
    .command('message', { text: 'Reeds?', run: { iterations: 1 } });
  await human().thread(exchange.id).command('run', { rounds: 1 });
  await human().thread(loom.id).command('generate', { n: 1 });
  for (const page of Object.values(rooms)) await see(page.getByText(/half5/));
  await pages.killServer();
  await fake.close();
  await pages.restartServer();
  for (const page of Object.values(rooms)) await see(page.getByRole('status').getByText('connected', { exact: true }));
  await see(rooms.thread.getByText(/waiting for the model/));
  await see(rooms.dialogue.getByRole('status', { name: 'Waiting' }));
  await see(rooms.exchange.getByText('The minds wait for their model'));
  await see(rooms.loom.getByText('Your text was not changed.'));
  for (const [name, page] of Object.entries(rooms)) expect(await page.getByText(/half0/).count(), name).toBe(0);
});
