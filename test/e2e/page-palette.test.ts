import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { draft, says } from './page-dialogue-support.ts';
import { letter, round, thinks } from './page-exchange-support.ts';
import { openSettings, text } from './page-loom-support.ts';
import { giveModels } from './page-models-support.ts';
import { gone, noSeriousFindings, row, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 90_000 });
const pages = setUpPages();

beforeAll(() => {
  const scripts = {
    mind: [says('The lake is grey.'), says('The lake is blue.'), says(null)],
    thinker: [thinks('Reeds.'), thinks('Water.')],
    auditor: ['It is about reeds [#1].'],
    weaver: [{ choices: [' Beans behind.', ' Peas beside.'], repeat: 'always' }],
  };
  giveModels(pages.server.workspace, scripts, { defaults: { loom: 'weaver' } });
});

/** Buttons that the palette calls otherwise, because by themselves they would not say enough. */
const CALLED: Readonly<Record<string, string>> = {
  'Filter the inbox': 'Hide looms in the inbox',
  New: 'New, with a title',
  Keys: 'Keys',
  'All keys': 'Keys',
  Rename: 'Rename this thread',
  'N related item': 'Trail: where it came from and where it went',
  Trail: 'Trail: where it came from and where it went',
  // The panel, by the name it has in each room.
  People: 'Show or hide the side panel',
  Thoughts: 'Show or hide the side panel',
  Outline: 'Show or hide the side panel',
  // A thread.
  Fork: 'Fork at the end',
  Invite: 'Invite someone',
  'Change the rules': 'Thread settings',
  Export: 'Export messages as Markdown',
  // A mind and its rounds.
  Withdraw: 'Withdraw the message',
  'Open as…': 'Open it as a loom or a dialogue',
  'Send to…': 'Send it to another thread',
  Think: 'Let the mind think',
  Run: 'Run rounds',
  'One round': 'Run one round',
  'Terms and settings': 'Terms',
  Drift: 'Show or hide the side panel',
  // A loom.
  Write: 'View: write',
  Authors: 'View: authors',
  Probabilities: 'View: probabilities',
  Bookmark: 'Bookmark, or remove it',
  Source: 'Source: who wrote it, with the proof',
  'Send the text up to here to…': 'Send it to another thread',
  'Show only this branch': 'Show only this branch in the outline',
  'Prune the branch': 'Prune this branch, or restore it',
  'Markdown, with authors': 'Export the text as Markdown',
  Everything: 'Export all of it as JSON Lines',
  'Import a loom or a text': 'Import a loom or a text from a file',
  // The settings.
  'Issue a token': 'Settings: tokens, to issue or revoke one',
  Save: 'Settings: budget and currency, to change them',
};

/** The bar of a dialogue, and the menu in its head. */
const OF_A_DIALOGUE: Readonly<Record<string, string>> = {
  'Accept draft 2': 'Accept this draft',
  Edit: 'Edit it, then accept',
  Compare: 'Compare with the draft before',
  Steer: 'Steer the mind',
  'Think for': 'Let the mind think for 20 iterations',
  More: 'Download all drafts',
};

/** Buttons without a line of their own in the palette, and why. */
const EXCEPT: readonly (readonly [RegExp, string])[] = [
  [/^Search or run a command$/, 'opens the palette itself'],
  [/^(In the text|In the whole tree)$/, 'narrows what is typed beside it'],
  [/^Most likely$/, 'a field of what is explored'],
  [
    /^(Anthropic|OpenAI|OpenRouter|Google|Mistral|Ollama|LM Studio|llama.cpp|vLLM|Other|Base model|Scripted)\b/,
    'opens “Add a model” with one field filled in',
  ],
  [/^More$|^More for |^Add key for /, 'what it opens is in the palette'],
  [/^(mind|small|weaver|thinker|auditor)$/, 'a default model; the palette has “Use … for …”'],
  [/^Match system$/, 'is so already'],
  [/^Theme: /, 'goes through “Light”, “Dark” and “match system”'],
  [/^Close (people|thoughts|drift|outline)$/, 'folds the panel, as “Show or hide the side panel” does'],
  [/^Copy$/, 'copies what stands beside it'],
  [/^(Write|Generation|Keys|Import and export)$/, 'what is shown already'],
  [/^Close$/, 'closes what it stands in'],
];

