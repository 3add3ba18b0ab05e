import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import {
  acceptButton,
  ask,
  choose,
  draft,
  head,
  minds,
  nothingSticksOut,
  pick,
  says,
  thinkLater,
  wants,
} from './page-dialogue-support.ts';
import { gone, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { create, events, remote } = minds(pages);

test('[I13] the difference between any two drafts; accepting with edits keeps both texts', async () => {
  const id = await create('Colours', [
    says('The lake is grey.'),
    says('The lake is blue in the morning.'),
    says('In the evening the lake turns to gold, slowly.'),
  ]);
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'What colour is the lake?');
  await wants(page, 'Needs you');
  await pick(page, 2);
  await shortcut(page, 'd');
  const compared = page.getByRole('region', { name: 'Drafts 1 and 2 compared' });
  await see(compared.locator('del').getByText('grey'));
  await see(compared.locator('ins').getByText('blue'));
  await see(compared.getByText('Draft 2 is 3 words longer: 4 words added, 1 removed.'));
  await page.getByRole('combobox', { name: 'First draft' }).click();
  await page.getByRole('option', { name: 'Draft 3' }).click();
  const later = page.getByRole('region', { name: 'Drafts 2 and 3 compared' });
  expect((await later.locator('ins').allInnerTexts()).join(' ')).toContain('gold, slowly');
  await page.getByRole('button', { name: 'Side by side' }).click();
  await see(later.getByRole('region', { name: 'Draft 2', exact: true }).getByText('in the morning'));
  await gone(later.getByRole('region', { name: 'Draft 2', exact: true }).locator('ins'));
  await nothingSticksOut(page, 'dialogue-compare');
  await page.getByRole('tab', { name: 'Draft 1', exact: true }).click();
  await see(page.getByRole('region', { name: 'Drafts 1 and 3 compared' }));
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await gone(page.locator('del'));

  await pick(page, 2);
  await see(acceptButton(page, 2));
  await page.keyboard.press('e');
  const field = page.getByLabel('Draft 2 as you accept it');
  await field.fill('The lake is green in the morning.');
  await page.keyboard.press('Escape');
  await gone(field);
  await page.keyboard.press('e');
  expect(await field.inputValue()).toBe('The lake is green in the morning.');
  await page.keyboard.press('Control+Enter');
  const pair = page.getByRole('article', { name: 'Turn 1' });
  await see(pair.getByText('The lake is green in the morning.'));
  await choose(page, pair, 'Show your edits');
  await see(pair.locator('del').getByText('blue'));
  await nothingSticksOut(page, 'dialogue-history');
  expect((await events(id, 'turn.accepted'))[0]?.content).toMatchObject({
    turn: 1,
    draft: 2,
    edited: { text: 'The lake is green in the morning.' },
  });
});

test('[D5] of two people who accept different drafts one wins, and the other is told in a sentence', async () => {
  const id = await create('Two hands', [says('One.'), says('Quite another answer.')]);
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'Which?');
  await wants(page, 'Needs you');
  await page.route('**/commands/accept', async (route) => {
    await remote(id).command('accept', { draft: 2 });
    await route.continue();
  });
  await pick(page, 1);
  await acceptButton(page, 1).click();
  await see(page.getByRole('alert').getByText('draft #2, accepted by human'));
});

test('[D6] steer, take back with the text kept, answer an old turn otherwise in a fork, another topic beside', async () => {
  const id = await create('Ways out', [
    says('Long answer.'),
    says('A shorter one altogether.'),
    says(null),
    says(null),
    says(null),
  ]);
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'First question');
  await wants(page, 'Needs you');
  await shortcut(page, 's');
  await page.keyboard.type('more briefly, please');
  await page.keyboard.press('Enter');
  await see(page.getByRole('region', { name: 'Your message' }).getByText('more briefly, please'));
  await choose(page, head(page), 'Start another topic in a fork');
  await see(page.getByText('forked from Ways out'));
  await wants(page, 'Idle');
  await page.goBack();
  await acceptButton(page, 2).click();
  const pair = page.getByRole('article', { name: 'Turn 1' });
  await choose(page, pair, 'Hide everything up to here from the mind');
  await see(pair.getByText('hidden from the mind'));
  await choose(page, pair, 'Show to the mind again');
  await gone(pair.getByText('hidden from the mind'));
  await thinkLater(page);
  await ask(page, 'Second question');
  await choose(page, page.getByRole('region', { name: 'Your message' }), 'Withdraw');
  await wants(page, 'Idle');
  expect(await page.getByLabel('Your message').inputValue()).toBe('Second question');
  await pair.getByRole('button', { name: 'All 2 drafts' }).click();
  await pair.getByRole('button', { name: 'Answer with draft 1 in a fork' }).click();
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('Long answer.'));
  await see(page.getByText('forked from Ways out'));
  expect(page.url()).not.toContain(id);
});

