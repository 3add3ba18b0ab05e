import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { HeddleRefusal } from '../../src/client/index.ts';
import { act, fromHead, goHome, gone, invite, listed, row, see, setUpPages, write, written } from './page-support.ts';

const pages = setUpPages();

async function begin(page: Page, title: string): Promise<string> {
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('Title').fill(title);
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: title, level: 1 }));
  return new URL(page.url()).pathname.split('/')[2] as string;
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
  const [words, acts] = [await boxOf('.said'), await boxOf('[role=toolbar]')];
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
  for (const choice of ['alpha', 'As a task']) {
    await page.getByRole('button', { name: 'To whom' }).click();
    await page.getByRole('menuitem', { name: choice }).click();
  }
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
  await page.getByRole('complementary').getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Someone else, by ID').check();
  await page.getByLabel('ID', { exact: true }).fill('beta');
  await page.getByLabel('Nickname').fill('Bea');
  await page.getByLabel('Roles').fill('reviewer, gardener');
  await page.keyboard.press('Enter');
  await see(page.getByRole('feed').getByText('human invited Bea'));
  const beta = page
    .getByRole('complementary')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: 'More for beta' }) });
  expect(await beta.innerText()).not.toMatch(/online|thinking/i);
  const agent = await pages.agent('beta');
  await agent.thread(id).declare('thinking');
  await see(beta.getByText('Thinking'));
  const leave = new AbortController();
  const stream = agent.thread(id).stream({ after: 'head', signal: leave.signal });
  const next = stream.next();
  await see(beta.getByText('Reading'));
  leave.abort();
  await next;
  await act(page, 'beta', 'About beta');
  const about = page.getByRole('dialog', { name: 'About beta' });
  await see(about.getByText('Bea'));
  await see(about.getByText('reviewer, gardener'));
  await page.keyboard.press('Escape');
  await gone(about);
  await act(page, 'beta', 'Remove');
  await see(page.getByRole('feed').getByText('human removed Bea'));
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
  await act(page, 'alpha', 'Mute and fold messages');
  await see(page.getByRole('complementary').getByText('muted, messages folded'));
  await alpha.thread(id).post({ type: 'message', content: 'Chatter' });
  const fold = page.getByRole('button', { name: 'alpha is muted and its messages are folded. Show this one' });
  await see(fold);
  expect(await written(page)).toEqual(['Before the mute']);
  await fold.click();
  await see(row(page, 'Chatter').locator('.prose'));
});

test('[T7] while a thread is paused agents are refused; humans write on', async () => {
  const alpha = await pages.agent('alpha');
  const page = await pages.open();
  const id = await begin(page, 'Pausing');
  await page.getByRole('button', { name: 'Pause agents' }).click();
  await see(page.getByText('paused: agents may not write').first());
  await expect(alpha.thread(id).post({ type: 'message', content: 'x' })).rejects.toMatchObject({
    code: 'thread_paused',
  });
  await write(page, 'I may');
  await see(row(page, 'I may'));
  await goHome(page);
  await see(listed(page, /^Pausing Paused/));
  await page.goBack();
  await page.getByRole('button', { name: 'Resume agents' }).click();
  await see(page.getByRole('feed').getByText('human resumed the thread'));
  await alpha.thread(id).post({ type: 'message', content: 'Now I may' });
  await see(row(page, 'Now I may'));
});

