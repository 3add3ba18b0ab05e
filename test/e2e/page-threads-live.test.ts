import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { splitTokens } from '../../src/models/scripted/tokens.ts';
import { createGate, startFakeModels } from '../support/models/fake-models.ts';
import { agents, atWork } from './page-agents-support.ts';
import { giveModels } from './page-models-support.ts';
import { gone, noSeriousFindings, row, see, setUpPages, write } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { thread } = agents(pages);

const sentence = (n: number) => `Sentence ${n} of the answer.`;
const many = (count: number) => Array.from({ length: count }, (_, n) => sentence(n)).join('\n\n');
const slow = (text: string) => ({ text, pace: 40 });

function live(page: Page) {
  return atWork(page).getByRole('article', { name: 'alpha is writing' });
}

/** A thread with an agent whose model is at a socket. */
async function farThread(base_url: string, title: string): Promise<string> {
  giveModels(pages.server.workspace, {}, { others: { far: { provider: 'openai-chat', base_url, model: 'far' } } });
  const profile = { kind: 'agent' as const, client: 'model', model: 'far' };
  const made = await pages.human().threads.create({ title, invite: [{ participant_id: 'wise', profile }] });
  return made.thread.id;
}

/** Where an element stands in the window. */
function topOf(page: Page, text: string): Promise<number> {
  return page
    .getByText(text, { exact: true })
    .last()
    .evaluate((element) => Math.round(element.getBoundingClientRect().top));
}

test('[M12] an answer grows where it will stand, with a face, words and time, and does not move when it is finished', async () => {
  const models = await startFakeModels();
  onTestFinished(() => models.close());
  const gate = createGate(splitTokens(many(6)).length - 1);
  models.script({ text: 'PASS' }, { text: many(6), gate });
  const id = await farThread(models.openAiUrl, 'Growing');
  const ours = pages.human().thread(id);
  for (let n = 0; n < 12; n++) await ours.post({ type: 'message', to: 'human', content: `Earlier ${n}` });
  const page = await pages.open(`/threads/${id}`);
  await expect.poll(() => models.requests.length).toBe(1);
  await write(page, 'Go on.');
  const growing = atWork(page).getByRole('article', { name: 'wise is writing' });
  await see(growing.getByText(sentence(4), { exact: true }));
  await gate.reached;
  await see(growing.getByText(/^Writing · \d\d words$/));
  await see(growing.getByRole('button', { name: 'Stop wise' }));
  await see(page.getByRole('complementary').getByText(/^Writing/));
  await noSeriousFindings(page, 'a thread while an agent writes');
  const before = await topOf(page, sentence(4));
  gate.open();
  await see(row(page, sentence(5)));
  await gone(atWork(page));
  expect(await topOf(page, sentence(4))).toBe(before);
});

test('[M12] Stop ends an answer that is being written', async () => {
  const id = await thread('Stopped', { id: 'alpha', answers: [slow(many(200))] });
  const page = await pages.open(`/threads/${id}`);
  await write(page, 'Go on.');
  await see(live(page).getByText(sentence(0)));
  await live(page).getByRole('button', { name: 'Stop alpha' }).click();
  await gone(atWork(page));
  await see(page.getByRole('feed').getByText('alpha was stopped by human'));
});

test('[M12] [I11] a reader who has scrolled up is not moved by what is written below, and jumps to it when wanted', async () => {
  const id = await thread('Reading', { id: 'alpha', answers: [slow(many(60))] });
  const ours = pages.human().thread(id);
  for (let n = 0; n < 18; n++) await ours.post({ type: 'message', to: 'human', content: `Earlier ${n}` });
  const page = await pages.open(`/threads/${id}`);
  await see(row(page, 'Earlier 17'));
  await write(page, 'Go on.');
  await see(live(page).getByText(sentence(1)));
  const area = page.locator('.timeline');
  await area.hover();
  await page.mouse.wheel(0, -300);
  const jump = page.getByRole('button', { name: 'Jump to latest' });
  await see(jump);
  const place = await topOf(page, 'Earlier 16');
  const grown = await live(page).innerText();
  await expect.poll(async () => (await live(page).innerText()).length).toBeGreaterThan(grown.length + 200);
  expect(await topOf(page, 'Earlier 16')).toBe(place);
  await jump.click();
  await expect
    .poll(() => area.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight))
    .toBeLessThan(40);
});