test('[D8] [D17] [D34] all drafts as a file; the settings of the mind, a wrong one refused in a sentence', async () => {
  const id = await create('Kept', [says('Only this.')]);
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'What is kept?');
  await see(draft(page, 1));
  const [file] = await Promise.all([page.waitForEvent('download'), choose(page, head(page), 'Download all drafts')]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ kind: 'draft', turn: 1, index: 1, text: 'Only this.' });
  expect(lines.map(({ kind }) => kind)).not.toContain('accepted');
  await page.getByRole('button', { name: 'Dialogue settings' }).click();
  const form = page.getByRole('dialog', { name: 'Dialogue settings' });
  await form.getByLabel('Earlier turns shown').fill('many');
  await form.getByRole('button', { name: 'Save' }).click();
  await see(page.getByRole('alert').getByText('“many” is not a number. Enter one for “Earlier turns shown”.'));
  await form.getByLabel('Earlier turns shown').fill('-3');
  await form.getByRole('button', { name: 'Save' }).click();
  await see(page.getByRole('alert').getByText(/“Earlier turns shown” is not valid/));
  await nothingSticksOut(page, 'dialogue-settings');
  await form.getByLabel('Earlier turns shown').fill('3');
  await form.getByLabel('Auto-accept').fill('4');
  await form.getByLabel('Iterations', { exact: true }).fill('200');
  await form.getByRole('button', { name: 'Save' }).click();
  await gone(form);
  expect((await events(id, 'dialogue.configured')).at(-1)?.content).toEqual({
    set: { history_pairs: 3, auto_accept: 4, budget: { iterations: 200 } },
  });
});

test('[D17] a mind is held, goes on and is stopped; the page tells how far it is', async () => {
  const slow = Array.from({ length: 40 }, (_, i) => ({
    text: says(`Answer number ${i} is ${'x'.repeat(i)}`),
    pace: 30,
  }));
  const id = await create('Long work', slow, { budget: { iterations: 30 } });
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'Work on it');
  await see(page.getByText(/\d iterations · [\d.]+ a minute · [\d,]+ tokens · left: \d+ iterations/));
  await shortcut(page, 'g');
  await wants(page, 'The run is paused: human paused the run.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await wants(page, /^Thinking$/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await wants(page, /^Waiting$/);
  await see(page.getByRole('button', { name: 'Think for' }));
});

test('[D31] [I13] a rate limit is a countdown with a way out: another model goes on at once', async () => {
  const other = await create('Spare', [says('The other one answers.')]);
  const id = await create('Limited', [says('A start.'), { fault: 'rate_limited', retry_after: 600, repeat: 'always' }]);
  const spare = (await remote(other).dialogue.config()).config.model as string;
  const page = await pages.open(`/dialogue/${id}`);
  await remote(id).command('message', { text: 'Go on', run: { iterations: 2 } });
  const waiting = page.getByRole('status', { name: 'Waiting' });
  await see(waiting.getByText(/left; nothing is lost/));
  await see(page.getByText('Waiting to write draft 2'));
  await see(page.getByRole('tab', { name: 'Draft 2 · waiting' }));
  await nothingSticksOut(page, 'dialogue-waiting');
  await waiting.getByRole('button', { name: 'Use another model' }).click();
  await page.getByRole('menuitem', { name: spare, exact: true }).click();
  await see(draft(page, 2).getByText('The other one answers.'));
  await gone(waiting);
  expect((await events(id, 'run.ended')).length).toBe(1);
});
