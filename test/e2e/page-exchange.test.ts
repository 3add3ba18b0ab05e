import { expect, test, vi } from 'vitest';
import { nothingSticksOut, soon } from './page-dialogue-support.ts';
import { asksAgain, exchanges, letter, round, run, thinks, wants } from './page-exchange-support.ts';
import { gone, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { create, events, remote } = exchanges(pages);

const HARBOUR = [
  'The heron stands in the reeds at dawn and waits for what moves.',
  'Nets are mended by the boat house, knot by knot, while the tide is out.',
  'Rain drums on the tin roof and nobody hears the radio any more.',
  'The heron has gone from the reeds; at dawn only its print is left in the mud.',
  'Nets dry by the boat house, and somebody has left a knife in the rope.',
];
const LETTERS = [
  'The pool is about the harbour at dawn: a heron in the reeds [#1, #4], nets that are mended by the boat house [#2], and rain [#3].\n\nThe heron is there and is gone [#1, #4]; nothing tells which is meant. A storm is spoken of [#99], once.',
  'Since the last audit the nets have come to the front [#7, #10]. The heron fades [#6].',
];
const AUTHORS = [HARBOUR.map((text) => thinks(text)), HARBOUR.toReversed().map((text) => thinks(text))];

test('[I14] [X1] [X2] [X4] rounds and audits come onto the page as they happen; citations lead to their thoughts', async () => {
  const id = await create('The harbour', { minds: AUTHORS, audits: LETTERS }, { audit_every: 5 });
  const page = await pages.open(`/exchange/${id}`);
  await see(page.getByText('No round has run yet'));
  await shortcut(page, '.');
  await see(round(page, 1).getByText('The heron stands in the reeds'));
  await run(page, '5 rounds');
  await see(letter(page, 1).getByText('The pool is about the harbour at dawn'));
  await see(round(page, 6));
  await wants(page, 'No rounds are running.');
  const first = letter(page, 1);
  await see(first.getByText('Cites 4 thoughts; covers'));
  await see(first.getByText('It cites #99, which does not exist.'));
  await see(first.locator('s', { hasText: '#99' }));
  await first.getByText('The auditor’s specification').click();
  await see(first.getByText('You are the auditor of a pool of thoughts'));
  await first.getByText('The auditor’s specification').click();

  await first.getByRole('link', { name: '#4' }).first().click();
  const cited = round(page, 2).getByRole('button', { name: /^#4/ });
  await soon(() => cited.evaluate((element) => element === document.activeElement)).toBe(true);
  await see(round(page, 2).getByText(/, round 2\b/));
  expect(new URL(page.url()).hash).toBe('#thought.4');
  await page.keyboard.press('Home');
  await first.getByRole('link', { name: '#4' }).first().click();
  await soon(() => cited.evaluate((element) => element === document.activeElement)).toBe(true);

  await shortcut(page, 'i');
  await page.keyboard.type('A boat comes in.');
  await page.keyboard.press('Enter');
  await see(page.getByRole('article', { name: 'From outside, after round 6' }).getByText('A boat comes in.'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  await page.keyboard.type('Look at the nets.');
  await page.keyboard.press('Enter');
  await see(page.getByRole('article', { name: 'Observer, after round 6' }).getByText('Look at the nets.'));
  // There was nothing to measure when the room was opened, so the panel waits until it is wanted.
  const panel = page.getByRole('complementary', { name: 'Drift' });
  await gone(panel);
  await page.getByRole('button', { name: 'Drift', exact: true }).click();
  await see(panel.getByRole('region', { name: 'Diversity' }).getByText(/Diversity 0\.\d\d/));
  await see(panel.getByRole('region', { name: 'Novelty' }).getByText(/0\.30/));
  await see(panel.getByText('Rounds 1 to 6. Dashed lines are audits.'));
  expect(await panel.getByText(/iteration/).count()).toBe(0);
  await panel.getByRole('button', { name: 'Open the map of thoughts' }).click();
  const map = page.getByRole('dialog', { name: 'Map of thoughts' });
  await see(map.getByRole('img', { name: /^Map of the last 12 thoughts/ }));
  await page.keyboard.press('Escape');
  await gone(map);
  await nothingSticksOut(page, 'exchange-rounds');
});

test('[I14] [X5] a thought is hidden from the minds with a reason, by keys alone, and shown again', async () => {
  const id = await create('Hidden', { minds: [HARBOUR.map((text) => thinks(text))] });
  await remote(id).command('run', { rounds: 3 });
  const page = await pages.open(`/exchange/${id}`);
  await wants(page, 'No rounds are running.');
  await shortcut(page, 'k');
  await page.keyboard.press('k');
  await page.keyboard.press('v');
  await page.keyboard.type('It is an advertisement.');
  await page.keyboard.press('Enter');
  await see(round(page, 2).getByText('hidden', { exact: true }));
  await see(round(page, 2).getByText('It is an advertisement.'));
  expect((await events(id, 'thought.vetoed'))[0]?.content).toEqual({ thought: 2, reason: 'It is an advertisement.' });
  await round(page, 2).getByRole('button', { name: 'Show to the minds again' }).click();
  await gone(round(page, 2).getByText('hidden', { exact: true }));
  await see(round(page, 2).getByRole('button', { name: 'Hide from the minds' }));
});

test('[T5] an exchange is renamed from its menu', async () => {
  const id = await create('Circles', { minds: [[]] });
  const page = await pages.open(`/exchange/${id}`);
  await page.getByRole('button', { name: 'Terms and settings' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const form = page.getByRole('dialog', { name: 'Rename this exchange' });
  await form.getByLabel('Title').fill('Spirals');
  await form.getByRole('button', { name: 'Rename' }).click();
  await see(page.getByRole('heading', { name: 'Spirals', level: 1 }));
  await gone(form);
});

test('[I14] [X8] a restart request at the end of the story: its five answers, and a branch with new terms', async () => {
  const minds = [
    [thinks(HARBOUR[0] as string), asksAgain('We go in circles.', HARBOUR[1] as string), thinks(HARBOUR[2] as string)],
  ];
  const id = await create('Circles', { minds }, { audit_every: 50 });
  const page = await pages.open(`/exchange/${id}`);
  await run(page, '20 rounds');
  const alarm = page.getByRole('region', { name: 'Restart request' });
  await see(alarm.getByText('We go in circles.'));
  await wants(page, 'The pool asks for a restart.');
  await see(page.getByRole('navigation', { name: 'Workspace' }).getByText('needs you'));
  await soon(() => page.title()).toContain('Needs you: Circles');
  expect(
    await alarm
      .getByRole('listitem')
      .filter({ has: page.getByRole('button') })
      .count(),
  ).toBe(5);
  await nothingSticksOut(page, 'exchange-restart');

  await shortcut(page, '1');
  const form = alarm.getByRole('form', { name: 'Branch with new terms' });
  await form.getByText('Instructions').click();
  await form.getByLabel('Mind prompt').fill('Think in questions only.');
  await see(form.getByRole('region', { name: 'What would change' }).locator('ins', { hasText: 'questions' }));
  await nothingSticksOut(page, 'exchange-branching');
  await form.getByRole('textbox', { name: 'Reason' }).fill('You are right.');
  await form.getByRole('button', { name: 'Branch with new terms' }).click();
  await see(page.getByText(/^Branch of/));
  expect(page.url()).not.toContain(id);
  await see(page.getByRole('article', { name: 'Where this branch starts' }).getByText('You are right.'));
  await see(page.getByRole('navigation', { name: 'Branches' }).getByText('branch at round 2'));
  expect((await events(id, 'restart.answered'))[0]?.content).toMatchObject({
    decision: 'branch',
    reason: 'You are right.',
  });
});
