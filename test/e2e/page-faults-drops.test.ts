import { expect, onTestFinished, test, vi } from 'vitest';
import { type FakeModels, startFakeModels } from '../support/models/fake-models.ts';
import { letter, round, thinks } from './page-exchange-support.ts';
import { reads, shown } from './page-loom-support.ts';
import { giveModels } from './page-models-support.ts';
import { gone, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();

const words = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');

async function models(): Promise<FakeModels> {
  const fake = await startFakeModels();
  onTestFinished(() => fake.close());
  const far = { provider: 'openai-chat', base_url: fake.openAiUrl, model: 'far' };
  const base = { provider: 'openai-completions', base_url: fake.openAiUrl, model: 'base' };
  giveModels(pages.server.workspace, {}, { others: { far, base }, defaults: { loom: 'base' } });
  return fake;
}

/** The connection to the provider ends in the middle of this, each time. */
const drops = (text: string) => ({ text, fault: 'cut' as const, after: 30, repeat: 'always' as const });

const KEPT = 'The answer was cut off here. The text so far is kept.';

test('[D31] [I14] an exchange: of a thought whose provider broke off, what had arrived is shown and said, also after a reload', async () => {
  const fake = await models();
  fake.script(drops(thinks(`Reeds stand. ${words(60, 'w')}`)));
  const setup = { minds: [{ id: 'heron', model: 'far' }], auditor_model: 'far', audit_every: 9 };
  const { thread } = await pages.human().threads.create({ title: 'Thought', kind: 'exchange', setup });
  const page = await pages.open(`/exchange/${thread.id}`);
  await pages.human().thread(thread.id).command('run', { rounds: 1 });
  await see(page.getByText('The minds wait for their model'));
  await see(page.getByText(/Reeds stand\. w0/));
  await see(page.getByText(KEPT));
  // It is no thought that is being written.
  expect(await page.getByText(/Reeds stand/).count()).toBe(1);
  expect(await round(page, 1).count()).toBe(0);
  await page.reload();
  await see(page.getByText(/Reeds stand\. w0/));
  await see(page.getByText(KEPT));
});

test('[D31] [I14] an exchange: the same of an audit', async () => {
  const fake = await models();
  fake.script({ text: thinks('Reeds.') }, drops(`A letter. ${words(60, 'w')}`));
  const setup = { minds: [{ id: 'heron', model: 'far' }], auditor_model: 'far', audit_every: 1 };
  const { thread } = await pages.human().threads.create({ title: 'Audit', kind: 'exchange', setup });
  const page = await pages.open(`/exchange/${thread.id}`);
  await pages.human().thread(thread.id).command('run', { rounds: 1 });
  await see(page.getByText('The auditor waits for its model'));
  await see(page.getByText(/A letter\. w0/));
  await see(page.getByText(KEPT));
  expect(await letter(page, 1).count()).toBe(0);
  await page.reload();
  await see(page.getByText(/A letter\. w0/));
  await see(page.getByText(KEPT));
});

test('[W16] [I15] a loom: of a continuation whose provider broke off, what had arrived is a continuation, and it is said', async () => {
  const fake = await models();
  fake.script({ text: ` Reeds stand. ${words(60, 'w')}`, fault: 'cut', after: 30 });
  const { thread } = await pages.human().threads.create({ title: 'Loom', kind: 'loom', setup: { text: 'Begin.' } });
  const page = await pages.open(`/loom/${thread.id}`);
  await see(page.getByRole('textbox', { name: 'Text of the loom' }));
  await pages.human().thread(thread.id).command('generate', { n: 1 });
  await see(page.getByText('The text so far is kept.'));
  await gone(page.getByRole('button', { name: 'Stop' }));
  const text = await shown(page);
  expect(text).toMatch(/^Begin\. Reeds stand\. w0/);
  await page.reload();
  await reads(page, text);
});
