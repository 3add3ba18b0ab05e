// What can be done with a message that stands: edit one's own, ask an agent for another reply.
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFakeModels } from '../support/models/fake-models.ts';
import { would } from './page-agents-support.ts';
import { giveModels } from './page-models-support.ts';
import { act, gone, noSeriousFindings, row, see, setUpPages, shortcut, write } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();

const EDITOR = 'Your message, edited';

async function newThread(title: string, ...messages: readonly string[]): Promise<string> {
  const { id } = (await pages.human().threads.create({ title })).thread;
  for (const content of messages) await pages.human().thread(id).post({ type: 'message', content });
  return id;
}

async function pressOn(message: Locator, name: string): Promise<void> {
  await message.hover();
  await message.getByRole('button', { name, exact: true }).click();
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((each) => each === document.activeElement);
}

test('[T35] I edit my message in its place; another tab sees it, and every version stays with what changed', async () => {
  const id = await newThread('Beds', 'We plant beens on Friday.');
  const [page, other] = [await pages.open(`/threads/${id}`), await pages.open(`/threads/${id}`)];
  await see(row(other, 'beens'));
  await pressOn(row(page, 'beens'), 'Edit');
  const field = page.getByLabel(EDITOR);
  expect(await isFocused(field)).toBe(true);
  await see(page.getByText('This wakes nobody. Earlier versions are kept.'));
  await noSeriousFindings(page, 'a message being edited');
  await field.fill('We plant beans on Friday.');
  await page.keyboard.press('Control+Enter');
  await gone(field);
  for (const each of [page, other]) await see(row(each, 'We plant beans on Friday.').getByText('edited'));
  expect(await isFocused(row(page, 'beans'))).toBe(true);
  await row(other, 'beans')
    .getByRole('button', { name: /^edited/ })
    .click();
  const versions = other.getByRole('dialog', { name: 'Versions of this message' });
  await see(versions.getByText('We plant beens on Friday.'));
  expect([await versions.locator('del').innerText(), await versions.locator('ins').innerText()]).toEqual([
    'beens',
    'beans',
  ]);
  await noSeriousFindings(other, 'the versions of a message');
});

test('[T35] Up in an empty message edits my last one, `e` the one I look at; Esc cancels', async () => {
  const id = await newThread('Keys', 'The first.', 'The second.');
  const page = await pages.open(`/threads/${id}`);
  await see(row(page, 'The second.'));
  const field = page.getByLabel(EDITOR);
  await page.getByLabel('Your message', { exact: true }).press('ArrowUp');
  await expect.poll(() => field.inputValue()).toBe('The second.');
  await field.fill('Something else.');
  await page.keyboard.press('Escape');
  await gone(field);
  expect(await isFocused(page.getByLabel('Your message', { exact: true }))).toBe(true);
  await shortcut(page, 'k');
  await page.keyboard.press('k');
  await page.keyboard.press('e');
  await expect.poll(() => field.inputValue()).toBe('The first.');
  await page.keyboard.press('Escape');
  await gone(field);
  expect((await pages.human().thread(id).events({ limit: 100 })).events.map(({ type }) => type)).not.toContain(
    'message.versioned',
  );
});

test('[T35] what I typed is there after a reload, and is saved when the server is back', async () => {
  const id = await newThread('Away', 'We plant beens.');
  const page = await pages.open(`/threads/${id}`);
  await pressOn(row(page, 'We plant beens.'), 'Edit');
  const field = page.getByLabel(EDITOR);
  await field.fill('We plant beans.');
  await page.reload();
  await see(field);
  expect(await field.inputValue()).toBe('We plant beans.');
  await pages.killServer();
  await page.getByRole('button', { name: 'Save' }).click();
  await see(page.getByRole('button', { name: 'Saving…' }));
  expect(await field.inputValue()).toBe('We plant beans.');
  await pages.restartServer();
  await gone(field);
  await see(row(page, 'We plant beans.').getByText('edited'));
});

test('[T35] a refusal stands where I edit, and my text stays', async () => {
  const id = await newThread('Limit', 'We plant beens.');
  const ours = pages.human().thread(id);
  const [event] = (await ours.events({ before: 'head', limit: 1 })).events;
  for (let n = 1; n <= 50; n++) await ours.edit(event?.id as string, `We plant beens, ${n}.`);
  const page = await pages.open(`/threads/${id}`);
  await pressOn(row(page, 'We plant beens, 50.'), 'Edit');
  const field = page.getByLabel(EDITOR);
  await field.fill('We plant peas.');
  await page.keyboard.press('Control+Enter');
  await see(row(page, 'Save').getByText('This message has 50 versions, which is the limit. Post a new message.'));
  expect(await field.inputValue()).toBe('We plant peas.');
});

test('[T35] files of a message stay when I edit it, and messages of others cannot be edited', async () => {
  const id = await newThread('Files');
  const alpha = await pages.agent('alpha');
  await alpha.thread(id).post({ type: 'message', content: 'Not yours.' });
  const { blob } = await pages.human().blobs.upload(new Uint8Array(Buffer.from('plot,name\n12,Hale')));
  const attachments = [{ blob, name: 'plots.csv' }];
  await pages.human().thread(id).post({ type: 'message', content: 'The plots', meta: { attachments } });
  const page = await pages.open(`/threads/${id}`);
  await pressOn(row(page, 'The plots'), 'Edit');
  await see(row(page, 'plots.csv'));
  await page.getByLabel(EDITOR).fill('All plots');
  await page.getByRole('button', { name: 'Save' }).click();
  await see(row(page, 'All plots').getByText('plots.csv'));
  await row(page, 'Not yours.').hover();
  await see(row(page, 'Not yours.').getByRole('button', { name: 'Reply' }));
  expect(await row(page, 'Not yours.').getByRole('button', { name: 'Edit' }).count()).toBe(0);
});

