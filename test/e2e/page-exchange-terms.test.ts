import { beforeAll, expect, test, vi } from 'vitest';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { start } from '../support/program/heddle.ts';
import { nothingSticksOut } from './page-dialogue-support.ts';
import { asksAgain, choose, exchanges, letter, round, run, thinks, wants } from './page-exchange-support.ts';
import { gone, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 90_000 });
const pages = setUpPages();
const { create, events, remote } = exchanges(pages);
beforeAll(() => storiesFile(), FETCH_MS);

const SEA = [
  'The sea is loud tonight.',
  'The sea takes the pier, plank by plank.',
  'Gulls sleep on the roof of the church.',
];
const sea = [SEA.map((text) => thinks(text))];

test('[I14] [X3] [X5] terms are amended with a diff that grows as one writes, and say from when on they hold', async () => {
  const id = await create('Terms', { minds: sea });
  await remote(id).command('run', { rounds: 2 });
  const page = await pages.open(`/exchange/${id}`);
  await see(round(page, 2));
  await shortcut(page, 't');
  const terms = page.getByRole('article', { name: 'Terms' });
  await see(terms.getByText('Version 1 is in effect now, in round 3.'));
  await see(terms.getByRole('region', { name: 'Observer', exact: true }).getByText('cannot write thoughts'));
  await page.keyboard.press('e');
  const form = terms.getByRole('form', { name: 'Amend the terms' });
  await form.getByText('Instructions').click();
  const role = form.getByRole('textbox', { name: 'Observer’s role' });
  await role.fill((await role.inputValue()).replace('I do not write thoughts.', 'I never write thoughts.'));
  const change = form.getByRole('region', { name: 'What would change' });
  await see(change.locator('ins', { hasText: 'never' }));
  await see(change.locator('del', { hasText: 'do not' }));
  await form.getByLabel('Audit every').fill('many');
  await see(form.getByText('“many” is not a number. Enter one for “Audit every (rounds)”.'));
  await form.getByLabel('Audit every').fill('0');
  await form.getByRole('button', { name: 'Amend the terms' }).click();
  await see(form.getByRole('alert').getByText(/“Audit every \(rounds\)” is not valid/));
  await form.getByLabel('Audit every').fill('7');
  await see(form.getByText('announced in round 3, in effect from round 4'));
  await nothingSticksOut(page, 'exchange-amend');

  await page.keyboard.press('Escape');
  await gone(form);
  await page.reload();
  await page.getByRole('button', { name: 'Amend', exact: true }).click();
  expect(await form.getByRole('textbox', { name: 'Observer’s role' }).inputValue()).toContain(
    'I never write thoughts.',
  );
  await form.getByRole('textbox', { name: 'Reason' }).fill('To be plain.');
  await form.getByRole('button', { name: 'Amend the terms' }).click();
  await gone(form);
  await see(terms.getByText('Version 2 is announced and takes effect in round 4.'));
  await terms.getByRole('link', { name: 'Version 2' }).click();
  const versions = terms.getByRole('region', { name: 'Versions' });
  await see(versions.getByText('To be plain.'));
  await see(versions.getByRole('region', { name: 'Difference of versions' }).locator('ins', { hasText: 'never' }));
  await nothingSticksOut(page, 'exchange-terms');
  expect((await events(id, 'terms.set')).at(-1)?.content).toMatchObject({
    set: { audit_every: 7 },
    announced: 3,
    effective: 4,
  });
  await terms.getByRole('button', { name: 'Back to the rounds' }).click();
  await see(page.getByRole('article', { name: 'Terms, version 2' }).getByText('in effect from round 4'));
});

