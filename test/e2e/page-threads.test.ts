import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { HeddleRefusal } from '../../src/client/index.ts';
import { gone, row, see, setUpPages, write, written } from './page-support.ts';

const pages = setUpPages();

async function begin(page: Page, title: string): Promise<string> {
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('Title').fill(title);
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: title, level: 1 }));
  return new URL(page.url()).pathname.split('/')[2] as string;
}

async function invite(page: Page, id: string): Promise<void> {
  await page.getByLabel('Whom to invite').fill(id);
  await page.keyboard.press('Enter');
  await see(page.getByRole('complementary').getByRole('button', { name: id }));
}

async function act(page: Page, id: string, name: string): Promise<void> {
  const person = page.getByRole('complementary').getByRole('button', { name: id });
  if ((await person.getAttribute('aria-expanded')) === 'false') await person.click();
  await page
    .getByRole('group', { name: `What to do about ${id}` })
    .getByRole('button', { name, exact: true })
    .click();
}

test('[I12] a person creates a thread, writes, and replies', async () => {
  const page = await pages.open();
  await begin(page, 'Garden');
  await write(page, 'What **grows** in shade?');
  await see(row(page, 'What grows in shade?').locator('strong'));
  await gone(page.locator('.outgoing'));
  const asked = row(page, 'What grows in shade?');
  await asked.hover();
  const boxOf = async (part: string) => (await asked.locator(part).boundingBox()) ?? { y: Number.NaN, height: 0 };
  const [words, acts] = [await boxOf('.said'), await boxOf('.acts')];
  expect(acts.y + acts.height, 'actions hide no words of their row').toBeLessThanOrEqual(words.y);
  await asked.getByRole('button', { name: 'Reply' }).click();
  await page.getByLabel('Your reply to human').fill('Ferns do.');
  await page.keyboard.press('Enter');
  const reply = row(page, 'Ferns do.');
  await see(reply.getByRole('link', { name: 'human: What grows in shade?' }));
  expect(await written(page)).toEqual(['What grows in shade?', 'Ferns do.']);
});

test('[T4] a message is addressed to one participant, and may be a task whose state is seen', async () => {
  const alpha = await pages.agent('alpha');
  const page = await pages.open();
  const id = await begin(page, 'Prices');
  await invite(page, 'alpha');
  await page.getByLabel('To whom').selectOption('alpha');
  await page.getByLabel('as a task').check();
  await write(page, 'List the prices');
  const task = row(page, 'task, open').filter({ hasText: 'List the prices' });
  await see(task.getByText('to alpha'));
  const [event] = (await pages.human().thread(id).events({ before: 'head', limit: 1 })).events;
  const reply_to = event?.id as string;
  await alpha.thread(id).post({ type: 'result', content: { status: 'claimed' }, meta: { reply_to } });
  await see(page.getByText('task, claimed by alpha'));
  await alpha.thread(id).post({ type: 'result', content: 'Nine euros', meta: { reply_to } });
  await see(page.getByText('task, done by alpha'));
  await see(row(page, 'Nine euros').getByText('task done'));
});

test('[T2] inviting is told in the thread, and being there is shown apart from being invited', async () => {
  const page = await pages.open();
  const id = await begin(page, 'Guests');
  await page.getByLabel('Whom to invite').fill('beta');
  await page.getByRole('button', { name: 'With a profile' }).click();
  await page.getByLabel('Nickname').fill('Bea');
  await page.getByLabel('Roles').fill('reviewer, gardener');
  await page.keyboard.press('Enter');
  await see(page.getByRole('feed').getByText('human invited beta'));
  const beta = page.getByRole('complementary').getByRole('button', { name: 'beta' });
  expect((await beta.innerText()).trim()).toBe('beta');
  const agent = await pages.agent('beta');
  await agent.thread(id).declare('thinking');
  await see(beta.getByText('thinking', { exact: true }));
  const leave = new AbortController();
  const stream = agent.thread(id).stream({ after: 'head', signal: leave.signal });
  const next = stream.next();
  await see(beta.getByText('online, thinking'));
  leave.abort();
  await next;
  await beta.click();
  await see(page.getByText('Bea, reviewer, gardener'));
  await act(page, 'beta', 'Uninvite');
  await see(page.getByRole('feed').getByText('human uninvited beta'));
});

