import type { Locator } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { choose } from './page-dialogue-support.ts';
import { reads, shots, text } from './page-loom-support.ts';
import { giveModels } from './page-models-support.ts';
import { gone, noSeriousFindings, row, see, setUpPages, shortcut, write } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();

beforeAll(() => {
  const scripts = {
    weaver: [{ choices: [' Beans behind.'] }],
    clerk: ['Roses by the wall [#2]; nobody said when [#99].'],
    reader: [{ when: 'Shall we plant beans?', text: 'Beans are asked for [#2].' }],
  };
  giveModels(pages.server.workspace, scripts, { defaults: { loom: 'weaver', auditor: 'clerk' } });
});

/** Opens a draft that waits, folded to one line. */
async function unfold(draft: Locator): Promise<void> {
  await draft.getByRole('button', { name: 'drafted an answer' }).click();
}

test('[I29] [I15] a message becomes a loom, goes on there, comes back as a draft and is posted; both ends show the trail', async () => {
  const { thread } = await pages.human().threads.create({ title: 'Garden plans' });
  await pages.human().thread(thread.id).post({ type: 'message', content: 'Roses by the wall.' });
  const page = await pages.open(`/threads/${thread.id}`);
  await row(page, 'Roses by the wall.').focus();
  await shortcut(page, 'l');
  await see(page.getByRole('dialog', { name: 'Open as' }));
  await noSeriousFindings(page, 'the sheet to open a text elsewhere');
  await page.keyboard.press('Enter');

  await reads(page, 'Roses by the wall.');
  await see(page.getByRole('link', { name: 'a message in Garden plans' }));
  await text(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Space');
  await reads(page, 'Roses by the wall. Beans behind.');
  await shots(page, 'between-loom');
  await page.getByRole('button', { name: 'Send back' }).click();
  await see(page.getByRole('dialog', { name: 'Send to' }).getByRole('button', { name: 'As a draft' }));
  await page.keyboard.press('Enter');

  const draft = page.getByRole('article', { name: 'Draft 1 by human' });
  await unfold(draft);
  await see(draft.getByText('Roses by the wall. Beans behind.'));
  await see(draft.getByRole('link', { name: 'a node in Roses by the wall.' }));
  await draft.getByRole('button', { name: 'Post', exact: true }).click();
  await gone(draft);
  const posted = row(page, 'Beans behind.');
  await see(posted.getByText('Sent from'));
  await see(row(page, 'Roses by the wall.').getByText('Opened as a loom:'));
  await shots(page, 'between-thread');
  await page.getByRole('button', { name: '1 related item' }).click();
  const trail = page.getByRole('dialog', { name: 'Trail' });
  await see(trail.getByText('was opened from a message in'));
  await see(trail.getByText('received a node in'));
  await noSeriousFindings(page, 'the trail');
});

test('[I29] any text goes to any thread, found by its title: what the server allows there, by keys alone; both ends show it', async () => {
  const human = pages.human();
  const { thread } = await human.threads.create({ title: 'Sources' });
  await human.thread(thread.id).post({ type: 'message', content: 'Roses like chalk.' });
  const { thread: verse } = await human.threads.create({ title: 'Verse', kind: 'loom', setup: { text: 'O rose.' } });
  await human.threads.create({ title: 'Chalk and soil', kind: 'dialogue' });
  const { thread: pool } = await human.threads.create({ title: 'Chalk pool', kind: 'exchange' });
  const { thread: halted } = await human.threads.create({ title: 'Chalk halted', kind: 'exchange' });
  await human.thread(halted.id).command('halt', { reason: 'Enough.' });

  const page = await pages.open(`/threads/${thread.id}`);
  const { keyboard } = page;
  const sheet = page.getByRole('dialog', { name: 'Send to' });
  const field = sheet.getByRole('combobox', { name: 'To which thread' });
  const marked = sheet.locator('[role=option][aria-selected=true]');
  await row(page, 'Roses like chalk.').focus();
  await shortcut(page, 'b');
  await see(field);
  await keyboard.type('chalk hal');
  expect(await marked.innerText()).toMatch(/^Chalk halted\s+exchange/);
  await keyboard.press('Enter');
  await see(sheet.getByRole('alert').getByText('human halted this exchange'));
  expect(await sheet.getByRole('listitem').count()).toBe(0);
  await noSeriousFindings(page, 'the sheet to bring a text');
  await shots(page, 'bring-halted');
  await sheet.getByRole('combobox', { name: 'Or to another thread' }).focus();
  await keyboard.type('soil');
  await keyboard.press('Enter');
  await see(sheet.getByText('“Roses like chalk.”'));
  const next = sheet.getByRole('button', { name: 'As your next message' });
  await expect.poll(() => next.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await sheet.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^As your next message\s+The mind answers it\.$/),
  ]);
  await noSeriousFindings(page, 'the sheet with its ways');
  await shots(page, 'bring-ways');
  await keyboard.press('Enter');

  const message = page.getByRole('region', { name: 'Your message' });
  await see(message.getByText('Roses like chalk.'));
  await see(message.getByRole('link', { name: 'a message in Sources' }));
  await see(page.getByRole('heading', { name: 'Chalk and soil', level: 1 }));
  await choose(page, message, 'Send to…');
  await keyboard.type('verse');
  await keyboard.press('Enter');
  await see(sheet.getByText('At the end of your path in that loom.'));
  await keyboard.press('Enter');
  await reads(page, 'O rose.Roses like chalk.');
  expect(new URL(page.url()).pathname).toBe(`/loom/${verse.id}`);

  // In a loom the whole text is meant, with what is not committed yet.
  await text(page).click();
  await keyboard.press('Control+End');
  await keyboard.type(' Always.');
  await keyboard.press('Escape');
  await keyboard.press('Control+k');
  await keyboard.type('send it to');
  await keyboard.press('Enter');
  await see(field);
  await keyboard.type('pool');
  await keyboard.press('Enter');
  await see(sheet.getByRole('button', { name: 'As a message from outside' }));
  await keyboard.press('Enter');
  await see(row(page, 'O rose.Roses like chalk. Always.').getByRole('link', { name: 'a node in Verse' }));
  expect(new URL(page.url()).pathname).toBe(`/exchange/${pool.id}`);

  await page.goto(`${pages.server.url}/threads/${thread.id}`);
  await page.getByRole('button', { name: 'related item' }).click();
  const trail = page.getByRole('dialog', { name: 'Trail' });
  await see(trail.getByText('received a message in'));
  await keyboard.press('Escape');
  await gone(trail);
  await shortcut(page, '?');
  await see(page.getByRole('dialog', { name: 'Keys' }).getByText('Send it to another thread'));
});