test('[I14] [X9] a rollback is a branch of the tree; two branches stand side by side, aligned by round', async () => {
  const id = await create('Tides', { minds: sea, audits: ['All is sea [#1].'] }, { audit_every: 3 });
  await remote(id).command('run', { rounds: 4 });
  const page = await pages.open(`/exchange/${id}`);
  await see(round(page, 4));
  await wants(page, 'No rounds are running.');
  await round(page, 2).getByRole('button', { name: 'Round 2' }).click();
  await see(round(page, 2).getByText(/diversity 0\.\d+/));
  await round(page, 2).getByRole('button', { name: 'Roll back to here' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Once more.');
  await page.keyboard.press('Enter');
  await see(page.getByText(/^Rolled back from/));
  await gone(round(page, 3));
  await run(page, '5 rounds');
  await see(round(page, 7));
  await wants(page, 'No rounds are running.');
  const tree = page.getByRole('navigation', { name: 'Branches' });
  await see(tree.getByText('rolled back at round 2 · 7 rounds'));
  await tree.getByRole('link', { name: 'Compare with Tides' }).click();
  const both = page.getByRole('region', { name: 'Two branches side by side' });
  await see(both.getByText('First difference: round 3'));
  await see(
    page
      .getByRole('complementary', { name: 'Metrics of both' })
      .getByRole('img', { name: /^Diversity: A 0\.\d\d · B 0\.\d\d/ }),
  );
  await see(both.getByRole('region', { name: 'Round 7' }).getByText('No round 7 in B'));
  await see(both.getByRole('region', { name: 'Round 3' }).getByRole('link', { name: 'Audit 1' }));
  await nothingSticksOut(page, 'exchange-compare');
  await page.keyboard.press('Escape');
  await see(round(page, 7));
});

test('[I14] [X7] [X8] roll back, amend, acknowledge and halt answer a restart; a structured audit waits for its answer', async () => {
  const asking = [asksAgain('Other terms.', SEA[0] as string), ...SEA.map((text) => thinks(text))];
  const id = await create('Answers', { minds: [asking], audits: ['Waves [#1].'] }, { audit_every: 3 });
  const page = await pages.open(`/exchange/${id}`);
  const alarm = page.getByRole('region', { name: 'Restart request' });
  await run(page, '20 rounds');
  await see(alarm);
  expect(await page.getByRole('button', { name: /^Continue/ }).count()).toBe(0);
  await shortcut(page, '4');
  await page.keyboard.type('I have heard you.');
  await page.keyboard.press('Enter');
  await gone(alarm);
  await wants(page, 'Audit 1 waits for your answer.');
  await see(letter(page, 1).getByText('It waits for your answer'));
  await shortcut(page, 'o');
  await page.keyboard.type('Go on with the waves.');
  await page.keyboard.press('Enter');
  await see(alarm.getByText('After round 5'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await choose(page, alarm.getByRole('combobox', { name: 'Pause for your answer after an audit' }), 'Never');
  await alarm.getByRole('textbox', { name: 'Reason' }).fill('Faster.');
  await alarm.getByRole('button', { name: 'Amend the terms' }).last().click();
  await see(page.getByRole('article', { name: 'Terms, version 2' }));
  await see(alarm.getByText('After round 9'));
  await alarm.getByRole('button', { name: 'Roll back' }).first().click();
  await alarm.getByLabel('Round to go back to').fill('99');
  await alarm.getByRole('textbox', { name: 'Reason' }).fill('Too far.');
  await alarm.getByRole('button', { name: 'Roll back' }).last().click();
  expect(
    await alarm.getByLabel('Round to go back to').evaluate((field: HTMLInputElement) => field.validity.valid),
  ).toBe(false);
  await alarm.getByRole('button', { name: 'Cancel' }).click();
  await shortcut(page, '5');
  await page.keyboard.type('Enough.');
  await page.keyboard.press('Enter');
  await wants(page, 'Halted by human: Enough.');
  await see(page.getByText('This exchange is halted.'));
  const answers = await events(id, 'restart.answered');
  expect(answers.map(({ content }) => content.decision)).toEqual(['acknowledge', 'amend', 'halt']);
});

test('[I14] [X13] a `logos run` in a terminal is seen on the page as it goes; the budget holds it', async () => {
  const slow = [SEA.map((text) => ({ text: thinks(text), pace: 30 }))];
  const id = await create('Watched', { minds: slow }, { budget: { rounds: 3 } });
  const page = await pages.open(`/exchange/${id}`);
  await see(page.getByText('No round has run yet'));
  const logos = start(['run', '9', '--thread', id], {
    program: 'logos',
    env: { HEDDLE_WORKSPACE: pages.server.workspace },
  });
  await wants(page, /^Running/);
  await see(round(page, 1));
  await see(page.getByText(/\d of 9 rounds/));
  await wants(page, 'The budget of 3 rounds is used up.');
  await see(round(page, 3));
  await see(page.getByText(/left: 0 rounds/));
  await page.getByRole('group', { name: 'Rounds' }).getByRole('button', { name: 'Stop' }).click();
  await wants(page, 'No rounds are running.');
  await logos.ended;
});

test('[I14] [M3] [X11] an exchange is begun from the page; a control branch takes no word; where the small model thinks it says so', async () => {
  const page = await pages.open();
  await page.keyboard.press('n');
  await page.getByLabel('Title').fill('From the page');
  await page.getByRole('radio', { name: /an exchange/ }).check();
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  await see(page.getByRole('heading', { name: 'From the page', level: 1 }));
  expect(new URL(page.url()).pathname).toMatch(/^\/exchange\//);
  const id = await create('Small', { minds: [[thinks('x')]] }, { minds: [{ id: 'tiny', model: 'small' }] });
  await page.goto(`${pages.server.url}/exchange/${id}`);
  await page.getByRole('button', { name: 'One round' }).click();
  await see(round(page, 1));
  await see(round(page, 1).getByText(/small/));
  await shortcut(page, '?');
  await see(page.getByText('Hide the selected thought from the minds'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Terms and settings' }).click();
  await page.getByRole('menuitem', { name: 'Control branch without you' }).click();
  await page.getByRole('button', { name: 'Start the control branch' }).click();
  await see(page.getByText('A control branch runs without you'));
  const { thread } = await pages.human().threads.create({ title: 'Chat' });
  await page.goto(`${pages.server.url}/exchange/${thread.id}`);
  await see(page.getByRole('alert').getByText('"Chat" is a conversation; only an exchange has rounds.'));
});