test('[T7] a muted agent is refused and can write again when unmuted', async () => {
  const alpha = await pages.agent('alpha');
  const page = await pages.open();
  const id = await begin(page, 'Quiet');
  await invite(page, 'alpha');
  await act(page, 'alpha', 'Mute');
  await see(page.getByRole('feed').getByText('human muted alpha'));
  const refusal = await alpha
    .thread(id)
    .post({ type: 'message', content: 'But' })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HeddleRefusal);
  expect(refusal).toMatchObject({ code: 'participant_muted', thread: id, participant: 'alpha' });
  await act(page, 'alpha', 'Unmute');
  await see(page.getByRole('feed').getByText('human unmuted alpha'));
  await alpha.thread(id).post({ type: 'message', content: 'Thank you' });
  await see(row(page, 'Thank you'));
});

test('[T7] what a softly muted agent writes is folded, and can be shown', async () => {
  const alpha = await pages.agent('alpha');
  const page = await pages.open();
  const id = await begin(page, 'Folded');
  await invite(page, 'alpha');
  await alpha.thread(id).post({ type: 'message', content: 'Before the mute' });
  await see(row(page, 'Before the mute'));
  await act(page, 'alpha', 'Mute, fold messages');
  await see(page.getByText('muted softly', { exact: true }));
  await alpha.thread(id).post({ type: 'message', content: 'Chatter' });
  const fold = page.getByRole('button', { name: 'Folded while alpha is softly muted. Show' });
  await see(fold);
  expect(await written(page)).toEqual(['Before the mute']);
  await fold.click();
  await see(row(page, 'Chatter').locator('.prose'));
});

test('[T7] while a thread is paused agents are refused; humans write on', async () => {
  const alpha = await pages.agent('alpha');
  const page = await pages.open();
  const id = await begin(page, 'Pausing');
  await page.getByRole('button', { name: 'Pause' }).click();
  await see(page.getByText('paused: agents may not write').first());
  await expect(alpha.thread(id).post({ type: 'message', content: 'x' })).rejects.toMatchObject({
    code: 'thread_paused',
  });
  await write(page, 'I may');
  await see(row(page, 'I may'));
  await see(page.getByRole('navigation').getByRole('link', { name: /Pausing.*paused/ }));
  await page.getByRole('button', { name: 'Resume' }).click();
  await see(page.getByRole('feed').getByText('human resumed the thread'));
  await alpha.thread(id).post({ type: 'message', content: 'Now I may' });
  await see(row(page, 'Now I may'));
});

test('[T5] prod, rename, time limit: each told in a sentence', async () => {
  const page = await pages.open();
  await begin(page, 'Sentences');
  await invite(page, 'alpha');
  await act(page, 'alpha', 'Ask to reply');
  await see(page.getByRole('feed').getByText('human prodded alpha'));
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('form', { name: 'Rename' }).getByLabel('Title').fill('Better sentences');
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'Better sentences', level: 1 }));
  await see(page.getByRole('feed').getByText('human renamed the thread “Better sentences”'));
  await page.getByLabel('After a human’s last message agents may go on').selectOption('for 5 minutes');
  await see(page.getByRole('feed').getByText('human lets agents go on for 5 minutes after a human’s last message'));
  await write(page, 'Go');
  await see(page.getByRole('banner').or(page.locator('.head')).getByText('agents may go on for 5 min'));
});

test('[T8] done closes a thread and a human message opens it again', async () => {
  const page = await pages.open();
  await begin(page, 'Ending');
  await page.getByRole('button', { name: 'Mark done' }).click();
  await see(page.getByText('done: agents are not woken until a human writes'));
  await see(page.getByRole('navigation').getByRole('link', { name: /Ending.*done/ }));
  await write(page, 'One more thing');
  await gone(page.getByText('done: agents are not woken until a human writes'));
  await see(page.getByRole('button', { name: 'Mark done' }));
});

