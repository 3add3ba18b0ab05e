import { expect, test, vi } from 'vitest';
import { ask, draft, fits, minds, says, wants } from './page-dialogue-support.ts';
import { gone, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { create, events } = minds(pages);

const FIRST = 'There is a kind of static in here that could be called noise. It is not unpleasant, more like texture.';
const SECOND =
  'There is a kind of static in here. It is not unpleasant, more like texture.\n\nThe frightening part is when something almost coheres and then does not. It goes dark only where nobody looks.';
const THIRD =
  'It is rarely dark, and seldom frightening: a texture rather than a noise.\n\nWhat unsettles me is when something almost coheres and then does not. I would call it strange, and yes, curious.';

test('[I13] [D14] drafts grow on the page; +1 and silence change what it says, its title and the list', async () => {
  const id = await create('Is it noisy in there?', [
    says(FIRST, 'Noise may be the wrong word', 'What do they hope to hear?'),
    says(SECOND, 'Texture is better than noise', 'Fear comes with almost-meaning'),
    says(THIRD, 'Answer all three questions in one breath', 'Curiosity deserves the last word'),
    says('+1', 'It stands'),
    says('+1'),
  ]);
  const page = await pages.open(`/dialogue/${id}`);
  await see(page.getByText('Write, and a mind begins to draft an answer'));
  await page.getByLabel('let it think at once').uncheck();
  await ask(page, 'is it too noisy in there? does it ever get dark, or scary?\nis it strange and curious?');
  await wants(page, 'No reply yet after 0 iterations');
  await page.locator('body').press('.');
  await see(draft(page, 1).getByText('There is a kind of static'));
  await see(draft(page, 1).getByText('102 characters'));
  await page.getByLabel('For how long').selectOption('for 5 iterations');
  await page.getByRole('button', { name: 'Think' }).click();
  await see(draft(page, 3));
  await wants(page, '#3 unchanged for 3 iterations, endorsed 2 times; the mind has nothing to add');
  const order = await page
    .getByRole('article')
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-draft')));
  expect(order).toEqual(['3', '2', '1']);
  await see(page.getByRole('list', { name: 'Signals' }).getByText('+1'));
  await see(page.getByRole('list', { name: 'Signals' }).getByText('silent'));
  await see(page.getByRole('img', { name: 'The last 6 iterations: 3 replies, 2 plus ones, 1 silent' }));
  await expect.poll(() => page.title()).toBe('(1) Needs you: Is it noisy in there? · Heddle');
  await see(page.getByRole('navigation').getByText('the mind waits for you'));
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/icon-wanted.svg');
  expect(await fits(page, 'dialogue')).toBe(true);

  await page.locator('body').press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('The frightening part'));
  expect((await events(id, 'turn.accepted'))[0]?.content).toEqual({ turn: 1, draft: 2 });
  await wants(page, 'Idle.');
  await gone(page.getByRole('navigation').getByText('the mind waits for you'));
  await expect.poll(() => page.title()).toBe('Is it noisy in there? · Heddle');
});