test('[T21] [I12] a person puts an auditor on a thread, reads what it goes by, and follows its citations', async () => {
  const { thread } = await pages.human().threads.create({ title: 'Audited' });
  await pages.human().thread(thread.id).post({ type: 'message', content: 'Roses by the wall.' });
  const page = await pages.open(`/threads/${thread.id}`);
  await page.getByRole('button', { name: 'Thread settings' }).click();
  const auditor = page.getByRole('region', { name: 'Auditor' });
  await auditor.getByRole('combobox', { name: 'Who audits' }).click();
  await page.getByRole('option', { name: 'The default auditor model' }).click();
  const spec = auditor.getByRole('textbox', { name: 'Instructions of the auditor' });
  expect(await spec.inputValue()).toContain('names the messages it rests on');
  await auditor.getByRole('spinbutton').fill('20');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await gone(page.getByRole('dialog'));
  const audit = row(page, 'nobody said when');
  await see(audit.getByText('names 1 of the 1 message it was shown'));
  await see(audit.getByText('#99, which is none of them'));
  await shots(page, 'between-audit');
  await audit.getByRole('link', { name: '#2' }).click();
  await see(page.locator('.entry.target', { hasText: 'Roses by the wall.' }));
  await write(page, 'Thanks.');
  await see(row(page, 'Thanks.'));
});

