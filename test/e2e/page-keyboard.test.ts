import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { draft, says, wants } from './page-dialogue-support.ts';
import { asksAgain, letter, wants as poolWants, round, thinks } from './page-exchange-support.ts';
import { branch, reads } from './page-loom-support.ts';
import { giveModels } from './page-models-support.ts';
import { gone, row, see, setUpPages, shortcut } from './page-support.ts';

/* Nothing here uses a pointer: each flow from its beginning to its end by keys alone. */
vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();

beforeAll(() => {
  const scripts = {
    helper: ['PASS', 'Beans, by the wall.'],
    mind: [says('The lake is grey.'), says('The lake is blue.'), says(null), says(null), says(null)],
    thinker: [thinks('Reeds.'), asksAgain('We go in circles.', 'Reeds again.'), thinks('Water.')],
    auditor: ['It is about reeds [#1].'],
    weaver: [{ choices: [' Beans behind.', ' Peas beside.'], repeat: 'always' }],
  };
  giveModels(pages.server.workspace, scripts, { defaults: { loom: 'weaver' } });
});

/** Through the palette, as somebody does who knows its name. */
async function goTo(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await see(page.getByRole('dialog', { name: 'Search or run a command' }));
  await page.keyboard.type(title);
  await see(page.locator('[role=option][aria-selected=true]').getByText(title));
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: title, level: 1 }));
}