/** What can be pressed in these parts of the page, by name. */
async function buttonsIn(page: Page, parts: string): Promise<readonly string[]> {
  const names = await page.evaluate((parts) => {
    const all = [...document.querySelectorAll(parts)].flatMap((part) => [
      ...part.querySelectorAll<HTMLElement>('button, a.act, label.act'),
    ]);
    return all
      .filter((button) => button.checkVisibility() && !button.matches(':disabled, .person-row'))
      .map((button) => {
        const key = button.querySelector('kbd')?.innerText ?? '';
        const words = button.innerText.trim();
        return button.getAttribute('aria-label') ?? (key ? words.slice(0, -key.length).trim() : words);
      });
  }, parts);
  return [...new Set(names)];
}

/** The lines of actions that the palette has for these words. */
async function linesFor(page: Page, words: string): Promise<readonly string[]> {
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  await field.fill(words);
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=option][id^="do-"] [data-name]')].map(
      (each) => (each as HTMLElement).innerText,
    ),
  );
}

const absent: string[] = [];

/** What is missing is told at the end, all at once. */
async function allInPalette(
  page: Page,
  where: string,
  parts = 'main > header, .run-line, aside',
  called: Readonly<Record<string, string>> = {},
): Promise<void> {
  const buttons = await buttonsIn(page, parts);
  // Under a dialog no key opens the palette.
  if (parts.includes('[role=dialog]')) {
    await page.keyboard.press('Escape');
    await gone(page.getByRole('dialog'));
  }
  expect(buttons.length, `buttons in ${where}`).toBeGreaterThan(0);
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog', { name: 'Search or run a command' }));
  const missing: string[] = [];
  for (const button of buttons) {
    if (EXCEPT.some(([name]) => name.test(button))) continue;
    const name = called[button] ?? CALLED[button.replace(/^\d+/, 'N')] ?? button;
    const lines = await linesFor(page, name);
    if (!lines.includes(name)) missing.push(`“${button}”, as “${name}”: ${lines.slice(0, 3).join(' | ')}`);
  }
  absent.push(...missing.map((each) => `${where}: ${each}`));
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog', { name: 'Search or run a command' }));
}

/** What the lines of menus are called in the palette. */
const IN_MENUS: Readonly<Record<string, string>> = {
  'Ask to reply': 'Ask alpha to reply',
  Mute: 'Mute alpha',
  'Mute and fold messages': 'Mute alpha and fold messages',
  Unmute: 'Unmute alpha',
  Remove: 'Remove alpha',
  'Approve before posting: off': 'Let alpha draft before it posts',
  'Change instructions': 'Thread settings',
  Rename: 'Rename this thread',
  Fork: 'Fork at the end',
  Pin: 'Pin this thread',
  'Tags…': 'Tags of this thread',
  Archive: 'Archive this thread',
};

async function menuInPalette(page: Page, button: Locator, where: string): Promise<void> {
  await button.click();
  await see(page.getByRole('menuitem'));
  const names = await page.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  await gone(page.getByRole('menu'));
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog', { name: 'Search or run a command' }));
  for (const each of names) {
    const name = IN_MENUS[each] ?? each;
    const lines = await linesFor(page, name);
    if (!lines.includes(name)) absent.push(`${where}: “${each}”, as “${name}”: ${lines.slice(0, 3).join(' | ')}`);
  }
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog', { name: 'Search or run a command' }));
}

