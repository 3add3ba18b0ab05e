import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { reads, shots, text } from './page-loom-support.ts';
import { gone, noSeriousFindings, row, see, setUpPages, write } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();

beforeAll(() => {
  const { workspace } = pages.server;
  const answers = {
    weaver: [{ choices: [' Beans behind.'], repeat: 'always' }],
    clerk: [{ text: 'Roses by the wall [#2]; nobody said when [#99].' }],
  };
  for (const [name, all] of Object.entries(answers)) {
    writeFileSync(join(workspace, `${name}.json`), JSON.stringify({ answers: all }));
  }
  const scripted = (name: string) => ({ provider: 'scripted', path: `${name}.json` });
  const models = { weaver: scripted('weaver'), clerk: scripted('clerk') };
  const settings = { person: { id: 'human' }, models, defaults: { loom: 'weaver', auditor: 'clerk' } };
  writeFileSync(join(workspace, 'heddle.yaml'), JSON.stringify(settings));
});

test('[I11] [I15] a message becomes a loom, goes on there, comes back as a draft and is posted; both ends show the trail', async () => {
  const { thread } = await pages.human().threads.create({ title: 'Garden plans' });
  await pages.human().thread(thread.id).post({ type: 'message', content: 'Roses by the wall.' });
  const page = await pages.open(`/threads/${thread.id}`);
  await row(page, 'Roses by the wall.').focus();
  await page.keyboard.press('l');
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
  await page.getByRole('button', { name: 'Bring back' }).click();
  await see(page.getByRole('dialog', { name: 'Bring it back' }).getByRole('button', { name: 'As a draft' }));
  await page.keyboard.press('Enter');

  const draft = page.getByRole('article', { name: 'Draft 1 by human' });
  await see(draft.getByText('Roses by the wall. Beans behind.'));
  await see(draft.getByRole('link', { name: 'a node in Roses by the wall.' }));
  await draft.getByRole('button', { name: 'Post it' }).click();
  await gone(draft);
  const posted = row(page, 'Beans behind.');
  await see(posted.getByText('brought from'));
  await see(row(page, 'Roses by the wall.').getByText('opened as a loom:'));
  await shots(page, 'between-thread');
  await page.getByRole('button', { name: '1 came of this' }).click();
  const trail = page.getByRole('dialog', { name: 'Trail' });
  await see(trail.getByText('was opened from a message in'));
  await see(trail.getByText('was brought a node in'));
  await noSeriousFindings(page, 'the trail');
});

test('[T21] [I12] a person puts an auditor on a thread, reads what it goes by, and follows its citations', async () => {
  const { thread } = await pages.human().threads.create({ title: 'Audited' });
  await pages.human().thread(thread.id).post({ type: 'message', content: 'Roses by the wall.' });
  const page = await pages.open(`/threads/${thread.id}`);
  const auditor = page.getByRole('region', { name: 'Auditor' });
  await auditor.getByRole('button', { name: 'Put an auditor on it' }).click();
  const spec = auditor.getByLabel('What it goes by');
  expect(await spec.inputValue()).toContain('names the messages it rests on');
  await auditor.getByRole('spinbutton').fill('20');
  await auditor.getByRole('button', { name: 'Put it on the thread' }).click();
  await see(auditor.getByText('after every 20 messages and when asked'));
  const audit = row(page, 'nobody said when');
  await see(audit.getByText('names 1 of the 1 message it was shown'));
  await see(audit.getByText('#99, which is none of them'));
  await shots(page, 'between-audit');
  await audit.getByRole('link', { name: '#2' }).click();
  await see(page.locator('.entry.target', { hasText: 'Roses by the wall.' }));
  await write(page, 'Thanks.');
  await see(row(page, 'Thanks.'));
});
