import { expect, test, vi } from 'vitest';
import { nothingSticksOut, soon } from './page-dialogue-support.ts';
import { exchanges, letter, round, thinks, wants } from './page-exchange-support.ts';
import { gone, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 120_000 });
const pages = setUpPages();
const { create, events, remote } = exchanges(pages);

const THEMES = [
  'The heron stands in the reeds at dawn',
  'Nets are mended by the boat house',
  'Rain drums on the tin roof of the church',
  'يقف مالك الحزين بين القصب عند الفجر ولا يتكلم أحد',
  `A word that nobody can break: ${'x'.repeat(200)}`,
];
const HOW = ['still', 'as before', 'once more', 'for a while', 'again', 'and waits', 'alone'];
const thoughts = (shift: number) =>
  Array.from({ length: 35 }, (_, i) =>
    thinks(`${THEMES[(i + shift) % 5]}, ${HOW[i % 7]}`, `${THEMES[(i + 2) % 3]} (${i}).`),
  );
const LETTER =
  'The pool goes round the harbour: the heron [#1, #5], the nets [#2, #4, #30] and the rain [#3]. No thought contradicts another; most say the same again in other words.\n\nWhat is new since the last audit is little: the heron is alone [#9], the rain goes on [#31]. Nobody asks for anything.';

test('[I11] [I14] [X1] many rounds of several minds: a citation far back is reached; all of it at 360 pixels, in both lights', async () => {
  const cast = { minds: [thoughts(0), thoughts(1), thoughts(3)], audits: [LETTER] };
  const id = await create('A harbour with a name much longer than the screen of any telephone is wide', cast, {
    audit_every: 20,
  });
  await remote(id).command('run', { rounds: 45 });
  await expect.poll(async () => (await events(id, 'rounds.ended')).length, { timeout: 90_000 }).toBe(1);
  const page = await pages.open(`/exchange/${id}`, { reducedMotion: 'reduce' });
  await see(round(page, 45));
  await gone(round(page, 2));
  await see(letter(page, 2));
  await see(round(page, 45).getByRole('img', { name: /^cluster \d+/ }));
  await nothingSticksOut(page, 'exchange-long');
  await letter(page, 2).getByRole('link', { name: '#4' }).first().click();
  const cited = round(page, 1).getByRole('button', { name: /^#4/ });
  await soon(() => cited.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Home');
  await nothingSticksOut(page, 'exchange-far');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Drift' }).click();
  const panel = page.getByRole('dialog', { name: 'Drift' });
  await see(panel.getByText('Rounds 1 to 45.'));
  if (process.env.HEDDLE_SHOTS) await page.screenshot({ path: `${process.env.HEDDLE_SHOTS}/exchange-panel-360.png` });
  await see(panel.getByRole('button', { name: 'Open the map of thoughts' }));
  await page.keyboard.press('Escape');
  await gone(panel);
});

test('[I14] [X6] a theme that fills the pool asks for a restart, with its evidence', async () => {
  const asking = Array.from({ length: 12 }, (_, i) => thinks(`We should restart this on other terms, ${HOW[i % 7]}`));
  const id = await create('Again', { minds: [asking] });
  const page = await pages.open(`/exchange/${id}`);
  await see(page.getByRole('button', { name: 'Run 20 rounds' }));
  await shortcut(page, 'g');
  const alarm = page.getByRole('region', { name: 'Restart request' });
  await see(alarm.getByText(/Cluster \d+ has thoughts from \d+ answers, \d+% of those in the active pool/));
  await wants(page, 'The pool asks for a restart.');
  await alarm.getByRole('link', { name: '#2' }).click();
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('data-thought'))).toBe('2');
  expect(await page.getByRole('button', { name: /^Run / }).count()).toBe(0);
});