async function choose(page: Page, words: string): Promise<void> {
  await gone(page.getByRole('dialog', { name: 'Search or run a command' }));
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog', { name: 'Search or run a command' }));
  await page.keyboard.type(words);
  await see(page.locator('[role=option][aria-selected=true]').getByText(words));
  await page.keyboard.press('Enter');
}

const focused = (page: Page) => () =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    const label = element?.labels?.[0]?.innerText;
    return element?.getAttribute('aria-label') ?? label ?? element?.innerText ?? '';
  });

test('[I32] every button in the head and the panel of each room, at home and in the settings is in the palette', async () => {
  const human = pages.human();
  const { thread } = await human.threads.create({ title: 'Plans' });
  const remote = human.thread(thread.id);
  const invite = { participant_id: 'alpha', profile: { kind: 'agent' } } as const;
  await remote.post({ type: 'control', content: { invite } });
  await remote.post({ type: 'message', content: 'Roses by the wall.' });
  const side = await remote.command('side_open', { question: 'Which roses?', members: ['alpha'] });
  const page = await pages.open();
  await see(page.getByRole('heading', { name: 'Recent' }));
  await allInPalette(page, 'home', 'main, nav');

  await page.goto(`${pages.server.url}/threads/${thread.id}`);
  await see(page.getByRole('button', { name: 'More for alpha' }));
  await allInPalette(page, 'a thread', 'main > header, aside');
  await menuInPalette(page, page.getByRole('button', { name: 'More for alpha' }), 'alpha');
  await remote.post({ type: 'control', content: { mute: { targets: ['alpha'], mode: 'soft' } } });
  await menuInPalette(page, page.getByRole('button', { name: 'More for alpha' }), 'alpha muted');
  await page.goto(`${pages.server.url}/threads/${side.thread.id}`);
  await menuInPalette(
    page,
    page.getByRole('main').getByRole('button', { name: 'More', exact: true }),
    'a side channel',
  );

  const talk = await human.threads.create({ title: 'Lake', kind: 'dialogue', setup: { model: 'mind' } });
  const mind = human.thread(talk.thread.id);
  await mind.command('message', { text: 'What colour is the lake?', run: { iterations: 2 } });
  await page.goto(`${pages.server.url}/dialogue/${talk.thread.id}`);
  await see(draft(page, 2));
  await see(page.getByRole('button', { name: 'Think for' }));
  await allInPalette(page, 'a dialogue that waits', 'main > header, [role=toolbar]', OF_A_DIALOGUE);
  await mind.command('accept', { draft: 1 });
  await see(page.getByRole('article', { name: 'Turn 1' }));
  await allInPalette(page, 'a dialogue at rest', 'main > header', OF_A_DIALOGUE);

  const minds = [{ id: 'mind_0', model: 'thinker' }];
  const setup = { minds, auditor_model: 'auditor', audit_every: 1, ask_after_audit: 'never' };
  const pool = await human.threads.create({ title: 'Reeds', kind: 'exchange', setup });
  await human.thread(pool.thread.id).command('run', { rounds: 1 });
  await human.thread(pool.thread.id).command('branch', { title: 'Reeds again' });
  await page.goto(`${pages.server.url}/exchange/${pool.thread.id}`);
  await see(letter(page, 1));
  await see(page.getByRole('link', { name: 'Compare with Reeds again' }));
  await allInPalette(page, 'an exchange', 'main > header, .run-line, aside, .branches', {
    Rename: 'Rename this exchange',
  });

  const verse = await human.threads.create({ title: 'Verse', kind: 'loom', setup: { text: 'Roses.' } });
  await page.goto(`${pages.server.url}/loom/${verse.thread.id}`);
  await see(text(page));
  const tabs = ['Tree', 'Node', 'Find', 'Explore'];
  for (const tab of tabs) {
    await page.getByRole('tab', { name: tab }).click();
    await allInPalette(page, `a loom: ${tab}`, undefined, {
      ...Object.fromEntries(tabs.map((each) => [each, `Panel: ${each}`])),
    });
  }
  await openSettings(page, 'Import and export');
  await allInPalette(page, 'a loom: files', '[role=dialog]', {
    'Plain text': 'Export as Plain text',
    'HTML, with authors': 'Export as HTML, with authors',
    OpenLoom: 'Export as OpenLoom',
    'Python loom': 'Export as Python loom',
  });

  await human.credentials.issue({ participant: 'gamma' });
  await page.goto(`${pages.server.url}/settings`);
  const token = page.getByRole('listitem').filter({ hasText: 'gamma' });
  await see(token);
  const created = (await human.credentials.list()).credentials.find(({ participant }) => participant === 'gamma');
  const revoke = `Revoke the token of gamma, ${created?.created.slice(0, 16).replace('T', ' ')}`;
  await allInPalette(page, 'the settings', 'main', {
    Revoke: revoke,
    Copy: 'Copy link',
    'USD · US Dollar': 'Settings: budget and currency, to change them',
  });
  expect(absent, 'buttons that the palette does not have').toEqual([]);
});