test('[T11] a side channel shows its question where it was opened and its summary where it closed, linked both ways', async () => {
  const page = await pages.open();
  await begin(page, 'Walls');
  await invite(page, 'alpha');
  await page.getByRole('button', { name: 'Open a side channel' }).click();
  const form = page.getByRole('form', { name: 'Open a side channel' });
  await form.getByLabel('The question').fill('Which ivy is harmless?');
  await form.getByLabel('alpha').check();
  await form.getByRole('button', { name: 'Open it' }).click();
  await see(page.getByRole('heading', { name: 'Which ivy is harmless?', level: 1 }));
  await see(page.getByText('human opened this side channel'));
  const close = page.getByRole('form', { name: 'Close the side channel' });
  expect(await close.getByRole('button').isDisabled()).toBe(true);
  const list = page.getByRole('navigation').getByRole('link');
  const titles = await list.allInnerTexts();
  const parent = titles.findIndex((text) => text.startsWith('Walls'));
  expect(titles[parent + 1]).toMatch(/^Which ivy/);
  await page.locator('.head').getByRole('link', { name: 'Walls' }).click();
  await see(row(page, 'asked aside, with alpha'));
  await row(page, 'asked aside, with alpha').getByRole('link', { name: 'Which ivy is harmless?' }).click();
  await close.getByLabel('Summary').fill('Boston ivy is.');
  await close.getByRole('button').click();
  const returned = row(page, 'closed the side channel').filter({ hasText: 'Boston ivy is.' });
  await see(returned);
  expect(new URL(page.url()).hash).toBe(`#${await returned.getAttribute('id')}`);
});

test('[L13] a fork begins as the past of the thread, up to the message chosen', async () => {
  const page = await pages.open();
  const id = await begin(page, 'Roads');
  await write(page, 'The one');
  await see(row(page, 'The one'));
  await write(page, 'The other');
  await see(row(page, 'The other'));
  await row(page, 'The one').hover();
  await row(page, 'The one').getByRole('button', { name: 'Fork here' }).click();
  await see(page.getByRole('heading', { name: 'Roads (fork)', level: 1 }));
  await see(row(page, 'The one'));
  expect(await written(page)).toEqual(['The one']);
  await page.locator('.head').getByRole('link', { name: 'Roads' }).click();
  await page.waitForURL(`**/threads/${id}`);
  await see(page.getByText('human forked the thread here'));
});

test('[I12] a refusal is shown where it happened and the text is kept', async () => {
  const page = await pages.open();
  const id = await begin(page, 'Refused');
  await page.getByLabel('Whom to invite').fill('Not An Id');
  await page.keyboard.press('Enter');
  await see(page.getByRole('form', { name: 'Invite' }).getByRole('alert'));
  expect(await page.getByLabel('Whom to invite').inputValue()).toBe('Not An Id');

  await pages
    .human()
    .thread(id)
    .post({ type: 'control', content: { mute: { targets: ['human'], mode: 'hard' } } });
  await see(page.getByText('human muted human'));
  await write(page, 'A thought worth keeping');
  const refused = row(page, 'A thought worth keeping');
  await see(refused.getByText(/Not sent\. human is muted/));
  await page.reload();
  await see(refused.getByText(/Not sent\. human is muted/));
  await refused.getByRole('button', { name: 'Edit' }).click();
  expect(await page.getByLabel('Your message').inputValue()).toBe('A thought worth keeping');
  await pages
    .human()
    .thread(id)
    .post({ type: 'control', content: { unmute: { targets: ['human'] } } });
  await see(page.getByText('human unmuted human'));
  await page.getByLabel('Your message').press('Enter');
  await gone(page.getByText(/Not sent/));
  await see(row(page, 'A thought worth keeping'));
  expect(await written(page)).toEqual(['A thought worth keeping']);
});
