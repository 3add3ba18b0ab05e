import { beforeAll, expect, test, vi } from 'vitest';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import {
  acceptButton,
  ask,
  draft,
  mark,
  minds,
  nothingSticksOut,
  pick,
  says,
  soon,
  strip,
  thinkLater,
  wants,
} from './page-dialogue-support.ts';
import { gone, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { create, events, remote } = minds(pages);
beforeAll(() => storiesFile(), FETCH_MS);

const about = [
  'the heron stands in the reeds at dawn',
  'nets are mended by the boat house',
  'rain drums on the tin roof',
];
const thought = (i: number) => `${about[i % 3]}, ${['again', 'still', 'once more', 'as before'][i % 4]} (${i})`;

test('[D27] from an accepted sentence to its draft, its iteration, the thoughts that were shown, and their clusters', async () => {
  const answers = Array.from({ length: 12 }, (_, i) => says(i % 4 === 3 ? '+1' : null, thought(i), thought(i + 1)));
  const id = await create('Harbour', [
    says('At dawn a heron stands in the reeds.', 'begin with what moves least'),
    ...answers,
    says('At dawn a heron stands in the reeds. Later the nets are mended, and nobody speaks.', 'end quietly'),
  ]);
  const page = await pages.open(`/dialogue/${id}`);
  await thinkLater(page);
  await ask(page, 'What happens in the harbour?');
  await remote(id).command('run', { iterations: 14, silences: 100 });
  await soon(async () => (await events(id, 'run.ended')).length).toBe(1);
  await see(draft(page, 5));
  await draft(page, 5).getByText('Later the nets are mended').click();
  const where = page.getByRole('region', { name: 'Source', exact: true });
  await see(where.getByText('“Later the nets are mended, and nobody speaks.”'));
  await see(where.getByText('First in draft 5. Written by mind-1 in iteration 14'));
  expect(await where.getByRole('list', { name: 'Thoughts in its input' }).getByRole('listitem').count()).toBe(10);
  await page.keyboard.press('ArrowLeft');
  await see(where.getByText('First in draft 1, kept in 1 later draft. Written by mind-1 in iteration 1'));
  await page.keyboard.press('ArrowRight');
  await see(where.getByText('First in draft 5'));

  await soon(async () => (await events(id, 'thought.clustered')).length > 10).toBe(true);
  const pool = page.getByRole('region', { name: 'Pool' });
  await see(pool.getByText('26 thoughts'));
  await pool.getByRole('button', { name: 'Map' }).click();
  await see(pool.getByRole('img', { name: /^Map of the last 26 thoughts in [1-9] clusters/ }));
  await soon(() => pool.locator('.dot.lit').count()).toBe(10);
  await see(page.getByRole('region', { name: 'Clusters over time' }).getByText('iterations 1 to 14'));
  await see(page.getByRole('list', { name: 'Thoughts in its input' }).getByRole('img', { name: /^cluster \d/ }));
  await nothingSticksOut(page, 'dialogue-thoughts');

  await acceptButton(page, 5).click();
  const pair = page.getByRole('article', { name: 'Turn 1' });
  await pair.getByText('At dawn a heron').click();
  await see(where.getByText('First in draft 1'));
});

test('[I11] [I13] everything at 360 pixels: the panel is a sheet, long and right-to-left drafts stay inside', async () => {
  const words = Array.from({ length: 900 }, (_, i) => `word${i % 97}`).join(' ');
  const id = await create('A title that is much longer than the screen of any telephone is wide, and goes on', [
    says('في الفجر يقف مالك الحزين بين القصب. ثم لا يتكلم أحد.', 'مالك الحزين'),
    says(`${words} ${'x'.repeat(300)}`, 'very long'),
  ]);
  const page = await pages.open(`/dialogue/${id}`, { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
  await ask(page, 'And now?');
  await wants(page, 'Needs you');
  await see(draft(page, 2));
  await pick(page, 1);
  expect(
    await draft(page, 1).evaluate((element) => getComputedStyle(element.querySelector('p') as Element).direction),
  ).toBe('rtl');
  await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Source' }).click();
  const panel = page.getByRole('dialog', { name: 'Thoughts' });
  await see(panel.getByText(/^Written by .* in iteration 1 /));
  await page.keyboard.press('Escape');
  await gone(panel);
  await nothingSticksOut(page, 'dialogue-long');
});

test('[I13] near-equal drafts share a mark and can be unfolded; an address leads to a draft', async () => {
  const start = 'There are many ways to cross the river, and each of them has been tried by somebody before';
  const id = await create('Fold', [says(`${start}.`), says(`${start} us.`), says(`${start} us all.`), says('Swim.')]);
  await remote(id).command('message', { text: 'How?', run: { iterations: 500 } });
  await soon(async () => (await events(id, 'run.ended')).length).toBe(1);
  const page = await pages.open(`/dialogue/${id}#1.3`);
  await see(draft(page, 3));
  await soon(() => draft(page, 3).evaluate((element) => element === document.activeElement)).toBe(true);
  await gone(draft(page, 2));
  expect(await strip(page)).toEqual(['1–3', '4', 'silence ×3']);
  await page.getByRole('button', { name: '2 like it: 1–2' }).click();
  await see(draft(page, 2).locator('del').getByText('all'));
  await draft(page, 2).getByRole('button', { name: 'Accept draft 2' }).click();
  await see(page.getByRole('article', { name: 'Turn 1' }));
  expect((await events(id, 'turn.accepted'))[0]?.content).toEqual({ turn: 1, draft: 2 });
});

test('[I13] a dialogue is begun from the page; what is no dialogue is told in a sentence', async () => {
  const page = await pages.open();
  await page.keyboard.press('n');
  await page.getByLabel('Title').fill('From the page');
  await page.getByRole('radio', { name: /a dialogue/ }).check();
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  await see(page.getByRole('heading', { name: 'From the page', level: 1 }));
  expect(new URL(page.url()).pathname).toMatch(/^\/dialogue\//);
  await shortcut(page, '?');
  await see(page.getByRole('dialog', { name: 'Keys' }).getByRole('heading', { name: 'This dialogue' }));
  const { thread } = await pages.human().threads.create({ title: 'Chat' });
  await page.goto(`${pages.server.url}/dialogue/${thread.id}`);
  await see(page.getByRole('alert').getByText('"Chat" is a conversation; only a dialogue has drafts.'));
});

test('[M3] where the small built-in model speaks the page says so', async () => {
  const id = await create('Small', [], { model: 'small' });
  const page = await pages.open(`/dialogue/${id}`);
  await thinkLater(page);
  await ask(page, 'Once there was a cat.');
  await shortcut(page, '.');
  await see(draft(page, 1));
  expect(await mark(page, 1).getAttribute('aria-description')).toContain('written by the small built-in model');
  await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Source' }).click();
  await see(page.getByRole('region', { name: 'Source', exact: true }).getByText('(small)'));
});