test('[I32] [I12] by the palette alone somebody is muted, let speak, told to draft, prodded, stopped and asked to leave', async () => {
  const human = pages.human();
  const { thread } = await human.threads.create({ title: 'Company' });
  const remote = human.thread(thread.id);
  for (const participant_id of ['alpha', 'beta']) {
    const invite = { participant_id, profile: { kind: 'agent' } } as const;
    await remote.post({ type: 'control', content: { invite } });
  }
  const page = await pages.open(`/threads/${thread.id}`);
  const feed = page.getByRole('feed');
  await see(feed.getByText('human invited beta'));
  await feed.getByRole('button', { name: /human invited beta/ }).click();
  await page.keyboard.press('Escape');
  // What is there for each of many is not listed before it is asked for, and only what applies is.
  await page.keyboard.press('Control+k');
  await see(page.getByRole('option', { name: 'Invite someone' }));
  expect(await page.getByRole('group', { name: 'People' }).count()).toBe(0);
  expect(await linesFor(page, 'beta')).toEqual([
    ...['Stop beta', 'About beta', 'Ask beta to reply', 'Mute beta', 'Mute beta and fold messages', 'Remove beta'],
    'Let beta draft before it posts',
  ]);
  expect(await linesFor(page, 'mute')).toEqual([
    'Mute alpha',
    'Mute alpha and fold messages',
    'Mute beta',
    'Mute beta and fold messages',
    'Mute human',
    'Mute human and fold messages',
  ]);
  await page.keyboard.press('Escape');
  for (const [action, said] of [
    ['Mute beta', 'human muted beta'],
    ['Unmute beta', 'human unmuted beta'],
    ['Mute beta and fold messages', 'human muted beta and folded its messages'],
    ['Let beta draft before it posts', 'human invited beta'],
    ['Ask alpha to reply', 'human asked alpha to reply'],
    ['Stop alpha', 'alpha was stopped by human'],
    ['Remove alpha', 'human removed alpha'],
  ] as const) {
    await choose(page, action);
    await see(feed.getByText(said));
  }
});

test('[I32] what needs a word more is opened by the palette with the focus in its field, also where the panel is a sheet', async () => {
  const human = pages.human();
  const { thread } = await human.threads.create({ title: 'Narrow' });
  const invite = { participant_id: 'alpha', profile: { kind: 'agent' } } as const;
  await human.thread(thread.id).post({ type: 'control', content: { invite } });
  for (const width of [1280, 360]) {
    const page = await pages.open(`/threads/${thread.id}`, { viewport: { width, height: 740 } });
    await see(page.getByRole('feed').getByText('human invited alpha'));
    for (const [action, field] of [
      ['Open a side channel', /^The question$/],
      ['Thread settings', /^Everyone in a small thread/],
      ['Invite someone', /^Someone else, by ID/],
    ] as const) {
      await page.locator('body').press('Escape');
      await choose(page, action);
      await expect.poll(focused(page), { message: action }).toMatch(field);
      if (width === 360) await page.keyboard.press('Escape');
    }
    if (width === 360) await choose(page, 'Invite someone');
    await noSeriousFindings(page, `the panel at ${width}`);
  }
});

