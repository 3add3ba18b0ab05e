import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type FakeModels, startFakeModels } from '../support/models/fake-models.ts';
import { atWork } from './page-agents-support.ts';
import { says, soon } from './page-dialogue-support.ts';
import { letter, round, thinks } from './page-exchange-support.ts';
import { giveModels } from './page-models-support.ts';
import { sideways, smallTargets } from './page-states-support.ts';
import { fromHead, noSeriousFindings, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 90_000 });
const pages = setUpPages();

const words = Array.from({ length: 90 }, (_, i) => `word${i}`).join(' ');
const hangs = (text: string) => ({ text, fault: 'hang' as const, after: 70 });
const profile = { kind: 'agent' as const, client: 'model', model: 'far' };

async function models(): Promise<FakeModels> {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const far = { provider: 'openai-chat', base_url: fake.openAiUrl, model: 'far' };
  const base = { provider: 'openai-completions', base_url: fake.openAiUrl, model: 'base' };
  giveModels(pages.server.workspace, {}, { others: { far, base }, defaults: { loom: 'base' } });
  return fake;
}

/** A place on a desk in light, and on a phone in the dark. */
async function onBoth(path: string): Promise<readonly Page[]> {
  const still = { reducedMotion: 'reduce' as const };
  const desk = await pages.open(path, { ...still, viewport: { width: 1440, height: 900 } });
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: 'dark' as const };
  return [desk, await pages.open(path, { ...still, ...phone })];
}

/** From now on they see what is written. */
async function loaded(all: readonly Page[], words: string | RegExp): Promise<void> {
  for (const page of all) {
    await see(page.getByText(words));
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor({ state: 'attached' });
  }
}

/** It can be read, named and pressed. */
async function holds(name: string, all: readonly Page[]): Promise<void> {
  for (const [i, page] of all.entries()) {
    const [where, least] = i === 0 ? [`${name} at 1440 px`, 32] : [`${name} at 360 px, dark`, 44];
    await noSeriousFindings(page, where);
    expect(await page.evaluate(smallTargets, least), where).toEqual([]);
    await soon(() => page.evaluate(sideways), where).toEqual([]);
  }
}

test('[I11] [M12] each room while a model writes, and when it broke off, can be read, named and pressed', async () => {
  const fake = await models();
  const { human } = pages;
  const invite = [{ participant_id: 'wise', profile }];
  fake.script({ text: 'PASS' });
  const { thread } = await human().threads.create({ title: 'Thread', invite });
  await expect.poll(() => fake.requests.length).toBe(1);
  const { thread: dialogue } = await human().threads.create({
    title: 'Dialogue',
    kind: 'dialogue',
    setup: { model: 'far' },
  });
  const setup = { minds: [{ id: 'heron', model: 'far' }], auditor_model: 'far', audit_every: 1 };
  const { thread: exchange } = await human().threads.create({ title: 'Exchange', kind: 'exchange', setup });
  const { thread: loom } = await human().threads.create({ title: 'Loom', kind: 'loom', setup: { text: 'Begin.' } });

  const inThread = await onBoth(`/threads/${thread.id}`);
  await loaded(inThread, /invited wise/);
  fake.script(hangs(words));
  await human().thread(thread.id).post({ type: 'message', content: 'Go on.' });
  for (const page of inThread) await see(atWork(page).getByText(/word9/));
  await holds('thread writing', inThread);

  const inDialogue = await onBoth(`/dialogue/${dialogue.id}`);
  await loaded(inDialogue, 'Ask, and a mind drafts an answer');
  fake.script({ text: says('A whole one.') }, hangs(says(words)));
  await human()
    .thread(dialogue.id)
    .command('message', { text: 'Go', run: { iterations: 2 } });
  for (const page of inDialogue) await see(page.getByText(/word9/));
  await holds('dialogue writing', inDialogue);

  const inExchange = await onBoth(`/exchange/${exchange.id}`);
  await loaded(inExchange, 'No round has run yet');
  fake.script({ text: thinks('A thought.') }, hangs(words));
  await human().thread(exchange.id).command('run', { rounds: 1 });
  for (const page of inExchange) await see(letter(page, 1).getByText(/word9/));
  for (const page of inExchange) await see(round(page, 1));
  await holds('exchange writing', inExchange);

  const inLoom = await onBoth(`/loom/${loom.id}`);
  await loaded(inLoom, 'Begin.');
  fake.answer(() => hangs(` ${words}`));
  await human().thread(loom.id).command('generate', { n: 3 });
  for (const page of inLoom) await see(page.getByText(/word9/));
  await holds('loom writing', inLoom);

  // The provider goes away in the middle of all of it.
  await fake.close();
  for (const page of inThread) await see(page.getByRole('article', { name: 'What was kept of an answer' }));
  for (const page of [...inDialogue, ...inExchange]) await see(page.getByText('The text so far is kept.'));
  for (const page of inLoom) await see(page.getByText(/The text so far is kept|arrived\./));
  for (const [name, all] of Object.entries({
    thread: inThread,
    dialogue: inDialogue,
    exchange: inExchange,
    loom: inLoom,
  }))
    await holds(`${name} broken off`, all);
});

test('[I11] lists, settings and the dialogs of a thread can be read, named and pressed, on a phone too', async () => {
  await models();
  const { thread } = await pages.human().threads.create({ title: 'Dialogs' });
  await pages.human().thread(thread.id).post({ type: 'message', content: 'Hello.' });
  for (const path of ['/all', '/settings']) {
    const all = await onBoth(path);
    for (const page of all) await see(page.getByRole('heading', { level: 1 }));
    await holds(path, all);
  }
  const all = await onBoth(`/threads/${thread.id}`);
  for (const page of all) await see(page.getByText('Hello.'));
  const [desk, phone] = all as [Page, Page];
  await phone.getByRole('button', { name: 'People' }).click();
  await see(phone.getByRole('dialog', { name: 'People' }));
  await holds('the panel of a thread', all);
  await desk.getByRole('complementary', { name: 'People' }).getByRole('button', { name: 'Invite' }).click();
  await phone.getByRole('dialog', { name: 'People' }).getByRole('button', { name: 'Invite' }).click();
  for (const page of all) await see(page.getByRole('dialog', { name: 'Invite' }));
  await holds('the invite dialog', all);
  for (const page of all) {
    await page.keyboard.press('Escape');
    if (page === desk) await page.getByRole('button', { name: 'Thread settings' }).click();
    else await fromHead(page, 'Thread settings');
    await see(page.getByRole('dialog', { name: 'Thread settings' }));
  }
  await holds('the settings of a thread', all);
});
