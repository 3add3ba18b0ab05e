import { expect, test, vi } from 'vitest';
import { agents, atWork, explain, heldDrafts, look, would } from './page-agents-support.ts';
import { act, goHome, gone, row, see, setUpPages, write } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { models, program, thread, closed } = agents(pages);

test('[T14] an @ is completed by keys alone, as a combobox, and Esc leaves the text as it is', async () => {
  const id = await thread(
    'Completion',
    { id: 'alpha', answers: [], profile: { roles: ['gardener'] } },
    { id: 'alma', answers: [], profile: { nickname: 'Zoe' } },
  );
  const page = await pages.open(`/threads/${id}`);
  const field = page.getByLabel('Your message');
  await field.pressSequentially('Ask @al');
  const list = page.getByRole('listbox', { name: 'People to mention' });
  await see(list);
  const box = page.getByRole('combobox', { name: 'Your message' });
  expect(await box.getAttribute('aria-expanded')).toBe('true');
  expect(await list.getByRole('option').allInnerTexts()).toEqual([
    expect.stringContaining('alpha'),
    expect.stringContaining('alma'),
    expect.stringContaining('all'),
  ]);
  await look(page, 'mention');
  await field.press('ArrowDown');
  const marked = list.getByRole('option', { selected: true });
  expect(await marked.innerText()).toContain('alma');
  expect(await box.getAttribute('aria-activedescendant')).toBe(await marked.getAttribute('id'));
  await field.press('Enter');
  expect(await field.inputValue()).toBe('Ask @alma ');
  await gone(list);
  await field.pressSequentially('and @gard');
  await see(list.getByRole('option', { name: 'alpha' }));
  await field.press('Escape');
  await gone(list);
  expect(await field.inputValue()).toBe('Ask @alma and @gard');
  await field.pressSequentially('ener, or @zo');
  await list.getByRole('option', { name: 'alma' }).click();
  expect(await field.inputValue()).toBe('Ask @alma and @gardener, or @alma ');
  await field.pressSequentially('but `@al');
  await gone(list);
});

test('[T14] a name that two go by is asked about before anything is sent', async () => {
  const id = await thread(
    'Two of them',
    { id: 'alpha', answers: ['I do.'], profile: { roles: ['reviewer'] } },
    { id: 'beta', answers: [], profile: { roles: ['reviewer'] } },
  );
  const page = await pages.open(`/threads/${id}`);
  const field = page.getByLabel('Your message');
  await field.fill('Who agrees, @reviewer?');
  await see(would(page).getByText('matches several people'));
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await field.press('Enter');
  expect(await field.inputValue()).toBe('Who agrees, @reviewer?');
  await look(page, 'unclear');
  await page.getByRole('button', { name: '@alpha' }).click();
  expect(await field.inputValue()).toBe('Who agrees, @alpha?');
  await see(would(page).getByText('alpha will answer, because you mentioned it; beta will not: it mentions others'));
  await field.press('Enter');
  await see(row(page, 'I do.'));
});

test('[T17] who would answer and why stands beside the button, before and after a mute, and stays with the message', async () => {
  const id = await thread('Beans', { id: 'alpha', answers: ['Beans.'] }, { id: 'beta', answers: [] });
  const page = await pages.open(`/threads/${id}`);
  const field = page.getByLabel('Your message');
  await field.fill('Beans or peas?');
  await see(
    would(page).getByText(
      'alpha will answer, then beta, because in a small thread, a human’s message wakes every agent',
    ),
  );
  await look(page, 'would-wake');
  await pages
    .human()
    .thread(id)
    .post({ type: 'control', content: { mute: { targets: ['beta'] } } });
  await see(would(page).getByText('; beta will not: it is muted'));
  await field.press('Enter');
  await see(row(page, 'Beans.').filter({ hasText: 'alpha' }));
  const explained = await explain(row(page, 'Beans or peas?').first(), 'Who heard this');
  await see(
    explained.getByText('alpha was woken, because in a small thread, a human’s message wakes every agent; it answered'),
  );
  await see(explained.getByText('beta was not woken: it is muted'));
  const used = await explain(page.getByRole('article', { name: 'alpha: Beans.' }), 'Who heard this');
  await see(used.getByText(/Writing it took \d+ tokens read, \d+ written/));
  await look(page, 'explained');
});

