import { expect, test, vi } from 'vitest';
import {
  acceptButton,
  ask,
  choose,
  draft,
  head,
  mark,
  minds,
  nothingSticksOut,
  pick,
  says,
  soon,
  strip,
  think,
  thinkLater,
  wants,
} from './page-dialogue-support.ts';
import { goHome, gone, listed, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const { create, events, remote } = minds(pages);

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
  await see(page.getByText('Ask, and a mind drafts an answer'));
  await thinkLater(page);
  await ask(page, 'is it too noisy in there? does it ever get dark, or scary?\nis it strange and curious?');
  await wants(page, 'No reply yet after 0 iterations; the mind has not started. Press Think to start.');
  await shortcut(page, '.');
  await see(draft(page, 1).getByText('There is a kind of static'));
  await wants(page, 'the mind has stopped. Press Think to continue, or accept draft 1.');
  expect(await mark(page, 1).getAttribute('aria-description')).toBe('102 characters');
  await think(page, '5 iterations');
  await see(draft(page, 3));
  await wants(page, 'Draft 3 unchanged for 3 iterations, endorsed 2 times; the mind has nothing to add');
  expect(await strip(page)).toEqual(['1', '2', '3', '+1 ×2', 'silence']);
  await soon(() => page.title()).toBe('(1) Needs you: Is it noisy in there? · Heddle');
  await see(page.getByRole('navigation').getByText('1 needs you'));
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/icon-wanted.svg');
  await nothingSticksOut(page, 'dialogue');

  await shortcut(page, 'k');
  await see(draft(page, 2));
  await see(acceptButton(page, 2));
  await page.keyboard.press('a');
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('The frightening part'));
  expect((await events(id, 'turn.accepted'))[0]?.content).toEqual({ turn: 1, draft: 2 });
  await wants(page, 'Idle');
  await gone(page.getByRole('navigation').getByText('needs you'));
  await soon(() => page.title()).toBe('Is it noisy in there? · Heddle');
});

test('[I13] what was said reads from the oldest to the newest, and the open turn is last', async () => {
  const id = await create('In order', [says('Reply one.'), says('Reply two.'), says('Draft three.')]);
  for (const text of ['First', 'Second']) {
    await remote(id).command('message', { text, run: { iterations: 1 } });
    await soon(async () => (await remote(id).dialogue.status()).drafts).toBe(1);
    await remote(id).command('accept', { draft: 1 });
  }
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'Third');
  await see(draft(page, 1).getByText('Draft three.'));
  const said = ['First', 'Reply one.', 'Second', 'Reply two.', 'Third', 'Draft three.'];
  const text = await page.getByRole('main').innerText();
  expect(said.map((words) => text.indexOf(words))).toEqual(
    said.map((words) => text.indexOf(words)).sort((a, b) => a - b),
  );
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('draft 1, accepted by you'));
});

test('[D9] [D30] a word is a badge accepted only as itself, and signals leave the reply where it is', async () => {
  const id = await create('Words', [says('The reply.'), says('WAIT'), says('+1'), says('+1')], {
    draft_display_count: 4,
  });
  const page = await pages.open(`/dialogue/${id}`);
  await thinkLater(page);
  await ask(page, 'Say when');
  for (let iter = 1; iter <= 4; iter++) {
    await think(page, 'One iteration');
    await see(page.getByText('1 of 1 iteration'));
    await soon(async () => (await events(id, 'iteration.ended')).length).toBe(iter);
    await see(page.getByRole('button', { name: 'Think for' }));
  }
  expect(await strip(page)).toEqual(['1', 'WAIT', '+1 ×2']);
  await shortcut(page, 'a');
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('The reply.'));
  expect((await events(id, 'turn.accepted'))[0]?.content).toEqual({ turn: 1, draft: 1 });

  await remote(id).command('message', { text: 'Again' });
  await see(page.getByRole('region', { name: 'Your message' }).getByText('Again'));
  await choose(page, page.getByRole('region', { name: 'Your message' }), 'Withdraw');
  await wants(page, 'Idle');
});

test('[D28] the page says when the model answered with nothing, and when the mind was silent', async () => {
  const id = await create('Nothing', [says('The reply.'), { text: '' }, says(null)]);
  const page = await pages.open(`/dialogue/${id}`);
  const signals = page.getByRole('list', { name: 'Signals' });
  const nothing = signals.getByText('The model’s answer was empty; counted as silence.');
  await remote(id).command('message', { text: 'Anything?', run: { iterations: 2 } });
  await wants(page, 'the model answered with nothing, counted as silence');
  await see(nothing);
  // Other dialogues of this file may wait too.
  await see(page.getByRole('navigation').getByText(/needs? you$/));
  expect(await strip(page)).toEqual(['1', 'nothing']);
  await remote(id).command('step', {});
  await wants(page, 'the mind has nothing to add');
  await see(page.getByRole('tab', { name: 'Silence' }));
  await page.reload();
  await see(nothing);
});

