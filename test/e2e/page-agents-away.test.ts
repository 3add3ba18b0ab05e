import { expect, test, vi } from 'vitest';
import { agents, look } from './page-agents-support.ts';
import { goHome, gone, listed, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { thread } = agents(pages);

test('[T20] what is new is counted for each thread, and what was read in one browser is not new in another', async () => {
  const id = await thread('News', { id: 'alpha', answers: [] });
  const other = await thread('Other', { id: 'alpha', answers: [] });
  const alpha = await pages.agent('alpha');
  const page = await pages.open(`/threads/${id}`);
  // The heading is there before the messages are.
  await see(page.getByRole('feed').getByRole('article'));
  await goHome(page);
  for (const content of ['One.', 'Two.']) await alpha.thread(id).post({ type: 'message', content });
  await alpha.thread(other).post({ type: 'message', content: 'Three.' });
  await see(listed(page, /^News .*2 new$/));
  await see(listed(page, /^Other .*1 new$/));
  await listed(page, /^News /).click();
  await see(page.getByText('New since you last looked'));
  await expect.poll(() => page.title()).toBe('(1) News · Heddle');
  const marks = async () => (await pages.human().readMarks()).marks[id];
  const { head } = await pages.human().thread(id).events({});
  await page.goto('about:blank');
  await expect.poll(marks).toBe(head);

  const elsewhere = await pages.open('/');
  await alpha.thread(id).post({ type: 'message', content: 'Four.' });
  await see(listed(elsewhere, /^News .*1 new$/));
  await listed(elsewhere, /^News /).click();
  const first = elsewhere.getByRole('article').filter({ hasText: 'New since you last looked' });
  await see(first.getByText('Four.'));
});

test('[T20] a thread that I read while its new messages were being counted is not new', async () => {
  const id = await thread('Late', { id: 'alpha', answers: [] });
  const other = await thread('Early', { id: 'alpha', answers: [] });
  const alpha = await pages.agent('alpha');
  const page = await pages.open('/');
  const late = pages.human().thread(id);
  await late.markRead((await late.events()).head);
  await alpha.thread(id).post({ type: 'message', content: 'One.' });
  const isRead = Promise.withResolvers<void>();
  await page.route(`**/threads/${id}/events?after=*`, async (route) => {
    await isRead.promise;
    await route.continue();
  });
  await page.reload();
  await listed(page, /^Late /).click();
  const { head } = await late.events();
  await expect.poll(async () => (await pages.human().readMarks()).marks[id]).toBe(head);
  const counted = page.waitForResponse(`**/threads/${id}/events?after=*`);
  isRead.resolve();
  await (await counted).finished();
  await alpha.thread(other).post({ type: 'message', content: 'Two.' });
  await goHome(page);
  await see(listed(page, /^Early .*1 new$/));
  expect(await listed(page, /^Late /).innerText()).not.toContain('new');
});

test('[T20] whoever was away is caught up by the auditor, and nothing of it is posted', async () => {
  const id = await thread(
    'Away',
    { id: 'alpha', answers: [] },
    {
      id: 'judge',
      answers: [{ when: ['what alpha wrote', 'Tuesday'], text: '**alpha** chose Tuesday. You are to bring bread.' }],
      profile: { roles: ['auditor'] },
    },
  );
  const alpha = await pages.agent('alpha');
  const page = await pages.open(`/threads/${id}`);
  await see(page.getByRole('heading', { name: 'Away' }));
  await goHome(page);
  await alpha.thread(id).post({ type: 'message', content: 'Then it is Tuesday, and human brings bread.' });
  await listed(page, /^Away /).click();
  const before = await pages.human().thread(id).events({ limit: 100 });
  await page.getByRole('feed').getByRole('button', { name: 'Catch me up' }).click();
  const sheet = page.getByRole('dialog', { name: 'Catch me up' });
  await see(sheet.getByText('You are to bring bread.'));
  await see(sheet.getByText('Of 1 message, by judge'));
  await look(page, 'catch-up');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await gone(sheet);
  expect((await pages.human().thread(id).events({ limit: 100 })).head).toBe(before.head);
});