test('[T19] [T21] an audit that is drafted first shows its citations, and those of the text that is posted', async () => {
  const { thread } = await pages.human().threads.create({ title: 'Audited first' });
  const { post } = pages.human().thread(thread.id);
  await post({ type: 'message', content: 'Roses by the wall.' });
  const profile = { client: 'model', roles: ['auditor'], posting: 'draft' as const };
  await post({ type: 'control', content: { invite: { participant_id: 'auditor', profile } } });
  const page = await pages.open(`/threads/${thread.id}`);
  const draft = page.getByRole('article', { name: 'Draft 1 by auditor' });
  await unfold(draft);
  await see(draft.getByText('names 1 of the 1 message it was shown'));
  await see(draft.getByText('#99, which is none of them'));
  expect(await draft.getByRole('link', { name: '#2' }).getAttribute('href')).toContain(`/threads/${thread.id}#`);
  await draft.getByRole('button', { name: 'Edit' }).click();
  await draft.getByLabel('Draft 1 as you post it').fill('Only roses [#2].');
  await draft.getByRole('button', { name: 'Post as edited' }).click();
  const audit = row(page, 'Only roses');
  await see(audit.getByText('names 1 of the 1 message it was shown'));
  expect(await audit.getByText('none of them').count()).toBe(0);
  await audit.getByRole('link', { name: '#2' }).click();
  await see(page.locator('.entry.target', { hasText: 'Roses by the wall.' }));
});

test('[I29] [I12] [T21] beside a dialogue people talk and an auditor reads it: its audit leads to the very place, and the room tells of it', async () => {
  const human = pages.human();
  const alpha = await pages.agent('alpha');
  const { thread } = await human.threads.create({ title: 'Beans this year', kind: 'dialogue' });
  await human.thread(thread.id).command('message', { text: 'Shall we plant beans?' });
  const page = await pages.open(`/dialogue/${thread.id}`);
  await see(page.getByText('Shall we plant beans?'));
  await page.getByRole('button', { name: 'Discuss' }).click();
  await see(page.getByRole('heading', { name: 'Beans this year', level: 1 }));
  await see(page.getByText('Discussion of the dialogue'));
  const notes = await page.getByRole('feed').getByRole('article').allInnerTexts();
  expect(notes).toEqual([expect.stringContaining('human created the thread')]);
  await noSeriousFindings(page, 'what is said beside a dialogue');

  const invite = { participant_id: 'reader', profile: { client: 'model', model: 'reader', roles: ['auditor'] } };
  await human.thread(thread.id).post({ type: 'control', content: { invite } });
  const audit = row(page, 'Beans are asked for');
  await see(audit.getByText('names 1 of the 1 text it was shown'));
  await alpha.thread(thread.id).post({ type: 'message', to: 'human', content: 'Mind the frost.' });
  await see(row(page, 'Mind the frost.'));
  await audit.getByRole('link', { name: '#2' }).click();
  await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).hash).toBe(`/dialogue/${thread.id}#1`);
  await see(page.getByText('Shall we plant beans?'));

  // The room, home and a search lead back to the words.
  await see(page.getByRole('link', { name: 'alpha wrote in the discussion' }));
  await page.goto(pages.server.url);
  await see(page.getByRole('status').getByText('connected'));
  await alpha.thread(thread.id).post({ type: 'message', to: 'human', content: 'And the hail.' });
  await page.getByRole('main').getByRole('link', { name: 'alpha wrote to you' }).click();
  await see(page.locator('.entry.target').getByText('And the hail.'));
  await page.goto(pages.server.url);
  await see(page.getByRole('status').getByText('connected'));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('frost');
  await page.getByRole('option', { name: /Mind the frost/ }).click();
  await see(page.locator('.entry.target').getByText('Mind the frost.'));
  await page.getByRole('link', { name: 'the dialogue' }).click();
  await see(page.getByText('Shall we plant beans?'));
});
