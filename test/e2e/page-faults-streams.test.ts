import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { agents, atWork } from './page-agents-support.ts';
import { minds, says } from './page-dialogue-support.ts';
import { exchanges, round, thinks } from './page-exchange-support.ts';
import { giveModels } from './page-models-support.ts';
import { drawnPerStep, openCounted } from './page-renders-support.ts';
import { gone, row, see, setUpPages, written } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { thread } = agents(pages);

/** A hundred tokens a second. */
const PACE = 10;
const WRITERS = ['ash', 'birch', 'cedar', 'fir', 'oak'];
const words = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');
const LONG = Array.from({ length: 40 }, (_, i) => `Paragraph ${i} of **something** long, with \`code\` in it.`).join(
  '\n\n',
);
const paced = { text: LONG, pace: PACE };

/** How many components are drawn for a step in which texts grow. */
function drawn(page: Page, where = page.getByRole('main'), from = 4, to = 20): Promise<number> {
  const reached = (number: number) => see(where.getByText(`Paragraph ${number} of`));
  return drawnPerStep(
    page,
    () => reached(from),
    () => reached(to),
  );
}

test('[M12] [I12] five agents write a hundred tokens a second each: all come to their end, and Stop for one leaves the others', async () => {
  const answers = (id: string) => [{ text: words(id === 'oak' ? 4000 : 150, id), pace: PACE }];
  const id = await thread('Five', ...WRITERS.map((each) => ({ id: each, answers: answers(each) })));
  const page = await pages.open(`/threads/${id}`);
  const content = WRITERS.map((each) => `@${each}`).join(' ');
  await pages.human().thread(id).post({ type: 'message', content });
  for (const each of WRITERS) await see(atWork(page).getByRole('article', { name: `${each} is writing` }));
  await atWork(page).getByRole('button', { name: 'Stop oak' }).click();
  await see(page.getByRole('feed').getByText('oak was stopped by human'));
  for (const each of WRITERS.slice(0, 4)) await see(row(page, `${each}149`));
  await gone(atWork(page));
  const texts = (await written(page)).slice(1);
  expect(texts.sort()).toEqual(WRITERS.slice(0, 4).map((each) => words(150, each)));
});

test('[M12] a thread of 40 people and 60 messages: what is drawn for a word does not grow with the room', async () => {
  const id = await thread('Crowd', ...WRITERS.map((each) => ({ id: each, answers: [paced] })));
  const ours = pages.human().thread(id);
  for (let i = 0; i < 35; i++)
    await ours.post({ type: 'control', content: { invite: { participant_id: `guest-${i}`, profile: {} } } });
  for (let i = 0; i < 60; i++) await ours.post({ type: 'message', to: 'human', content: `Earlier **${i}**` });
  const page = await openCounted(pages, `/threads/${id}`);
  await see(row(page, 'Earlier 59'));
  await ours.post({ type: 'message', content: WRITERS.map((each) => `@${each}`).join(' ') });
  expect(await drawn(page, atWork(page))).toBeLessThan(150);
});

test('[M12] a dialogue with turns behind it: a word of a draft draws the draft', async () => {
  const { create, remote, events } = minds(pages);
  const replies = Array.from({ length: 6 }, (_, i) => says(`Reply ${i}. And a second sentence.`));
  const id = await create('Turns', [...replies, { text: says(LONG), pace: PACE }], {}, { context: 32_768 });
  for (const turn of replies.keys()) {
    await remote(id).command('message', { text: `Question ${turn}`, run: { iterations: 1 } });
    await expect.poll(async () => (await events(id, 'iteration.ended')).length).toBe(turn + 1);
    await remote(id).command('accept', { turn: turn + 1, draft: 1 });
  }
  const page = await openCounted(pages, `/dialogue/${id}`);
  await see(page.getByText('Reply 5.'));
  await remote(id).command('message', { text: 'The last', run: { iterations: 1 } });
  expect(await drawn(page)).toBeLessThan(40);
});

test('[M12] an exchange of five minds: a word of a thought draws that thought', async () => {
  const { create, remote, events } = exchanges(pages);
  const cast = WRITERS.map((each) => [
    ...Array.from({ length: 4 }, (_, i) => thinks(`Thought ${i} of ${each} about ${words(6, each)}`)),
    { text: thinks(LONG), pace: PACE },
  ]);
  const id = await create('Minds', { minds: cast }, { parallel: true, audit_every: 50 });
  await remote(id).command('run', { rounds: 4 });
  await expect.poll(async () => (await events(id, 'round.ended')).length, { timeout: 20_000 }).toBe(4);
  const page = await openCounted(pages, `/exchange/${id}`);
  await see(round(page, 4));
  await remote(id).command('run', { rounds: 1 });
  expect(await drawn(page, round(page, 5))).toBeLessThan(120);
});

test('[M12] [I15] a loom of 40 nodes: a word of five continuations draws their cards', async () => {
  const choices = WRITERS.map((each) => ` ${each} ${LONG}`);
  giveModels(pages.server.workspace, { told: [{ choices, pace: PACE }] }, { defaults: { loom: 'told' } });
  const { thread: loom } = await pages.human().threads.create({ title: 'Nodes', kind: 'loom' });
  const ours = pages.human().thread(loom.id);
  for (let i = 0; i < 40; i++) await ours.command('commit', { text: `Node ${i}. ` });
  const page = await openCounted(pages, `/loom/${loom.id}`);
  await see(page.getByText('Node 39.'));
  await ours.command('generate', { n: 5, max_tokens: 1500 });
  expect(await drawn(page, page.getByRole('main'), 1, 6)).toBeLessThan(120);
});