test('[T5] asking for a reply, renaming and a time limit are each told in a sentence', async () => {
  const page = await pages.open();
  await begin(page, 'Sentences');
  await invite(page, 'alpha');
  await act(page, 'alpha', 'Ask to reply');
  await see(page.getByRole('feed').getByText('human asked alpha to reply'));
  await fromHead(page, 'Rename');
  await page.getByRole('form', { name: 'Rename' }).getByLabel('Title').fill('Better sentences');
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'Better sentences', level: 1 }));
  await see(page.getByRole('feed').getByText('human renamed the thread “Better sentences”'));
  await page.getByRole('button', { name: 'Change the rules' }).click();
  const settings = page.getByRole('dialog', { name: 'Thread settings' });
  await settings.getByRole('combobox', { name: 'Agents may continue' }).click();
  await page.getByRole('option', { name: 'for 5 minutes' }).click();
  await settings.getByRole('button', { name: 'Save' }).click();
  await gone(settings);
  await see(page.getByRole('feed').getByText('human lets agents continue for 5 minutes after a human’s last message'));
  await write(page, 'Go');
  await see(page.getByRole('main').getByText('agents may continue for 5 min'));
});

test('[T8] done closes a thread and a human message opens it again', async () => {
  const page = await pages.open();
  await begin(page, 'Ending');
  await fromHead(page, 'Mark done');
  await see(page.getByText('done: agents are not woken until a person writes'));
  await goHome(page);
  await see(listed(page, /^Ending Done/));
  await page.goBack();
  await write(page, 'One more thing');
  await gone(page.getByText('done: agents are not woken until a person writes'));
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click();
  await see(page.getByRole('menuitem', { name: 'Mark done' }));
});

test('[T11] a side channel shows its question where it was opened and its summary where it closed, linked both ways', async () => {
  const page = await pages.open();
  await begin(page, 'Walls');
  await invite(page, 'alpha');
  await fromHead(page, 'Open a side channel');
  const form = page.getByRole('dialog', { name: 'Open a side channel' });
  await form.getByLabel('The question').fill('Which ivy is harmless?');
  await form.getByLabel('alpha').check();
  await form.getByRole('button', { name: 'Open', exact: true }).click();
  await see(page.getByRole('heading', { name: 'Which ivy is harmless?', level: 1 }));
  await see(page.getByText('human opened this side channel'));
  const close = page.getByRole('dialog', { name: 'Close the side channel' });
  await fromHead(page, 'Close the side channel');
  const closing = close.getByRole('button', { name: 'Close with this summary' });
  expect(await closing.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await gone(close);
  await page.getByRole('navigation').getByRole('link', { name: 'Threads' }).click();
  const list = page.getByRole('list', { name: 'Threads' }).getByRole('link');
  await see(list.getByText('Walls'));
  const titles = await list.allInnerTexts();
  const parent = titles.findIndex((text) => text.startsWith('Walls'));
  expect(titles[parent + 1]).toMatch(/^Which ivy/);
  await page.goBack();
  await page.getByRole('main').getByRole('link', { name: 'Walls' }).first().click();
  await see(row(page, 'opened a side channel with alpha'));
  await row(page, 'opened a side channel with alpha').getByRole('link', { name: 'Which ivy is harmless?' }).click();
  await see(page.getByRole('heading', { name: 'Which ivy is harmless?', level: 1 }));
  await fromHead(page, 'Close the side channel');
  await close.getByLabel('Summary').fill('Boston ivy is.');
  await closing.click();
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
  await row(page, 'The one').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Fork here' }).click();
  await see(page.getByRole('heading', { name: 'Roads (fork)', level: 1 }));
  await see(row(page, 'The one'));
  expect(await written(page)).toEqual(['The one']);
  await page.getByRole('main').getByRole('link', { name: 'Roads', exact: true }).first().click();
  await page.waitForURL(`**/threads/${id}`);
  await see(page.getByText('human forked the thread here'));
});

test('[I12] a refusal is shown where it happened and the text is kept', async () => {
  const page = await pages.open();
  const id = await begin(page, 'Refused');
  await page.getByRole('complementary').getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Someone else, by ID').check();
  await page.getByLabel('ID', { exact: true }).fill('Not An Id');
  await page.keyboard.press('Enter');
  await see(page.getByRole('form', { name: 'Invite' }).getByRole('alert'));
  expect(await page.getByLabel('ID', { exact: true }).inputValue()).toBe('Not An Id');
  await page.keyboard.press('Escape');

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