test('[T5] a dialogue is renamed from the menu in its head', async () => {
  const id = await create('Words', []);
  const page = await pages.open(`/dialogue/${id}`);
  await see(page.getByText('Ask, and a mind drafts an answer'));
  await choose(page, head(page), 'Rename');
  const form = page.getByRole('dialog', { name: 'Rename this dialogue' });
  await form.getByLabel('Title').fill('Better words');
  await form.getByRole('button', { name: 'Rename' }).click();
  await see(page.getByRole('heading', { name: 'Better words', level: 1 }));
  await gone(form);
});

test('[D9] the word itself can be accepted by its index', async () => {
  const id = await create('One word', [says('A long reply.'), says('NEVER')]);
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'Will you?');
  const signals = page.getByRole('list', { name: 'Signals' });
  await see(signals.getByText('NEVER'));
  await signals.getByRole('button', { name: 'Accept this word' }).click();
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('NEVER'));
  expect((await events(id, 'turn.accepted'))[0]?.content).toEqual({ turn: 1, draft: 2 });
});

test('[D11] what could not be read is told with its reason, and three in a row hold the run', async () => {
  const id = await create('Nonsense', Array(6).fill('draft: [no]'));
  const page = await pages.open(`/dialogue/${id}`);
  await ask(page, 'Answer in YAML');
  await wants(page, /The run is paused/);
  await see(page.getByRole('alert').getByText('Iteration 3 failed, as did 2 before it:'));
  await see(page.getByRole('button', { name: 'Continue' }));
  await nothingSticksOut(page, 'dialogue-failed');
});

test('[D15] a draft is seen when it was on screen, not before; being there and leaving is told', async () => {
  const long = Array.from({ length: 60 }, (_, i) => `Sentence ${i} of something long.`).join('\n');
  const id = await create('Seen', [says('Far below.'), says(long)]);
  await remote(id).command('message', { text: 'Go', run: { iterations: 500 } });
  await soon(async () => (await events(id, 'run.ended')).length).toBe(1);
  const page = await pages.open(`/dialogue/${id}`);
  await see(draft(page, 2));
  await soon(async () => (await events(id, 'drafts.seen')).map(({ content }) => content.drafts)).toEqual([[2]]);
  await pick(page, 1);
  await soon(async () => (await events(id, 'drafts.seen')).map(({ content }) => content.drafts)).toEqual([[2], [1]]);
  await shortcut(page, 'j');
  const told = async () => (await events(id, 'engagement.set')).map(({ content }) => content.engagement);
  await soon(told).toEqual(['reviewing', 'engaged']);
  await goHome(page);
  await soon(told).toEqual(['reviewing', 'engaged', 'absent']);
});

test('[D16] after being away I see families, the best of each, and how it differs from what I last saw', async () => {
  const id = await create('Away', [
    says('The lake is grey in winter.'),
    says('The lake is grey in winter, mostly.'),
    says('The lake is grey in winter and spring, mostly.'),
    says('Ask the heron instead: she lives there and I do not.'),
    says('+1'),
  ]);
  const page = await pages.open(`/dialogue/${id}`);
  await thinkLater(page);
  await ask(page, 'What colour is the lake?');
  await think(page, 'One iteration');
  await soon(async () => (await events(id, 'drafts.seen')).length).toBe(1);
  await goHome(page);
  await remote(id).command('run', { iterations: 500 });
  await soon(async () => (await events(id, 'run.ended')).length).toBe(2);
  await listed(page, /^Away /).click();
  const away = page.getByRole('region', { name: 'While you were away' });
  await see(away.getByText('2 different answers · endorsed once'));
  await see(away.getByText('best of 2 alike'));
  await see(away.locator('ins').getByText('and spring, mostly'));
  await nothingSticksOut(page, 'dialogue-away');
  await away.getByRole('button', { name: 'Show draft 4' }).click();
  await soon(() => draft(page, 4).evaluate((element) => element === document.activeElement)).toBe(true);
  await away.getByRole('button', { name: 'Accept draft 3' }).click();
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('and spring'));
});

test('[D14] with notifications on, the desktop shows the reason when nobody looks at the page', async () => {
  const context = await pages.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const told: string[] = [];
    class Told {
      static permission = 'granted';
      constructor(title: string, { body }: { body: string }) {
        told.push(`${title}: ${body}`);
      }
    }
    Object.assign(window, { told, Notification: Told });
  });
  await page.goto((await pages.human().signInLink()).url);
  await see(page.getByRole('status').getByText('connected'));
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
  const id = await create('Behind', [says('Here it is.')]);
  await remote(id).command('message', { text: 'Go on without me', run: { iterations: 500 } });
  const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told);
  await soon(told).toEqual([expect.stringMatching(/^Behind: mind-\d+ finished draft 1$/)]);
});
