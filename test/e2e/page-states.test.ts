import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { draft, says } from './page-dialogue-support.ts';
import { asksAgain, letter, round, thinks } from './page-exchange-support.ts';
import { branch, openSettings, text } from './page-loom-support.ts';
import { giveModels, type Scripts } from './page-models-support.ts';
import { HARD, RTL, sound, WORD } from './page-states-support.ts';
import { gone, row, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 90_000 });
const pages = setUpPages();
const remote = (id: string) => pages.human().thread(id);
const TITLE = `${RTL} ${WORD}`.slice(0, 200);

function models(scripts: Scripts): void {
  giveModels(pages.server.workspace, scripts, { defaults: { loom: 'told' } });
}

async function until(id: string, type: string): Promise<void> {
  const types = async () => (await remote(id).events({ limit: 1000 })).events.map((event) => event.type);
  await expect.poll(types, { timeout: 40_000 }).toContain(type);
}

/** Opens what a key or a button opens, looks, and leaves it by Esc. */
async function over(page: Page, name: string, opened: ReturnType<Page['getByRole']>): Promise<void> {
  await see(opened);
  await sound(page, name);
  await page.keyboard.press('Escape');
  await gone(opened);
}

test('[I11] without content: home, sign-in, nowhere, what is not there, and each room at its beginning', async () => {
  const page = await pages.open();
  await see(page.getByRole('main').getByRole('button', { name: /Begin/ }));
  await sound(page, 'home empty');
  await page.evaluate(() => history.pushState(null, '', '/elsewhere'));
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  await see(page.getByRole('heading', { name: 'Page not found' }));
  await sound(page, 'nowhere');
  await page.goto(`${pages.server.url}/threads/01NOSUCHTHREAD`);
  await see(page.getByRole('alert'));
  await sound(page, 'not there');
  for (const kind of ['conversation', 'dialogue', 'exchange', 'loom'] as const) {
    const { thread } = await pages.human().threads.create({ title: `New ${kind}`, kind });
    const room = kind === 'conversation' ? 'threads' : kind;
    await page.goto(`${pages.server.url}/${room}/${thread.id}`);
    await see(page.getByRole('heading', { name: `New ${kind}`, level: 1 }));
    await sound(page, `${kind} empty`);
  }
  const stranger = await (await pages.newContext()).newPage();
  await stranger.goto(pages.server.url);
  await see(stranger.getByText('token --link'));
  await sound(stranger, 'sign in');
});

test('[I11] a thread with 40 people, long, right-to-left and coloured text, drafts, a limit and a side channel', async () => {
  const alpha = await pages.agent('alpha');
  const { thread } = await pages.human().threads.create({ title: TITLE });
  const [ours, theirs] = [remote(thread.id), alpha.thread(thread.id)];
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => {
      const profile = { nickname: `${RTL} ${i} ${WORD}`.slice(0, 64), roles: [WORD.slice(0, 64)] };
      const participant_id = i === 0 ? 'alpha' : i === 1 ? 'a'.repeat(64) : `agent-${i}`;
      return ours.post({ type: 'control', content: { invite: { participant_id, profile } } });
    }),
  );
  const { event } = await theirs.post({ type: 'message', to: 'human', content: HARD });
  await ours.post({ type: 'message', content: RTL, meta: { reply_to: event.id } });
  await theirs.command('draft', { text: HARD, reply_to: event.id });
  const side = await ours.command('side_open', { question: HARD.slice(0, 2000), members: ['alpha'] });
  await ours.post({ type: 'task', to: 'alpha', content: WORD });
  await ours.post({ type: 'control', content: { budget: { tokens: 10 } } });
  await ours.post({ type: 'control', content: { mute: { targets: ['a'.repeat(64)] } } });

  const page = await pages.open(`/threads/${thread.id}`);
  await page.getByRole('button', { name: 'drafted an answer' }).first().click();
  await see(page.getByRole('button', { name: 'Post', exact: true }));
  await sound(page, 'thread');
  await page.getByLabel('Your message').pressSequentially('@a');
  await see(page.getByRole('listbox', { name: 'People to mention' }));
  await sound(page, 'thread mention');
  await page.keyboard.press('Escape');
  await row(page, RTL).first().hover();
  await row(page, RTL).first().getByRole('button', { name: 'Source' }).click();
  await over(page, 'explain', page.getByRole('dialog', { name: 'Source' }));
  await shortcut(page, '?');
  await over(page, 'keys', page.getByRole('dialog', { name: 'Keys' }));
  await page.goto(`${pages.server.url}/threads/${side.thread.id}`);
  await see(page.getByRole('main').getByText(/side channel of/i));
  await sound(page, 'side channel');
  await pages.killServer();
  await see(page.getByRole('status').getByText('reconnecting'));
  await sound(page, 'without the server');
  await pages.restartServer();
  await page.goto(pages.server.url);
  await see(page.getByRole('region', { name: 'Needs you' }));
  await sound(page, 'home');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('donau');
  await see(page.getByRole('option').first());
  await over(page, 'palette', page.getByRole('dialog', { name: 'Search or run a command' }));
  await page.keyboard.press('n');
  await over(page, 'new', page.getByRole('dialog'));
  await page.goto(`${pages.server.url}/settings`);
  await see(page.getByRole('heading', { name: 'Settings' }));
  await sound(page, 'settings');
});

