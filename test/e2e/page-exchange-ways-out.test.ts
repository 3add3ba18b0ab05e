import { beforeAll, expect, test, vi } from 'vitest';
import { FETCH_MS, storiesFile } from '../support/models/weights.ts';
import { nothingSticksOut } from './page-dialogue-support.ts';
import { choose, exchanges, letter, round, run, thinks, wants } from './page-exchange-support.ts';
import { gone, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 90_000 });
const pages = setUpPages();
const { create, events, remote } = exchanges(pages);
beforeAll(() => storiesFile(), FETCH_MS);

const sea = [[thinks('The sea is loud tonight.')]];

test('[X15] [X21] question, two minds, their models, the auditor and terms are set in one dialog', async () => {
  await create('Models', { minds: sea });
  const page = await pages.open();
  await page.keyboard.press('n');
  await page.getByLabel('Title').fill('Gardens');
  await page.getByRole('radio', { name: /an exchange/ }).check();
  const form = page.getByRole('form', { name: 'New thread' });
  await form.getByLabel('Question').fill('What is a good garden?');
  await form.getByLabel('Name of mind 1').fill('gardener');
  await choose(page, form.getByRole('combobox', { name: 'Model of mind 1' }), 'voice-1');
  await form.getByRole('button', { name: 'Add a mind' }).click();
  await form.getByLabel('Name of mind 2').fill('sceptic');
  await choose(page, form.getByRole('combobox', { name: 'Model of mind 2' }), 'small');
  await choose(page, form.getByRole('combobox', { name: 'Auditor' }), 'voice-2');
  await form.getByLabel('Audit every').fill('often');
  await nothingSticksOut(page, 'exchange-new');
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  await see(form.getByText('“often” is not a number. Enter one for “Audit every (rounds)”.'));
  await form.getByLabel('Audit every').fill('4');
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  await see(page.getByRole('heading', { name: 'Gardens', level: 1 }));
  const id = new URL(page.url()).pathname.split('/').at(-1) as string;
  expect((await events(id, 'terms.set'))[0]?.content).toMatchObject({
    set: {
      question: 'What is a good garden?',
      minds: [
        { id: 'gardener', model: 'voice-1' },
        { id: 'sceptic', model: 'small' },
      ],
      auditor_model: 'voice-2',
      audit_every: 4,
    },
  });
  await shortcut(page, 't');
  await see(page.getByRole('region', { name: 'Question' }).getByText('What is a good garden?'));
});

test('[X19] an audit that waits is left without an answer by one key', async () => {
  const id = await create('Answers', { minds: sea }, { audit_every: 1, ask_after_audit: 'always' });
  const page = await pages.open(`/exchange/${id}`);
  await run(page, '5 rounds');
  await wants(page, 'Audit 1 waits for your answer. You can also continue without one.');
  await see(letter(page, 1).getByText('It waits for your answer.'));
  await shortcut(page, 'g');
  await see(round(page, 2));
  await wants(page, /Audit 2 waits/);
});

test('[X19] [I14] an audit is left without an answer by its button, also when the run is over', async () => {
  const id = await create('Last', { minds: sea }, { audit_every: 1, ask_after_audit: 'always' });
  await remote(id).command('run', { rounds: 1 });
  const page = await pages.open(`/exchange/${id}`);
  await see(letter(page, 1).getByText('It waits for your answer.'));
  await page.getByRole('button', { name: 'Continue without an answer' }).click();
  await see(round(page, 2));
});

test('[I14] on a small screen the panel opens at its top', async () => {
  const id = await create('Small', { minds: sea }, { audit_every: 50 });
  await remote(id).command('run', { rounds: 2 });
  const page = await pages.open(`/exchange/${id}`, { viewport: { width: 360, height: 640 } });
  await see(round(page, 2));
  await page.getByRole('button', { name: 'Drift' }).click();
  const panel = page.getByRole('dialog', { name: 'Drift' });
  await see(panel.getByRole('region', { name: 'Diversity' }));
  const scrolled = await panel.evaluate((element) =>
    [element, ...element.querySelectorAll('*')]
      .filter((each) => getComputedStyle(each).overflowY === 'auto' && each.scrollHeight > each.clientHeight)
      .map(({ scrollTop }) => scrollTop),
  );
  expect(scrolled).toEqual([0]);
});

test('[X16] [X17] an auditor that fails is skipped with a reason; one that cites nothing is flagged', async () => {
  const id = await create('Away', { minds: sea, audits: [''] }, { audit_every: 1 });
  await remote(id).command('run', { rounds: 2 });
  const page = await pages.open(`/exchange/${id}`);
  await wants(page, /amend the auditor’s specification or model, or skip this audit\./);
  await page.getByRole('button', { name: 'Skip this audit' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Its model is away.');
  await nothingSticksOut(page, 'exchange-skip');
  await page.keyboard.press('Enter');
  await see(page.getByText('Audit 1 was skipped. Its model is away.'));
  await gone(page.getByRole('form', { name: 'Skip this audit' }));
  const haiku = await create('Haiku', { minds: sea, audits: ['Moss on the old wall'] }, { audit_every: 1 });
  await remote(haiku).command('run', { rounds: 1 });
  await page.goto(`${pages.server.url}/exchange/${haiku}`);
  await see(letter(page, 1).getByText('It cites no thought that exists.'));
});

test('[D31] [X17] the page says that an audit was asked for and what it waits for, and lets me skip it', async () => {
  const audits = [{ fault: 'rate_limited', retry_after: 600 }];
  const id = await create('Limited', { minds: sea, audits }, { audit_every: 9 });
  await remote(id).command('run', { rounds: 1 });
  const page = await pages.open(`/exchange/${id}`);
  await see(round(page, 1));
  await page.getByRole('button', { name: 'Audit now' }).click();
  await see(page.getByRole('status', { name: 'Audit', exact: true }).getByText('Audit 1 was requested.'));
  await wants(page, 'Audit 1 waits for the model.');
  const waiting = page.getByRole('status', { name: 'Waiting' });
  await see(waiting.getByText(/is rate-limited/));
  await nothingSticksOut(page, 'exchange-audit-waits');
  await page.getByRole('button', { name: 'Skip this audit' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('It takes too long.');
  await page.keyboard.press('Enter');
  await gone(waiting);
  await wants(page, 'No rounds are running.');
});
