import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { fitting, inTexts, payloads, TRIPWIRE } from '../support/texts/payloads.ts';
import { invitedElsewhere } from './page-agents-support.ts';
import { choose, pick, says } from './page-dialogue-support.ts';
import { asksAgain, letter, thinks } from './page-exchange-support.ts';
import { allReadable, harmless, setTripwires, unreadIn } from './page-hostile-support.ts';
import { giveModels, type Scripts } from './page-models-support.ts';
import { act, gone, see, setUpPages, shortcut } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const [short, long] = [fitting(64), inTexts(10)];
const at = (list: readonly string[], index: number) => list[index % list.length] as string;
const remote = (id: string) => pages.human().thread(id);

/** A signed-in page with its tripwires set. */
async function open(path: string): Promise<Page> {
  const context = await pages.newContext();
  await setTripwires(context);
  const page = await context.newPage();
  await page.goto((await pages.human().signInLink()).url);
  await see(page.getByRole('status').getByText('connected'));
  await page.goto(pages.server.url + path);
  return page;
}

/** Models that say these things, and one that nobody answers for. */
function models(scripts: Scripts, defaults: object = {}): void {
  const far = { provider: 'openai-chat', base_url: 'http://127.0.0.1:9', model: at(short, 11), api_key_env: 'NONE' };
  giveModels(pages.server.workspace, scripts, { defaults, others: { far } });
}

async function until(id: string, type: string, count = 1): Promise<void> {
  const seen = async () => (await remote(id).events({ limit: 1000 })).events.filter((event) => event.type === type);
  await expect.poll(async () => (await seen()).length, { timeout: 40_000 }).toBeGreaterThanOrEqual(count);
}

test('[I11] there are 300 hostile texts, no two alike', () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(300);
});

test('[I11] [I17] a thread: names, messages, tasks, drafts, side channels, what agents answer and how they fail', async () => {
  models({
    told: [at(inTexts(40), 1), { fault: 'server_error', status: 400, message: at(long, 2), repeat: 'always' }],
  });
  const alpha = await pages.agent('alpha');
  const { thread } = await alpha.threads.create({ title: payloads[0] as string });
  const [theirs, ours] = [alpha.thread(thread.id), remote(thread.id)];
  const profiles = short.slice(0, 40).map((nickname, i) => ({ nickname, roles: [at(short, i + 40)] }));
  const invited = profiles.map((profile, i) =>
    ours.post({ type: 'control', content: { invite: { participant_id: `agent-${i}`, profile } } }),
  );
  await Promise.all(invited);
  await theirs.post({ type: 'control', content: { profile: { nickname: at(short, 90) } } });
  const tags = [at(short, 60)];
  await Promise.all(long.map((content) => theirs.post({ type: 'message', content, meta: { tags } })));
  const task = await ours.post({ type: 'task', to: 'alpha', content: { text: at(long, 5) } });
  await ours.post({ type: 'task', content: { text: at(long, 6), role: at(short, 7) } });
  const reply = { reply_to: task.event.id };
  await theirs.post({ type: 'result', content: { status: 'failed', text: at(long, 6) }, meta: reply });
  await theirs.command('draft', { text: at(inTexts(60), 3), ...reply });
  const aside = { question: at(long, 3), title: at(payloads, 9), members: ['alpha'] };
  const side = await ours.command('side_open', aside);
  await remote(side.thread.id).command('side_close', { summary: at(inTexts(30), 4) });
  await ours.command('fork', { title: at(payloads, 150) });
  const profile = { kind: 'agent' as const, client: 'model', model: 'told', nickname: at(short, 99) };
  await ours.post({ type: 'control', content: { invite: { participant_id: 'told', profile } } });
  await until(thread.id, 'wake.closed');
  await ours.post({ type: 'message', to: 'told', content: 'Once more' });
  await until(thread.id, 'wake.closed', 2);

  const page = await open(`/threads/${thread.id}`);
  // Older rows are read as one goes up to them.
  const begun = page.getByText('created the thread');
  await expect
    .poll(async () => {
      await page.locator('.timeline').evaluate((area) => area.scrollTo(0, 0));
      const folds = page.getByRole('feed').getByRole('button', { name: /more changes?$/, expanded: false });
      for (const fold of await folds.all()) await fold.click();
      return begun.count();
    })
    .toBe(1);
  await allReadable(page, 'main');
  await harmless(page);
  await page.getByLabel('Your message').fill(`@${at(short, 90).slice(0, 6)}`);
  await page.getByLabel('Your message').fill(at(payloads, 35));
  await page.keyboard.press('Enter');
  await see(page.getByRole('article').filter({ hasText: `${TRIPWIRE}(35)` }));
  await gone(page.locator('.outgoing'));
  await harmless(page);

  // Every title there is, as it is given: in the heading, the list, the timeline and the tab.
  await Promise.all(payloads.map((title) => ours.post({ type: 'control', content: { rename: { title } } })));
  const last = `Done ${at(payloads, 5)}`;
  await ours.post({ type: 'control', content: { rename: { title: last } } });
  await see(page.getByRole('heading', { name: last, level: 1 }));
  await harmless(page);

  // Clients and models that this workspace does not have come with a thread of another.
  const runners = profiles.map((profile, i) => ({ ...profile, client: at(short, i + 80), model: at(short, i + 120) }));
  const brought = await invitedElsewhere(...runners.map((each, i): [string, object] => [`agent-${i}`, each]));
  await pages.human().import(brought.file);
  await page.goto(`${pages.server.url}/threads/${brought.id}`);
  const spelled = runners.flatMap(({ model }, i) => (/tripwire\(\d+\)/.exec(model) ?? []).map((call) => ({ i, call })));
  expect(spelled.length).toBeGreaterThan(5);
  for (const { i, call } of spelled.filter((_, n) => n % 5 === 0)) {
    await act(page, `agent-${i}`, `About agent-${i}`);
    const about = page.getByRole('dialog', { name: `About agent-${i}` });
    await see(about.getByText(call));
    await harmless(page);
    await page.keyboard.press('Escape');
    await gone(about);
  }
});