/** Goes on with Tab until something of this name has the focus; wherever it stops on the way is seen. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let step = 0; step < 100; step++) {
    await page.keyboard.press(key);
    const [named, isSeen] = await page.evaluate(focus);
    expect(isSeen, `the focus is seen on “${named}”`).toBe(true);
    if (name.test(named)) return;
  }
  throw new Error(`${key} does not reach ${name}.`);
}

function focus(): [name: string, isSeen: boolean] {
  let element = document.activeElement as HTMLElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement as HTMLElement;
  const label = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.innerText;
  const name = label ?? element.innerText ?? '';
  if (element === document.body) return ['', true];
  const { outlineStyle, boxShadow, caretColor } = getComputedStyle(element);
  const isWritten = element.matches('textarea, input:not([type=checkbox], [type=radio]), [contenteditable=true]');
  const hasBar = getComputedStyle(element, '::before').width === '2px';
  return [
    name,
    outlineStyle !== 'none' || boxShadow !== 'none' || hasBar || (isWritten && caretColor !== 'transparent'),
  ];
}

test('[I32] [I12] a thread: begun, somebody invited and mentioned, a draft edited, left by Esc, and posted', async () => {
  const page = await pages.open();
  const { keyboard } = page;
  await see(page.getByLabel('Your name'));
  await shortcut(page, 'n');
  await keyboard.type('Garden');
  await keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'Garden', level: 1 }));
  const { threads } = await pages.human().threads.list();
  const thread = pages.human().thread(threads[0]?.id as string);
  const profile = { kind: 'agent' as const, client: 'model', model: 'helper', posting: 'draft' as const };
  await thread.post({ type: 'control', content: { invite: { participant_id: 'helper', profile } } });
  await expect
    .poll(async () => (await thread.events({ limit: 100 })).events.map(({ type }) => type))
    .toContain('wake.closed');
  await keyboard.type('Beans or peas, @he');
  await see(page.getByRole('listbox', { name: 'People to mention' }));
  await keyboard.press('Enter');
  await keyboard.type('?');
  await keyboard.press('Enter');
  const held = page.getByRole('article', { name: /^Draft 1 by helper/ });
  await see(held.getByText('Beans, by the wall.'));
  await tabTo(page, /drafted an answer/, 'Shift+Tab');
  await keyboard.press('Enter');
  await tabTo(page, /^Edit$/);
  await keyboard.press('Enter');
  await keyboard.press('Control+End');
  await keyboard.type(' Or peas.');
  await keyboard.press('Escape');
  await tabTo(page, /^Edit$/);
  await keyboard.press('Enter');
  expect(await page.evaluate(() => (document.activeElement as HTMLTextAreaElement).value)).toBe(
    'Beans, by the wall. Or peas.',
  );
  await keyboard.press('Control+Enter');
  await gone(held);
  await see(row(page, 'Or peas.'));
});

test('[I32] [I13] a dialogue: from the message to what is accepted, a steer on the way', async () => {
  await pages.human().threads.create({ title: 'Lake', kind: 'dialogue', setup: { model: 'mind' } });
  const page = await pages.open();
  const { keyboard } = page;
  await goTo(page, 'Lake');
  await keyboard.type('What colour is the lake?');
  await keyboard.press('Enter');
  await wants(page, 'Needs you');
  await keyboard.press('Escape');
  await keyboard.press('s');
  await keyboard.type('more brief');
  await keyboard.press('Escape');
  await keyboard.press('s');
  await keyboard.type('ly, please');
  await keyboard.press('Enter');
  await see(page.getByRole('region', { name: 'Your message' }).getByText('more briefly, please'));
  await keyboard.press('Escape');
  await keyboard.press('d');
  await see(page.getByRole('region', { name: 'Drafts 1 and 2 compared' }).locator('ins').getByText('blue'));
  await keyboard.press('Escape');
  await see(draft(page, 2));
  await tabTo(page, /^Draft 2$/);
  await keyboard.press('ArrowLeft');
  await see(draft(page, 1));
  await keyboard.press('ArrowRight');
  await see(draft(page, 2));
  await keyboard.press('e');
  await keyboard.press('Control+End');
  await keyboard.type(' Mostly.');
  await keyboard.press('Control+Enter');
  await see(page.getByRole('article', { name: 'Turn 1' }).getByText('The lake is blue. Mostly.'));
  await tabTo(page, /^Your message/);
});

test('[I32] [I14] an exchange: rounds, an audit answered, a restart answered, terms read', async () => {
  const minds = [{ id: 'mind_0', model: 'thinker' }];
  const setup = { minds, auditor_model: 'auditor', audit_every: 1, ask_after_audit: 'always' };
  await pages.human().threads.create({ title: 'Reeds', kind: 'exchange', setup });
  const page = await pages.open();
  const { keyboard } = page;
  await goTo(page, 'Reeds');
  await see(page.getByText('No round has run yet'));
  await tabTo(page, /^Run 20 rounds/);
  await keyboard.press('Enter');
  await see(letter(page, 1).getByText('It is about reeds'));
  await poolWants(page, 'Audit 1 waits for your answer.');
  await keyboard.press('Escape');
  await keyboard.press('o');
  await keyboard.type('Look at the wat');
  await keyboard.press('Escape');
  await keyboard.press('o');
  await keyboard.type('er.');
  await keyboard.press('Enter');
  await see(page.getByRole('article', { name: /^Observer, after/ }).getByText('Look at the water.'));
  const alarm = page.getByRole('region', { name: 'Restart request' });
  await see(alarm.getByText('We go in circles.'));
  await keyboard.press('Escape');
  await keyboard.press('4');
  await keyboard.type('I have heard you.');
  await keyboard.press('Enter');
  await gone(alarm);
  await see(round(page, 2));
  await keyboard.press('t');
  await see(page.getByRole('article', { name: 'Terms' }));
  await keyboard.press('Escape');
  await gone(page.getByRole('article', { name: 'Terms' }));
});

test('[I32] [I15] a loom: opened from a message, gone on with, turned, brought back and posted', async () => {
  const { thread } = await pages.human().threads.create({ title: 'Plans' });
  await pages.human().thread(thread.id).post({ type: 'message', content: 'Roses by the wall.' });
  const page = await pages.open();
  const { keyboard } = page;
  await goTo(page, 'Plans');
  await see(row(page, 'Roses by the wall.'));
  await keyboard.press('Escape');
  await keyboard.press('k');
  await keyboard.press('l');
  await see(page.getByRole('dialog', { name: 'Open as' }));
  await keyboard.press('Enter');
  await reads(page, 'Roses by the wall.');
  await keyboard.press('Control+End');
  await keyboard.press('Control+Space');
  await reads(page, 'Roses by the wall. Beans behind.');
  await gone(page.getByRole('button', { name: 'Stop' }));
  await keyboard.press('Alt+ArrowDown');
  await reads(page, 'Roses by the wall. Peas beside.');
  await see(branch(page, '2 of 3'));
  await keyboard.press('Escape');
  await keyboard.press('Control+k');
  await keyboard.type('send it');
  await see(page.locator('[role=option][aria-selected=true]').getByText(/send it/i));
  await keyboard.press('Enter');
  await see(page.getByRole('dialog', { name: 'Send to' }).locator('button:focus'));
  await keyboard.press('Enter');
  const held = page.getByRole('article', { name: 'Draft 1 by human' });
  await see(held.getByText('Roses by the wall. Peas beside.'));
  await tabTo(page, /^Post$/);
  await keyboard.press('Enter');
  await gone(held);
  await see(row(page, 'Peas beside.'));
});
