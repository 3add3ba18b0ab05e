// The inbox: what waits for a person is answered on its card, and the kinds it shows can be chosen.
import { expect, test } from 'vitest';
import { asksAgain, exchanges, thinks } from './page-exchange-support.ts';
import { gone, noSeriousFindings, see, setUpPages, shortcut } from './page-support.ts';

const pages = setUpPages();
const { create, remote, events } = exchanges(pages);

test('[I11] [X8] the card of a restart request says who asks and why, and I acknowledge it there', async () => {
  const minds = [[thinks('Ropes.'), asksAgain('We go in circles.', 'Ropes again.'), thinks('Sails.')]];
  const id = await create('Circles', { minds }, { audit_every: 50 });
  await remote(id).command('run', { rounds: 3 });
  const page = await pages.open();
  const card = page.getByRole('article', { name: /asks for a restart$/ });
  await see(card.getByText('We go in circles.'));
  await see(card.getByText('Circles · paused after round 2'));
  await see(card.getByRole('link', { name: 'Decide' }));
  await shortcut(page, 'j');
  await page.keyboard.press('a');
  await page.keyboard.type('Heard. One more round, please.');
  await noSeriousFindings(page, 'the inbox with an open answer');
  await page.keyboard.press('Enter');
  await gone(card);
  const [answer] = await events(id, 'restart.answered');
  expect(answer?.content).toMatchObject({ decision: 'acknowledge', reason: 'Heard. One more round, please.' });
});

test('[I11] I choose which kinds of threads the inbox shows', async () => {
  await pages.human().threads.create({ title: 'Beans' });
  await pages.human().threads.create({ title: 'A page', kind: 'loom' });
  const page = await pages.open();
  const recent = page.getByRole('region', { name: 'Recent' });
  await see(recent.getByRole('link', { name: /A page/ }));
  await page.getByRole('button', { name: 'Filter the inbox' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Looms' }).click();
  await noSeriousFindings(page, 'the filter of the inbox');
  await gone(recent.getByRole('link', { name: /A page/ }));
  await see(recent.getByRole('link', { name: /Beans/ }));
  await page.getByRole('menuitem', { name: 'Show everything' }).click();
  await see(recent.getByRole('link', { name: /A page/ }));
});