/** A thread with an agent whose model is at a socket, and has had its first word. */
async function askedOnce(title: string, ...answers: readonly string[]) {
  const models = await startFakeModels();
  onTestFinished(() => models.close());
  models.script({ text: 'PASS' }, ...answers.map((text) => ({ text })));
  const far = { provider: 'openai-chat', base_url: models.openAiUrl, model: 'far' };
  giveModels(pages.server.workspace, {}, { others: { far } });
  const profile = { kind: 'agent' as const, client: 'model', model: 'far', nickname: `Wise ${title}` };
  const made = await pages.human().threads.create({ title, invite: [{ participant_id: 'wise', profile }] });
  await expect.poll(() => models.requests.length).toBe(1);
  return { id: made.thread.id, models };
}

test('[T39] an agent answers my message again, as it reads now; both replies stay and the second says so', async () => {
  const { id, models } = await askedOnce('Again', 'Beans.', 'Ferns.');
  const page = await pages.open(`/threads/${id}`);
  await write(page, 'What do we plant?');
  const first = row(page, 'Beans.');
  await see(first);
  await pressOn(row(page, 'What do we plant?'), 'Edit');
  await page.getByLabel(EDITOR).fill('What do we plant in the shade?');
  await page.keyboard.press('Control+Enter');
  await see(row(page, 'in the shade?').getByText('edited'));
  expect(models.requests.length, 'an edit wakes nobody').toBe(2);
  await pressOn(first, 'Ask again');
  const second = row(page, 'Ferns.');
  await see(second.getByRole('link', { name: 'Another reply to human: What do we plant in the shade?' }));
  await see(page.getByRole('feed').getByText('to answer again'));
  await see(first);
  const sent = String(models.requests[2]?.body.messages?.at(-1)?.content);
  expect(sent).toContain('| Beans.');
  expect(sent).toMatch(/\| What do we plant in the shade\?\n[^\n]+\n\nhuman asks you to answer this once more\./);
  const { events } = await pages.human().thread(id).events({ limit: 100 });
  const replies = events.filter(({ type, from }) => type === 'message' && from === 'wise');
  expect(new Set(replies.map(({ meta }) => meta.reply_to)).size).toBe(1);
});

test('[T39] no other reply is asked of people or of a muted agent', async () => {
  const { id } = await askedOnce('Muted', 'Beans.');
  const page = await pages.open(`/threads/${id}`);
  await write(page, 'What do we plant?');
  const reply = row(page, 'Beans.');
  await reply.hover();
  await see(reply.getByRole('button', { name: 'Ask again' }));
  await row(page, 'What do we plant?').hover();
  expect(await row(page, 'What do we plant?').getByRole('button', { name: 'Ask again' }).count()).toBe(0);
  await act(page, 'wise', 'Mute');
  await see(page.getByRole('feed').getByText('human muted'));
  await reply.hover();
  await see(reply.getByRole('button', { name: 'Reply' }));
  expect(await reply.getByRole('button', { name: 'Ask again' }).count()).toBe(0);
});

async function namesIn(page: Page): Promise<string[]> {
  const people = page.getByRole('complementary', { name: 'People' }).getByRole('listitem');
  return people.evaluateAll((rows) => rows.map((each) => each.querySelector('b')?.textContent ?? ''));
}

test('[T17] [I12] the page says who will answer by name, lists me first, and counts messages', async () => {
  const { id } = await askedOnce('Names', 'Beans.');
  await pages.human().thread(id).post({ type: 'message', content: 'Hello' });
  const page = await pages.open(`/threads/${id}`);
  await see(would(page).getByText('Wise Names will answer.'));
  expect(await namesIn(page)).toEqual(['human', 'Wise Names']);
  await see(page.getByRole('region', { name: 'In this thread' }).getByText(/^2 messages · [\d,]+ tokens/));
});

test('[I12] an empty thread asks for the first message and has nothing to catch up with', async () => {
  const id = await newThread('Empty');
  const page = await pages.open(`/threads/${id}`);
  await see(page.getByPlaceholder('Write the first message'));
  const catchUp = page.getByRole('main').getByRole('button', { name: 'Catch me up' });
  expect(await catchUp.count()).toBe(0);
  await write(page, 'Hello');
  await see(catchUp);
  await see(page.getByPlaceholder('Message Empty'));
});

test('[I12] the head searches in this thread alone', async () => {
  const id = await newThread('Here', 'A heron in the reeds.');
  await newThread('There', 'A heron on the roof.');
  const page = await pages.open(`/threads/${id}`);
  await page.getByRole('button', { name: 'Search in this thread' }).click();
  await page.keyboard.type('heron');
  const found = page.getByRole('option').filter({ hasText: 'heron' });
  await see(found.filter({ hasText: 'in the reeds' }));
  expect(await found.filter({ hasText: 'on the roof' }).count()).toBe(0);
});

test('[I12] on a touch screen Enter begins a new line and the button sends; nothing in the composer is cut off', async () => {
  const id = await newThread('Touch', 'Hello');
  const options = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const page = await pages.open(`/threads/${id}`, options);
  const field = page.getByLabel('Your message', { exact: true });
  await field.fill('One');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Two');
  expect(await field.inputValue()).toBe('One\nTwo');
  expect(await page.getByText('Enter to send').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Send' }).tap();
  await see(row(page, 'Two'));
  expect(await field.inputValue()).toBe('');
});

test('[I11] at 1440 px the words of the search field stand whole beside its key', async () => {
  const page = await pages.open('/', { viewport: { width: 1440, height: 900 } });
  const words = page.getByRole('navigation').getByText('Search or run a command');
  expect(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