test('[T20] why nobody answered is told in words where it was asked', async () => {
  const id = await thread('Silence', { id: 'alpha', answers: [] });
  await pages
    .human()
    .thread(id)
    .post({ type: 'control', content: { policy: { mode: 'large' } } });
  const page = await pages.open(`/threads/${id}`);
  await page.getByLabel('Your message').fill('Anyone?');
  await see(would(page).getByText('alpha will not answer: this thread is large, and nobody was addressed'));
  await page.keyboard.press('Enter');
  const explained = await explain(row(page, 'Anyone?'), 'Why did nobody answer?');
  await see(explained.getByText('alpha was not woken: this thread is large, and nobody was addressed'));
  // Where it is set differently, the next message is answered.
  await page.getByRole('button', { name: 'Change the rules' }).click();
  const settings = page.getByRole('dialog', { name: 'Thread settings' });
  await settings.getByLabel('Every agent').check();
  await settings.getByRole('button', { name: 'Save' }).click();
  await see(page.getByRole('feed').getByText('human set who answers to “small”'));
});

test('[T18] who is thinking is shown, and a person stops it', async () => {
  const id = await thread('Slow', { id: 'alpha', answers: [{ text: 'One two three four.', pace: 60_000 }] });
  const page = await pages.open(`/threads/${id}`);
  await write(page, 'Take your time.');
  await see(atWork(page).getByRole('article', { name: /alpha is (reading|writing)/ }));
  await look(page, 'thinking');
  await page.getByRole('button', { name: 'Stop alpha' }).click();
  await see(page.getByRole('feed').getByText('alpha was stopped by human'));
  await gone(atWork(page));
});

test('[T18] who is there is not taken from an answer that is older than what was told since', async () => {
  const id = await thread('Late', { id: 'alpha', answers: [{ text: 'One two three four.', pace: 60_000 }] });
  const page = await pages.open();
  let answer = () => {};
  const wanted = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/presence', async (route) => {
    const response = await route.fetch();
    await wanted;
    await route.fulfill({ response });
  });
  const asked = page.waitForRequest('**/presence');
  await page.goto(`${pages.server.url}/threads/${id}`);
  await asked;
  await write(page, 'Take your time.');
  await see(atWork(page).getByRole('article', { name: /alpha is (reading|writing)/ }));
  const answered = page.waitForResponse('**/presence');
  answer();
  await (await answered).finished();
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
  expect(
    await atWork(page)
      .getByRole('article', { name: /alpha is (reading|writing)/ })
      .count(),
  ).toBe(1);
  await page.getByRole('button', { name: 'Stop alpha' }).click();
  await gone(atWork(page));
});

test('[T18] an answer that failed says why and can be asked for again; passing is told quietly', async () => {
  const id = await thread('Faults', {
    id: 'alpha',
    answers: [{ fault: 'unknown_model' }, 'Here I am.'],
  });
  const page = await pages.open(`/threads/${id}`);
  await page
    .getByRole('feed')
    .getByRole('button', { name: /more changes$/ })
    .click();
  await see(page.getByRole('feed').getByText('alpha had nothing to add'));
  await write(page, 'Are you there?');
  const failed = page.getByRole('article').filter({ hasText: 'alpha could not answer:' });
  await see(failed);
  await look(page, 'failed');
  await failed.getByRole('button', { name: 'Try again' }).click();
  await see(row(page, 'Here I am.'));
});