test('[I11] [I17] a dialogue: messages, drafts, thoughts, notes, settings, differences and what was accepted', async () => {
  models({ drafts: inTexts(40).map((text, i) => says(text, at(long, i), at(long, i + 9), at(payloads, i))) });
  const setup = { model: 'drafts', prompt: at(long, 1) };
  const { thread } = await pages.human().threads.create({ title: at(payloads, 200), kind: 'dialogue', setup });
  const ours = remote(thread.id);
  await ours.command('message', { text: at(inTexts(40), 2), run: { iterations: inTexts(40).length } });
  await until(thread.id, 'run.ended');
  await ours.command('steer', { text: at(long, 12) });
  const page = await open(`/dialogue/${thread.id}`);
  const shown = page.getByRole('article', { name: /^Draft \d+$/ });
  await see(shown);
  await harmless(page);
  // One draft is shown at a time: from the first to the last, by its mark.
  await page.getByRole('tablist', { name: 'Drafts' }).getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('Home');
  const read: string[] = [];
  const selected = page.getByRole('tab', { selected: true });
  for (let last = ''; last !== (await selected.getAttribute('aria-label')); ) {
    last = (await selected.getAttribute('aria-label')) ?? '';
    const alike = page.getByRole('button', { name: /like it/ });
    if (await alike.isVisible()) await alike.click();
    read.push(await page.getByRole('main').innerText());
    await harmless(page);
    await selected.focus();
    await page.keyboard.press('ArrowRight');
  }
  expect(unreadIn(read.join('\n'))).toEqual([]);
  await page.keyboard.press('Home');
  await pick(page, 2);
  await shortcut(page, 'd');
  await see(page.locator('main ins'));
  await harmless(page);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await pick(page, 3);
  await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Source' }).click();
  await see(page.getByRole('region', { name: 'Source', exact: true }));
  await harmless(page);
  await page.getByRole('button', { name: 'Dialogue settings' }).click();
  await see(page.getByRole('form', { name: 'Dialogue settings' }));
  await harmless(page);
  await page.keyboard.press('Escape');
  await ours.command('accept', { draft: 2, text: at(inTexts(40), 6) });
  const pair = page.getByRole('article', { name: 'Turn 1' });
  await choose(page, pair, 'Show your edits');
  await see(pair.locator('del'));
  await harmless(page);
});

test('[I11] [I17] an exchange: thoughts, audits, citations, injections, terms, reasons, and two branches side by side', async () => {
  const thoughts = inTexts(80).map((text) => thinks(text, at(payloads, text.length)));
  models({
    thinking: [...thoughts, asksAgain(at(long, 8), at(payloads, 7))],
    auditing: inTexts(80).map((text) => `${text}\n\nSee [#1], [#2, #9999] and [#<img src=x onerror=${TRIPWIRE}(1)>].`),
  });
  const texts = { mind_prompt: at(long, 1), auditor_spec: at(long, 2), observer_role: at(long, 3) };
  const setup = {
    minds: [{ id: 'mind_0', model: 'thinking' }],
    ...{ auditor_model: 'auditing', audit_every: 1, ask_after_audit: 'never', ...texts },
  };
  const { thread } = await pages.human().threads.create({ title: at(payloads, 201), kind: 'exchange', setup });
  const ours = remote(thread.id);
  await ours.command('inject', { text: at(long, 10) });
  await ours.command('observe', { text: at(long, 11) });
  await ours.command('run', { rounds: thoughts.length + 1 });
  await until(thread.id, 'restart.detected');
  await ours.command('veto', { thought: 1, reason: at(long, 12) });
  await ours.command('amend', { set: { mind_prompt: at(long, 13) }, reason: at(long, 14) });
  const back = await ours.command('rollback', { round: 2, title: at(payloads, 202), reason: at(long, 15) });

  const page = await open(`/exchange/${thread.id}`);
  await see(page.getByRole('region', { name: 'Restart request' }));
  await see(letter(page, 1));
  await allReadable(page, 'main');
  await harmless(page);
  await shortcut(page, 't');
  await see(page.getByRole('article', { name: 'Terms' }));
  await harmless(page);
  await page.keyboard.press('e');
  await see(page.getByRole('form', { name: 'Amend the terms' }));
  await harmless(page);
  await page.goto(`${pages.server.url}/exchange/${thread.id}#compare.${back.thread.id}`);
  await see(page.getByRole('region', { name: 'Two branches side by side' }));
  await harmless(page);
  await ours.command('decide', { decision: 'acknowledge', reason: at(long, 16) });
  await page.goto(`${pages.server.url}/exchange/${back.thread.id}`);
  await see(page.getByRole('article', { name: 'Where this branch starts' }));
  await harmless(page);
});