test('[I11] [I13] a dialogue: drafts, one edited, a difference, settings, where from, what was accepted', async () => {
  models({ mind: [says(HARD, WORD, RTL), says(`${HARD} more`, WORD), says('+1'), says(null)], told: ['x'] });
  const { thread } = await pages.human().threads.create({ title: TITLE, kind: 'dialogue', setup: { model: 'mind' } });
  await remote(thread.id).command('message', { text: HARD, run: { iterations: 4 } });
  await until(thread.id, 'run.ended');
  const page = await pages.open(`/dialogue/${thread.id}`);
  await see(draft(page, 2));
  await sound(page, 'dialogue');
  await draft(page, 2).focus();
  await shortcut(page, 'e');
  await see(page.getByLabel('Draft 2 as you accept it'));
  await sound(page, 'dialogue editing');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Dialogue settings' }).click();
  await over(page, 'dialogue settings', page.getByRole('dialog', { name: 'Dialogue settings' }));
  await shortcut(page, 'd');
  await see(page.getByRole('region', { name: 'Drafts 1 and 2 compared' }));
  await sound(page, 'dialogue compare');
  await page.keyboard.press('Escape');
  await see(draft(page, 2));
  await page.keyboard.press('a');
  const pair = page.getByRole('article', { name: 'Turn 1' });
  await see(pair);
  await pair.getByRole('button', { name: 'All 3 drafts' }).click();
  await sound(page, 'dialogue history');
});

test('[I11] [I14] an exchange: rounds, an audit, a request for a restart, terms, two branches side by side', async () => {
  models({
    thinker: [thinks(HARD.slice(0, 2000)), thinks(WORD.slice(0, 2000), RTL), asksAgain(HARD.slice(0, 900), 'Again')],
    auditor: [`${HARD}\n\nSee [#1] and [#99].`],
    told: ['x'],
  });
  const setup = {
    minds: [{ id: `mind-${'x'.repeat(50)}`, model: 'thinker' }],
    ...{ auditor_model: 'auditor', audit_every: 2, ask_after_audit: 'never', mind_prompt: HARD },
  };
  const { thread } = await pages.human().threads.create({ title: TITLE, kind: 'exchange', setup });
  const ours = remote(thread.id);
  await ours.command('inject', { text: HARD });
  await ours.command('run', { rounds: 3 });
  await until(thread.id, 'restart.detected');
  await ours.command('amend', { set: { mind_prompt: `${HARD} and more` }, reason: HARD.slice(0, 4000) });
  const back = await ours.command('rollback', { round: 1, reason: WORD.slice(0, 4000) });
  const page = await pages.open(`/exchange/${thread.id}`);
  await see(page.getByRole('region', { name: 'Restart request' }));
  await see(letter(page, 1));
  await sound(page, 'exchange');
  await round(page, 2).getByRole('button', { name: 'Round 2' }).click();
  await shortcut(page, '4');
  await see(page.getByRole('textbox', { name: 'Reason' }));
  await sound(page, 'exchange answering');
  await page.keyboard.press('Escape');
  await page.goto(`${pages.server.url}/exchange/${thread.id}#terms`);
  await see(page.getByRole('article', { name: 'Terms' }));
  await sound(page, 'exchange terms');
  await page.keyboard.press('e');
  await see(page.getByRole('form', { name: 'Amend the terms' }));
  await sound(page, 'exchange amending');
  await page.goto(`${pages.server.url}/exchange/${thread.id}#compare.${back.thread.id}`);
  await see(page.getByRole('region', { name: 'Two branches side by side' }));
  await sound(page, 'exchange compare');
});

test('[I11] [I15] a loom: text, the wheel, who wrote it, each panel, branches side by side', async () => {
  models({ told: [{ choices: [` ${HARD}`, ` ${RTL}`, ` ${WORD}`], repeat: 'always' }] });
  const { thread } = await pages.human().threads.create({ title: TITLE, kind: 'loom', setup: { text: HARD } });
  await remote(thread.id).command('generate', { n: 3 });
  await until(thread.id, 'generation.finished');
  const page = await pages.open(`/loom/${thread.id}`);
  await see(text(page));
  await sound(page, 'loom');
  await page.keyboard.press('Alt+ArrowDown');
  await see(page.getByRole('listbox', { name: 'Continuations' }));
  await see(branch(page, '2 of 3'));
  await sound(page, 'loom wheel');
  await page.keyboard.press('Escape');
  await text(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Alt+w');
  await over(page, 'loom who', page.getByRole('dialog', { name: 'Who wrote this' }));
  await page.keyboard.press('Alt+d');
  await over(page, 'loom sides', page.getByRole('dialog', { name: 'Side by side' }));
  for (const tab of ['Node', 'Find', 'Explore', 'Tree']) {
    await page.getByRole('tab', { name: tab }).click();
    await sound(page, `loom ${tab}`);
  }
  for (const view of ['Authors', 'Probabilities']) {
    await page.getByRole('button', { name: view }).click();
    await sound(page, `loom ${view}`);
  }
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  await over(page, 'loom map', page.getByRole('dialog', { name: 'Map' }));
  for (const tab of ['Generation', 'Keys', 'Import and export'] as const) {
    await openSettings(page, tab);
    await over(page, `loom ${tab}`, page.getByRole('dialog', { name: 'Loom settings' }));
  }
});