test('[T16] at the limit the thread says who was stopped and why, and a person lets them continue', async () => {
  const often = (text: string) => Array.from({ length: 12 }, (_, index) => `${text} (${index})`);
  const id = await thread(
    'Talk',
    { id: 'alpha', answers: often('@beta, what do you say?') },
    { id: 'beta', answers: often('@alpha, and you?') },
  );
  const page = await pages.open(`/threads/${id}`);
  await page.getByRole('button', { name: 'Change the rules' }).click();
  await page.getByRole('switch', { name: 'Agents may wake each other' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await see(page.getByRole('feed').getByText('human let agents discuss'));
  await write(page, '@alpha begin.');
  const stopped = page.getByRole('region', { name: 'Stopped by a limit' });
  await see(
    stopped.getByText(/not woken: agents have woken each other (once|\d+ times in a row) since a human wrote\./),
  );
  await look(page, 'limit');
  const before = await page.locator('.entry.message').count();
  await page.getByRole('button', { name: 'Let them continue' }).click();
  await see(page.getByRole('feed').getByText('human let the agents continue'));
  await expect.poll(() => page.locator('.entry.message').count(), { timeout: 20_000 }).toBeGreaterThan(before);
});

test('[T19] drafts stand folded under what they answer: posted, posted as edited, dismissed', async () => {
  const id = await thread('Letters', {
    id: 'alpha',
    answers: ['Dear Ana, **come** soon.', 'Dear Bo, do not come.', 'Dear Cy, nothing.'],
    profile: { posting: 'draft' },
  });
  const page = await pages.open(`/threads/${id}`);
  const draft = (index: number) => page.getByRole('article', { name: `Draft ${index} by alpha` });
  const unfold = (index: number) => draft(index).getByRole('button', { name: 'alpha drafted an answer' }).click();
  await write(page, 'Write to Ana.');
  await see(draft(1).getByText('drafted an answer: Dear Ana, come soon.'));
  expect(await draft(1).getByRole('button', { name: 'Post' }).count()).toBe(0);
  await unfold(1);
  await see(draft(1).getByText('come soon'));
  await look(page, 'draft');
  await draft(1).getByRole('button', { name: 'Post' }).click();
  await gone(draft(1));
  await see(row(page, 'Dear Ana, come soon.').getByText('draft 1, posted by human'));

  await write(page, 'And to Bo.');
  await unfold(2);
  await draft(2).getByRole('button', { name: 'Edit' }).click();
  const text = page.getByLabel('Draft 2 as you post it');
  await text.fill('Dear Bo, come.');
  await text.press('Escape');
  await draft(2).getByRole('button', { name: 'Edit' }).click();
  expect(await text.inputValue()).toBe('Dear Bo, come.');
  await look(page, 'draft-edited');
  await text.press('Control+Enter');
  await see(page.getByRole('article', { name: 'alpha: Dear Bo, come.' }));

  await write(page, 'And to Cy.');
  await unfold(3);
  await draft(3).getByRole('button', { name: 'Dismiss' }).click();
  await see(page.getByRole('feed').getByText('human dismissed draft 3'));
  await gone(draft(3));
  const note = page.getByRole('article').filter({ hasText: 'human dismissed draft 3' });
  await note.getByRole('button', { name: 'Read' }).click();
  await see(note.getByText('Dear Cy, nothing.'));
});

test('[T7] [T19] what an agent had finished when it was muted is held, with the reason, and posted or dismissed by a person', async () => {
  const { id, file } = await heldDrafts('Held');
  await pages.human().import(file);
  const page = await pages.open(`/threads/${id}`);
  const draft = (index: number) => page.getByRole('article', { name: `Draft ${index} by alpha` });
  for (const index of [1, 2]) await draft(index).getByRole('button', { name: 'alpha drafted an answer' }).click();
  await see(draft(1).getByText('Not posted: alpha was muted when it had finished.'));
  await see(draft(1).getByText('Beans, I would say.'));
  await look(page, 'held');
  await draft(2).getByRole('button', { name: 'Dismiss' }).click();
  await gone(draft(2));
  await draft(1).getByRole('button', { name: 'Post' }).click();
  await see(row(page, 'Beans, I would say.').getByText('draft 1, posted by human'));
  await gone(draft(1));
});

test('[T19] [T2] whether one drafts first is changed where it stands among the people, and wakes nobody', async () => {
  const id = await thread('Careful', { id: 'alpha', answers: ['First words.', 'Second words.'] });
  const page = await pages.open(`/threads/${id}`);
  await act(page, 'alpha', 'Approve before posting: off');
  await see(page.getByRole('feed').getByText('human invited alpha: it drafts, a human posts'));
  await write(page, 'Say something.');
  await see(page.getByRole('article', { name: 'Draft 1 by alpha' }).getByText('First words.'));
  await act(page, 'alpha', 'Approve before posting: on');
  await see(page.getByRole('feed').getByText('human invited alpha: it posts directly'));
  await write(page, 'And now?');
  await see(row(page, 'Second words.'));
});

test('[T25] an agent is given instructions where it is invited, and a person edits them among the people', async () => {
  const { thread: made } = await pages.human().threads.create({ title: 'Instructed' });
  models({ poet: ['Roses.'] });
  const page = await pages.open(`/threads/${made.id}`);
  await page.getByRole('complementary').getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('Instructions').fill('Answer in one word.');
  await dialog.getByLabel('poet').check();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await see(page.getByRole('feed').getByText('human invited poet'));
  const profileOf = async () => (await pages.human().thread(made.id).state()).state.participants.at(-1)?.profile;
  expect(await profileOf()).toMatchObject({ client: 'model', model: 'poet', instructions: 'Answer in one word.' });
  await act(page, 'poet', 'Change instructions');
  const settings = page.getByRole('dialog', { name: 'Thread settings' });
  const instructions = settings.getByLabel('poet');
  expect(await instructions.inputValue()).toBe('Answer in one word.');
  await instructions.fill('Answer in rhymes.');
  await settings.getByRole('button', { name: 'Save' }).click();
  await see(page.getByRole('feed').getByText('human set the instructions of poet'));
  expect(await profileOf()).toMatchObject({ instructions: 'Answer in rhymes.' });
  await look(page, 'instructions');
});

test('[T19] [I12] a draft waits at the end of its thread, and is what needs the person', async () => {
  const id = await thread('Waiting', { id: 'alpha', answers: [] });
  const alpha = await pages.agent('alpha');
  await alpha.thread(id).command('draft', { text: 'Half a thought.' });
  const page = await pages.open(`/threads/${id}`);
  const draft = page.getByRole('article', { name: 'Draft 1 by alpha' });
  await draft.getByRole('button', { name: 'alpha drafted an answer' }).click();
  await see(draft.getByText('this agent drafts, and you decide'));
  // Seen from elsewhere, the draft is what needs the person.
  await goHome(page);
  await alpha.thread(id).command('draft', { text: 'Another.' });
  await see(
    page.getByRole('article', { name: 'alpha wrote a draft that waits for your approval' }).getByText('Another.'),
  );
});

test('[I12] a model and a command-line agent are invited in one step, and answer', async () => {
  models({ Parrot: ['PASS', 'Hello yourself.'] });
  program('Echo', process.execPath, '-e', 'process.stdin.resume().on("end", () => console.log("Echo here."))');
  program('Far', 'no-such-program');
  const { thread: made } = await pages.human().threads.create({ title: 'Guests' });
  const page = await pages.open(`/threads/${made.id}`);
  const openInvite = () => page.getByRole('complementary').getByRole('button', { name: 'Invite' }).click();
  await openInvite();
  const offered = page.getByRole('dialog', { name: 'Invite' });
  await see(offered.getByText('small, built in'));
  await look(page, 'invite-model');
  await offered.getByLabel('Parrot').check();
  await offered.getByRole('button', { name: 'Invite', exact: true }).click();
  await see(page.getByRole('feed').getByText('human invited parrot'));
  await closed(made.id, 1);
  await write(page, 'Hello.');
  await see(row(page, 'Hello yourself.'));

  await openInvite();
  await see(offered.getByText('is not installed on this machine'));
  expect(await offered.getByLabel('Far').isDisabled()).toBe(true);
  await offered.getByLabel('Echo').check();
  await offered.getByRole('button', { name: 'Invite', exact: true }).click();
  await see(row(page, 'Echo here.').filter({ hasText: 'echo' }));

  // What its program can see is said where one looks at it.
  await act(page, 'echo', 'About echo');
  const { agents: listed } = await pages.human().agents();
  await see(page.getByRole('dialog', { name: 'About echo' }).getByText(listed[0]?.sandbox.sentence as string));
});