test('[T18] the words of an answer that was cut off stay, also after a reload, until the answer comes', async () => {
  const models = await startFakeModels();
  onTestFinished(() => models.close());
  const answer = 'Frost first, then the Sundays.';
  models.script(
    { text: 'PASS' },
    { text: 'Frost first because it is urgent', fault: 'cut', after: 4 },
    { text: answer },
  );
  const page = await pages.open(`/threads/${await farThread(models.openAiUrl, 'Cut')}`);
  await see(page.getByRole('feed').getByText('invited wise'));
  await expect.poll(() => models.requests.length).toBe(1);
  await write(page, 'What goes first?');
  const cut = page.getByRole('article', { name: 'What was kept of an answer' });
  await see(cut.getByText('Frost first because it'));
  await see(cut.getByText(/Cut off after 4 words; they are kept\./));
  await see(cut.getByRole('button', { name: 'Stop' }));
  await page.reload();
  await see(cut.or(row(page, answer)));
  await see(row(page, answer));
  await gone(cut);
});

test('[I12] changes of members and settings are one line that opens; days and groups are seen', async () => {
  const id = await thread('Folded', { id: 'alpha', answers: [] });
  const ours = pages.human().thread(id);
  await ours.post({ type: 'control', content: { mute: { targets: ['alpha'] } } });
  for (const content of ['One.', 'Two.']) await ours.post({ type: 'message', content });
  const page = await pages.open(`/threads/${id}`);
  await see(page.getByRole('feed').getByText('Today'));
  const fold = page.getByRole('feed').getByRole('button', { name: 'human muted alpha and 3 more changes' });
  await see(fold);
  expect(await page.getByText('human created the thread').count()).toBe(0);
  await fold.click();
  await see(page.getByText('human created the thread'));
  await see(page.getByText('human invited alpha'));
  // The second message of the same author goes on without a name.
  expect(await row(page, 'One.').getByText('human', { exact: true }).count()).toBe(1);
  expect(await row(page, 'Two.').getByText('human', { exact: true }).count()).toBe(0);
});

test('[I12] the settings of a thread are saved together, by keyboard alone', async () => {
  const id = await thread('Rules', { id: 'alpha', answers: [] });
  const page = await pages.open(`/threads/${id}`);
  await page.getByRole('button', { name: 'Thread settings' }).focus();
  await page.keyboard.press('Enter');
  const settings = page.getByRole('dialog', { name: 'Thread settings' });
  await settings.getByLabel('Only when mentioned').focus();
  await page.keyboard.press('Space');
  await settings.getByLabel('Replies of agents to agents').fill('2');
  await settings.getByLabel('Models pause at this cost, in $').fill('2.5');
  await settings.getByRole('switch', { name: 'Approve before posting' }).focus();
  await page.keyboard.press('Space');
  await settings.getByLabel('alpha').fill('Write like a neighbour.');
  await noSeriousFindings(page, 'the settings of a thread');
  await settings.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await gone(settings);
  const { state } = await pages.human().thread(id).state();
  expect(state).toMatchObject({ policy: { mode: 'large', hops: 2 }, budget: { money: 2.5 } });
  expect(state.participants.find((each) => each.id === 'alpha')?.profile).toMatchObject({
    posting: 'draft',
    instructions: 'Write like a neighbour.',
  });
  await see(page.getByRole('complementary').getByText('when mentioned, drafts first'));
});

test('[I12] a thread of forty is usable at 1280 and 360 pixels', async () => {
  const invite = Array.from({ length: 40 }, (_, n) => ({
    participant_id: `agent-${n}`,
    profile: { kind: 'agent' as const },
  }));
  const { thread: made } = await pages.human().threads.create({ title: 'Forty', invite });
  const page = await pages.open(`/threads/${made.id}`);
  await see(page.getByText('and 36 more'));
  await page.getByLabel('Your message').fill('Hello, all of you.');
  await page.getByRole('button', { name: 'To whom' }).click();
  await page.getByRole('menuitem', { name: 'agent-39' }).click();
  await see(page.getByRole('button', { name: 'To whom' }).getByText('agent-39'));
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (width === 360) await page.getByRole('button', { name: 'People' }).click();
    await page.getByRole('button', { name: 'More for agent-39' }).click();
    await see(page.getByRole('menuitem', { name: 'Ask to reply' }));
    const sticksOut = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(sticksOut)).toBe(0);
    await noSeriousFindings(page, `a thread of forty at ${width} px`);
    await page.keyboard.press('Escape');
  }
});
