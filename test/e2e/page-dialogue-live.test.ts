import { expect, test, vi } from 'vitest';
import { acceptButton, ask, draft, mark, minds, nothingSticksOut, says, soon, strip } from './page-dialogue-support.ts';
import { see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { create, events, remote } = minds(pages);

const words = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');

test('[M12] [I13] a draft streams into its place, with how long it has taken, and accept still names the one before', async () => {
  const halfway = {
    text: says(`The lake at dawn. ${words(60, 'w')}`, 'Begin with the lake.'),
    fault: 'hang',
    after: 40,
  };
  const id = await create('Streams', [says('The lake is grey.'), halfway, says('The lake at dawn, whole.')]);
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'What colour is the lake?');
  await see(page.getByRole('tab', { name: 'Draft 2 · writing' }));
  const sheet = page.getByRole('region', { name: 'Drafts' });
  await see(sheet.getByText('The lake at dawn.'));
  await see(sheet.getByText('Writing draft 2'));
  await see(sheet.getByText('“Begin with the lake.”'));
  await see(acceptButton(page, 1));
  expect(await draft(page, 2).count()).toBe(0);
  await nothingSticksOut(page, 'dialogue-live');
  await page.getByRole('button', { name: 'Stop' }).click();
  await see(draft(page, 1));
  await page.getByRole('button', { name: 'Think', exact: true }).click();
  await see(draft(page, 2).getByText('The lake at dawn, whole.'));
  await see(acceptButton(page, 2));
});

test('[M12] [I13] a reader who chose a draft or has scrolled up is not moved by what is written', async () => {
  const long = Array.from({ length: 60 }, (_, i) => `Paragraph ${i} of something long.`).join('\n\n');
  const id = await create('Stays', [
    says('The first.'),
    says(long),
    says(`A third one. ${words(40, 'w')}`),
    says(`Something else. ${words(40, 'v')}`),
  ]);
  await remote(id).command('message', { text: 'Go', run: { iterations: 2 } });
  await soon(async () => (await events(id, 'run.ended')).length).toBe(1);
  const page = await pages.open(`/dialogue/${id}`);
  await see(draft(page, 2).getByText('Paragraph 0 of'));
  // A finished draft that is longer than the window has nothing newer to go to.
  expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0);
  const top = () => draft(page, 2).evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await top();
  await remote(id).command('step', {});
  await see(mark(page, 3));
  expect(await draft(page, 2).isVisible()).toBe(true);
  expect(await top()).toBe(before);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await see(draft(page, 3));
  await mark(page, 1).click();
  await see(draft(page, 1));
  await remote(id).command('step', {});
  await see(mark(page, 4));
  await see(draft(page, 1));
  await see(acceptButton(page, 1));
});

test('[I13] the strip is moved along by keys; what does not fit folds at its ends', async () => {
  const answers = Array.from({ length: 80 }, (_, i) => says(`${words(4 + (i % 7), `d${i}x`)}.`));
  const id = await create('Many', answers);
  await remote(id).command('message', { text: 'Go', run: { iterations: 80 } });
  await soon(async () => (await events(id, 'run.ended')).length).toBe(1);
  const page = await pages.open(`/dialogue/${id}#1.80`);
  await see(draft(page, 80));
  expect(await strip(page)).toHaveLength(13);
  expect((await strip(page))[0]).toBe('1–68');
  await mark(page, 80).focus();
  await page.keyboard.press('ArrowLeft');
  await see(draft(page, 79));
  await soon(() => mark(page, 79).evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Home');
  await see(draft(page, 21));
  await page.keyboard.press('End');
  await see(draft(page, 80));
  await page.getByRole('tab', { name: 'Earlier drafts' }).click();
  await see(draft(page, 68));
  await nothingSticksOut(page, 'dialogue-many');
});

test('[I13] at 360 pixels the bar stays in reach of the thumb, over a draft of 3,000 words', async () => {
  const answers = [says(null, 'First I think.'), says(`${words(3000, 'word')}.\n\n| a | b |\n|---|---|\n| 1 | 2 |`)];
  const id = await create('Long', answers, {}, { context: 32_768 });
  const page = await pages.open(`/dialogue/${id}`, { viewport: { width: 360, height: 740 }, hasTouch: true });
  await remote(id).command('message', { text: 'And now?', run: { iterations: 2 } });
  await see(draft(page, 1).getByText('word2999'));
  expect(await strip(page)).toEqual(['silence', '1']);
  const bar = page.getByRole('toolbar', { name: 'Draft actions' });
  const sizes = await bar
    .getByRole('button')
    .evaluateAll((all) =>
      all
        .map((each) => each.getBoundingClientRect())
        .map(({ width, height, bottom }) => [width >= 44, height >= 44, bottom <= innerHeight]),
    );
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.flat()).not.toContain(false);
  await see(bar.getByRole('button', { name: 'Accept 1' }));
  await page
    .getByRole('tablist', { name: 'Drafts' })
    .evaluate((element) => element.closest('main')?.querySelector('[id="draft-1"]')?.scrollIntoView({ block: 'end' }));
  expect(await mark(page, 1).evaluate((element) => element.getBoundingClientRect().top < 200)).toBe(true);
  await nothingSticksOut(page, 'dialogue-3000');
});

test('[I13] [D31] of an answer that broke off, what had arrived is kept and shown, also after a reload', async () => {
  const broken = {
    text: says(`A draft that breaks off. ${words(30, 'w')}`),
    fault: 'cut',
    after: 20,
    repeat: 'always',
  };
  const id = await create('Cut', [says('A whole one.'), broken]);
  const page = await pages.open(`/dialogue/${id}`);
  await remote(id).command('message', { text: 'Go', run: { iterations: 4 } });
  await see(page.getByRole('status', { name: 'Waiting' }));
  await see(page.getByText('A draft that breaks off.'));
  await see(page.getByText('The answer was cut off here. The text so far is kept.'));
  await see(draft(page, 1));
  await page.reload();
  await see(page.getByText('A draft that breaks off.'));
  await see(acceptButton(page, 1));
});
