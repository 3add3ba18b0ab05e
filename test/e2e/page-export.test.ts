import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { look } from './page-agents-support.ts';
import { gone, noSeriousFindings, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const MESSAGES = 1200;

async function longThread(title: string): Promise<string> {
  const { thread } = await pages.human().threads.create({ title });
  const { post } = pages.human().thread(thread.id);
  for (let i = 0; i < MESSAGES; i += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, j) => post({ type: 'message', content: `Bean ${i + j + 1}.` })));
  }
  return thread.id;
}

async function choose(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(words);
  // Not the line that would begin a thread of that name.
  await see(page.getByRole('option', { name: new RegExp(`^${words}`) }));
  await page.keyboard.press('Enter');
}

test('[I11] a long thread is saved whole; until then the page says how far it is, and it can be stopped', async () => {
  const id = await longThread('A row of beans');
  const page = await pages.open(`/threads/${id}`);
  await see(page.getByText(`Bean ${MESSAGES}.`));
  // Its second page is kept back, so that what is said meanwhile can be looked at.
  const go = Promise.withResolvers<void>();
  await page.route(
    (url) =>
      url.pathname.endsWith('/events') && url.searchParams.get('limit') === '1000' && url.searchParams.has('after'),
    async (route) => {
      await go.promise;
      await route.continue().catch(() => {}); // The first was stopped.
    },
  );
  const saved: unknown[] = [];
  page.on('download', (download) => saved.push(download));
  const words = 'Export messages as Markdown';
  await choose(page, words);
  const status = page.getByRole('status').getByText('Exporting “A row of beans”');
  await see(status);
  await see(page.getByText(/^1,000 of 1,20\d events$/));
  await noSeriousFindings(page, 'an export under way');
  await look(page, 'export');
  await page.getByRole('button', { name: 'Stop' }).click();
  await gone(status);
  expect(await page.getByRole('alert').count()).toBe(0);

  await choose(page, words);
  await see(status);
  const download = page.waitForEvent('download');
  go.resolve();
  const text = readFileSync((await (await download).path()) as string, 'utf8');
  expect(text.match(/Bean \d+\./g)).toHaveLength(MESSAGES);
  await gone(status);
  expect(saved).toHaveLength(1);
});

test('[I11] [I12] beside a loom, what is said is what one looks at, and is what is saved', async () => {
  const { thread } = await pages.human().threads.create({ title: 'Verse', kind: 'loom', setup: { text: 'O rose.' } });
  const { post } = pages.human().thread(thread.id);
  await post({ type: 'message', content: 'The very first.' });
  await Promise.all(Array.from({ length: 110 }, (_, i) => post({ type: 'message', content: `Word ${i}.` })));
  await post({ type: 'message', content: 'Shorter, I think.' });
  const page = await pages.open(`/threads/${thread.id}`);
  await see(page.getByText('Shorter, I think.'));
  await see(page.getByText('Only the newest messages are shown'));
  expect(await page.getByText('The very first.').count()).toBe(0);
  const download = page.waitForEvent('download');
  await choose(page, 'Export messages as Markdown');
  const text = readFileSync((await (await download).path()) as string, 'utf8');
  expect(text).toContain('The very first.');
  expect(text).toContain('Shorter, I think.');
  expect(text).not.toContain('O rose.');
});
