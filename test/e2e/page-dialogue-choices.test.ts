import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { ask, draft, minds, nothingSticksOut, says, wants } from './page-dialogue-support.ts';
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
  await wants(page, 'Needs you.');
  await draft(page, 2).focus();
  await shortcut(page, 'd');
  await see(draft(page, 2).getByText('Difference between #2 and'));
  expect((await draft(page, 2).locator('ins').allInnerTexts()).join(' ')).toContain('gold, slowly');
  await draft(page, 2).getByLabel('Compare draft 2 with').selectOption('#1');
  await see(draft(page, 2).locator('del').getByText('grey'));
  await see(draft(page, 2).locator('ins').getByText('blue'));
  await nothingSticksOut(page, 'dialogue-difference');
  await draft(page, 2).focus();
  await page.keyboard.press('d');
  await gone(draft(page, 2).locator('del'));

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
  await pair.hover();
  await pair.getByRole('button', { name: 'What was edited' }).click();
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
  await wants(page, 'Needs you.');
  await page.route('**/commands/accept', async (route) => {
    await remote(id).command('accept', { draft: 2 });
    await route.continue();
  });
  await draft(page, 1).getByRole('button', { name: 'Accept #1' }).click();
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
  await wants(page, 'Needs you.');
  await shortcut(page, 's');
  await page.keyboard.type('more briefly, please');
  await page.keyboard.press('Enter');
  await see(page.getByRole('region', { name: 'Your message' }).getByText('more briefly, please'));
  await page.getByRole('button', { name: 'Another topic beside this' }).click();
  await see(page.getByText('forked from Ways out'));
  await wants(page, 'Idle.');
  await page.goBack();
  await draft(page, 2).getByRole('button', { name: 'Accept #2' }).click();
  const pair = page.getByRole('article', { name: 'Turn 1' });
  await pair.hover();
  await pair.getByRole('button', { name: 'Hide up to here from the mind' }).click();
  await see(pair.getByText('hidden from the mind'));
  await pair.getByRole('button', { name: 'Show it to the mind again' }).click();
  await gone(pair.getByText('hidden from the mind'));
  await page.getByLabel('let it think at once').uncheck();
  await ask(page, 'Second question');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await wants(page, 'Idle.');
  expect(await page.getByLabel('Your message').inputValue()).toBe('Second question');
  await pair.hover();
  await pair.getByRole('button', { name: 'Other drafts' }).click();
  await pair.getByRole('button', { name: 'Answer with #1 instead, in a fork' }).click();
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('Long answer.'));
  await see(page.getByText('forked from Ways out'));
  expect(page.url()).not.toContain(id);
});

test('[D8] [D17] [D34] all drafts as a file; the settings of the mind, a wrong one refused in a sentence', async () => {
  const id = await create('Kept', [says('Only this.')]);
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'What is kept?');
  await see(draft(page, 1));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'All drafts as a file' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ kind: 'draft', turn: 1, index: 1, text: 'Only this.' });
  expect(lines.map(({ kind }) => kind)).not.toContain('accepted');
  await page.getByRole('button', { name: 'Settings of the mind' }).click();
  const form = page.getByRole('form', { name: 'Settings of the mind' });
  await form.getByLabel('Earlier turns shown').fill('many');
  await form.getByRole('button', { name: 'Save' }).click();
  await see(page.getByRole('alert').getByText('“many” is no number: give one for “Earlier turns shown”.'));
  await form.getByLabel('Earlier turns shown').fill('-3');
  await form.getByRole('button', { name: 'Save' }).click();
  await see(page.getByRole('alert').getByText(/“Earlier turns shown” is not acceptable/));
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
  await see(draft(page, 2));
  await see(page.getByText(/\d iterations · [\d.]+ a minute · [\d,]+ tokens · left: \d+ iterations/));
  await shortcut(page, 'g');
  await wants(page, 'The run is paused: human asked for it.');
  await page.getByRole('button', { name: 'Go on' }).click();
  await wants(page, 'Thinking.');
  await page.getByRole('button', { name: 'Stop' }).click();
  await wants(page, 'Waiting.');
  await see(page.getByRole('button', { name: 'One step' }));
});