test('[I32] [T19] drafts and what is marked are reached by the palette: forked at, posted, put away', async () => {
  const human = pages.human();
  const alpha = await pages.agent('alpha');
  const { thread } = await human.threads.create({ title: 'Drafted' });
  await human.thread(thread.id).post({ type: 'message', content: 'Roses?' });
  await alpha.thread(thread.id).command('draft', { text: 'Yes, roses.' });
  await alpha.thread(thread.id).command('draft', { text: 'No, beans.' });
  const page = await pages.open(`/threads/${thread.id}`);
  await see(page.getByRole('article', { name: 'Draft 2 by alpha' }));
  await choose(page, 'Dismiss draft 2 by alpha');
  await gone(page.getByRole('article', { name: 'Draft 2 by alpha' }));
  await choose(page, 'Post draft 1 by alpha');
  await see(row(page, 'Yes, roses.').getByText('posted by human'));
  await row(page, 'Roses?').first().focus();
  await choose(page, 'Fork at the selected message');
  await see(page.getByText('forked from'));
  expect(await page.getByText('Yes, roses.').count()).toBe(0);
});

test('[I32] [I13] [I14] a draft, a turn and a round are each reached by the palette by their number', async () => {
  const human = pages.human();
  const talk = await human.threads.create({ title: 'Pond', kind: 'dialogue', setup: { model: 'mind' } });
  await human.thread(talk.thread.id).command('message', { text: 'What colour?', run: { iterations: 3 } });
  const page = await pages.open(`/dialogue/${talk.thread.id}`);
  await see(draft(page, 2));
  await see(page.getByRole('button', { name: 'Think for' }));
  await choose(page, 'Accept draft 1');
  const turn = page.getByRole('article', { name: 'Turn 1' });
  await see(turn);
  await choose(page, 'Hide turns up to 1 from the mind');
  await see(turn.getByText('hidden from the mind'));
  await choose(page, 'Show turn 1 to the mind again');
  await gone(turn.getByText('hidden from the mind'));
  await choose(page, 'All drafts of turn 1');
  await see(turn.getByText('Draft 2, compared with'));
  await choose(page, 'Answer turn 1 with draft 2 instead, in a fork');
  await see(page.getByText('forked from'));

  const setup = { minds: [{ id: 'mind_0', model: 'thinker' }], auditor_model: 'auditor' };
  const pool = await human.threads.create({ title: 'Pool', kind: 'exchange', setup });
  await human.thread(pool.thread.id).command('run', { rounds: 2 });
  await page.goto(`${pages.server.url}/exchange/${pool.thread.id}`);
  await see(round(page, 2));
  await choose(page, 'Roll back to round 1');
  await expect.poll(focused(page)).toBe('Reason');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith(pool.thread.id));
  await see(round(page, 1));
  expect(await round(page, 2).count()).toBe(0);
});

test('[I32] what I type before the palette has loaded is not lost, and Enter waits for it', async () => {
  await pages.human().threads.create({ title: 'Slow boat' });
  const context = await pages.newContext();
  await context.request.post((await pages.human().signInLink()).url);
  const page = await context.newPage();
  const go = Promise.withResolvers<void>();
  await page.route(/palette-[^/]*\.js$/, async (route) => {
    await go.promise;
    await route.continue();
  });
  await page.goto(pages.server.url);
  await see(page.getByRole('link', { name: /^Slow boat/ }));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('slow bo');
  await page.keyboard.press('Enter');
  go.resolve();
  await see(page.getByRole('heading', { name: 'Slow boat', level: 1 }));
});