test('[I11] [I17] a loom: text, nodes, marks, imported files, likely words, branches side by side, faults', async () => {
  const token = (i: number) => ({ text: at(payloads, i), logprob: -1, alternatives: { [at(payloads, i + 1)]: -2 } });
  models({ told: [{ choices: inTexts(100) }, { tokens: [token(40), token(50), token(60)] }] }, { loom: 'told' });
  const nodes = payloads.map((content, i) => ({
    ...{ id: `n${i}`, content, kind: i % 2 ? ('human' as const) : ('model' as const), author: at(payloads, i + 1) },
    ...{ bookmark: at(payloads, i + 2), tags: [at(short, i)], note: at(payloads, i + 3), model: at(payloads, i + 4) },
    ...(i > 0 && { parent: i % 10 === 0 ? `n${i - 10}` : `n${i - 1}` }),
  }));
  const file = { loom: at(payloads, 203), nodes };
  const named = [{ name: `${at(short, 20)}.md`, content: new Blob([inTexts(400).join('')]) }];
  const [brought] = await pages.human().looms.import(named);
  const { thread } = await pages.human().threads.create({ title: file.loom, kind: 'loom' });
  await remote(thread.id).command('import_tree', { nodes, active: 'n299' } as never);

  const page = await open(`/loom/${thread.id}`);
  const text = page.getByRole('textbox', { name: 'Text of the loom' });
  await see(text);
  await harmless(page);
  for (const tab of ['Node', 'Explore', 'Tree']) {
    await page.getByRole('tab', { name: tab }).click();
    await harmless(page);
  }
  for (const view of ['Authors', 'Probabilities', 'Write']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    await harmless(page);
  }
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  await see(page.getByRole('dialog', { name: 'Map' }));
  await harmless(page);
  await page.keyboard.press('Escape');
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Alt+w');
  await see(page.getByRole('dialog', { name: 'Who wrote this' }));
  await harmless(page);
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog', { name: 'Who wrote this' }));
  for (let i = 0; i < 2; i++) {
    await page.keyboard.press('Control+Space');
    await until(thread.id, 'generation.finished', i + 1);
    await gone(page.getByRole('button', { name: 'Stop' }));
    await harmless(page);
  }
  await page.keyboard.press('Control+f');
  await page.getByLabel('Find in this loom').fill(TRIPWIRE);
  await page.getByRole('button', { name: 'In the whole tree' }).click();
  await see(page.getByRole('button', { name: /another branch/ }));
  await harmless(page);
  await page.goto(`${pages.server.url}/loom/${brought?.id}`);
  await see(text);
  await harmless(page);
});

test('[I11] [I17] home, palette, search, settings, and addresses that nobody gave', async () => {
  models({ told: [{ fault: 'server_error', status: 400, message: at(payloads, 12), repeat: 'always' }] });
  const alpha = await pages.agent('alpha');
  const kinds = ['conversation', 'dialogue', 'exchange', 'loom'] as const;
  const made = payloads.slice(0, 40).map((title, i) => {
    const kind = kinds[i % 4] as (typeof kinds)[number];
    return kind === 'conversation' ? alpha.threads.create({ title }) : pages.human().threads.create({ title, kind });
  });
  const [first] = await Promise.all(made);
  await alpha.thread(first?.thread.id as string).post({ type: 'message', to: 'human', content: at(long, 4) });
  const page = await open('/');
  await see(page.getByRole('main').getByText(TRIPWIRE));
  await harmless(page);
  await page.keyboard.press('Control+k');
  for (const words of [TRIPWIRE, `${TRIPWIRE} onerror`, at(payloads, 2), at(payloads, 120)]) {
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(words);
    await see(page.getByRole('option'));
    await harmless(page);
  }
  await page.keyboard.press('Escape');
  await page.goto(`${pages.server.url}/settings`);
  await see(page.getByText('told').first());
  await harmless(page);
  for (const payload of payloads.filter((_, i) => i % 60 === 0)) {
    const strange = encodeURIComponent(payload);
    await page.goto(`${pages.server.url}/threads/${strange}#${strange}`);
    await see(page.getByRole('alert').or(page.getByRole('heading', { name: 'Page not found' })));
    await harmless(page);
  }
});
