import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../src/client/index.ts';
import { launchBrowser } from '../support/browser.ts';
import { seeded } from '../support/random.ts';
import { type Fault, must } from './fault.ts';
import { type Server, type Workspace, withWorkspace } from './server.ts';

const PATIENCE_MS = 40_000;
const ROOMS = ['threads', 'dialogue', 'exchange', 'loom', 'growing'] as const;
type Room = (typeof ROOMS)[number];
type Tabs = Readonly<Record<Room, Page>>;

/** The server is killed while two people have every room open and one of them writes in each. */
export const pageRestarts: Fault = {
  name: 'page-restarts',
  rules: '[I11] [L10]',
  slice: 1,
  full: 40,
  async run(kills, say) {
    const seed = randomInt(2 ** 31);
    say(`seed ${seed}`);
    const port = await freePort();
    const browser = await launchBrowser();
    try {
      return await withWorkspace(
        (workspace) => writeThrough(workspace, browser, kills, seed, say),
        ['--port', `${port}`],
      );
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      await browser.close();
    }
  },
};

async function writeThrough(
  workspace: Workspace,
  browser: Browser,
  kills: number,
  seed: number,
  say: (progress: string) => void,
): Promise<string> {
  const random = seeded(seed);
  furnish(workspace.path);
  let server = await workspace.serve();
  const ids = await begin(server);
  const [ana, ben] = [await openAll(browser, server, ids, 'human'), await openAll(browser, server, ids, 'ben')];
  const sent: string[] = [];
  let woven = 'Once.';
  for (let kill = 1; kill <= kills; kill++) {
    const [message, aside, outside] = [`message ${kill}`, `steer ${kill}`, `inject ${kill}`];
    await field(ana.dialogue).fill(aside);
    await field(ana.exchange).fill(outside);
    woven += await weave(ana.loom, ` before ${kill}`);
    if (random.below(2)) await ana.loom.keyboard.press('Control+s');
    await field(ana.threads).fill(message.slice(0, 5));
    const grown = await shown(ana.growing);
    await weave(ana.growing, ` and ${kill}`);
    await ana.growing.keyboard.press('Control+Space');
    await later(random.below(400));
    const before = { drafts: await drafts(ana.dialogue), rounds: await rounds(ana.exchange) };
    await server.kill();
    await field(ana.threads).fill(message);
    await field(ana.threads).press('Enter');
    sent.push(message);
    woven += await weave(ana.loom, ` away ${kill}`);
    await later(random.below(400));
    server = await workspace.serve();

    for (const tabs of [ana, ben]) {
      await Promise.all(ROOMS.map((room) => eventually(`${room} is connected again`, () => isConnected(tabs[room]))));
      await eventually('each message stands once and in order', async () => same(await messages(tabs.threads), sent));
      await eventually('the mind goes on', async () => (await drafts(tabs.dialogue)) > before.drafts);
      await eventually('the rounds go on', async () => (await rounds(tabs.exchange)) > before.rounds);
    }
    must((await field(ana.dialogue).inputValue()) === aside, 'what was typed to the mind is lost');
    must((await field(ana.exchange).inputValue()) === outside, 'what was typed to the pool is lost');
    woven += await weave(ana.loom, ` after ${kill}.`);
    must((await shown(ana.loom)) === woven, `the loom shows “${await shown(ana.loom)}”, not “${woven}”`);
    await ana.loom.keyboard.press('Control+s');
    const stored = async (room: 'loom' | 'growing') => (await server.client().thread(ids[room]).loom.path()).text;
    await eventually('the loom is stored as it was typed', async () => (await stored('loom')) === woven);
    await eventually(
      'no text grows any more',
      async () => !(await ana.growing.getByRole('button', { name: 'Stop' }).isVisible()),
    );
    await eventually(
      'what grew is shown as it is stored',
      async () => (await shown(ana.growing)) === (await stored('growing')),
    );
    must((await shown(ana.growing)).startsWith(`${grown} and ${kill}`), 'what was typed before it grew is lost');
    const nodes = () => Promise.all([ana, ben].map(({ loom }) => loom.getByRole('tree').getAttribute('aria-label')));
    await eventually('both see the same tree', async () => new Set(await nodes()).size === 1);
    say(`kill ${kill}`);
  }
  await server.kill();
  return `${kills} kills, ${sent.length} messages and ${woven.length} characters kept`;
}

function furnish(directory: string): void {
  const mind = [{ text: 'thoughts: [one more]\ndraft: |\n  A reply that takes a moment to write.\n', pace: 60 }];
  const weaver = [{ choices: Array(3).fill(' and so on and so forth until the end'), pace: 40 }];
  const thinker = [{ text: 'thoughts:\n  - the sea\n', pace: 150 }];
  for (const [name, answers] of Object.entries({ mind, thinker, weaver })) {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify({ loop: true, answers }));
  }
  const scripted = (name: string) => ({ provider: 'scripted', path: `${name}.json` });
  const models = { mind: scripted('mind'), thinker: scripted('thinker'), weaver: scripted('weaver') };
  writeFileSync(
    join(directory, 'heddle.yaml'),
    JSON.stringify({ person: { id: 'human' }, models, defaults: { loom: 'weaver' } }),
  );
}

async function begin(server: Server): Promise<Readonly<Record<Room, string>>> {
  const client = server.client();
  const create = async (title: string, kind: 'conversation' | 'dialogue' | 'exchange' | 'loom', setup: object = {}) =>
    (await client.threads.create({ title, kind, setup: setup as never })).thread.id;
  const dialogue = await create('Mind', 'dialogue', { model: 'mind' });
  const run = { iterations: 1_000_000, silences: 1000 };
  await client.thread(dialogue).command('message', { text: 'Is it noisy in there?', run });
  const minds = [{ id: 'mind_0', model: 'thinker' }];
  const exchange = await create('Pool', 'exchange', { minds, audit_every: 10_000 });
  await client.thread(exchange).command('run', { rounds: 100_000 });
  const [loom, growing] = [
    await create('Tale', 'loom', { text: 'Once.' }),
    await create('Grown', 'loom', { text: 'Once.' }),
  ];
  return { threads: await create('Talk', 'conversation'), dialogue, exchange, loom, growing };
}

async function openAll(
  browser: Browser,
  server: Server,
  ids: Readonly<Record<Room, string>>,
  participant: string,
): Promise<Tabs> {
  const issued =
    participant === 'human' ? undefined : await server.client().credentials.issue({ participant, kind: 'human' });
  const client = createClient({ url: server.url, token: issued?.token ?? server.token });
  const tabs = ROOMS.map(async (room) => {
    // Each in a browser of its own: one opens only so many connections at once, and here all are looked at.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.request.post((await client.signInLink()).url);
    const page = await context.newPage();
    await page.goto(`${server.url}/${room === 'growing' ? 'loom' : room}/${ids[room]}`);
    await eventually(`${room} is connected`, () => isConnected(page));
    return [room, page] as const;
  });
  return Object.fromEntries(await Promise.all(tabs)) as unknown as Tabs;
}

function isConnected(page: Page): Promise<boolean> {
  return page.getByRole('status').getByText('connected', { exact: true }).isVisible();
}

function field(page: Page) {
  return page.getByRole('main').locator('form textarea').last();
}

function messages(page: Page): Promise<string[]> {
  return page.locator('.entry.message:not(.outgoing) .prose').allInnerTexts();
}

async function drafts(page: Page): Promise<number> {
  const all = await page.locator('[data-draft]').evaluateAll((each) => each.map((one) => Number(one.dataset.draft)));
  return Math.max(0, ...all);
}

async function rounds(page: Page): Promise<number> {
  const names = await page
    .getByRole('article', { name: /^Round \d+$/ })
    .evaluateAll((all) => all.map((one) => one.ariaLabel));
  return Math.max(0, ...names.map((name) => Number(name?.split(' ')[1])));
}

/** Types at the end of the text; the text typed. */
async function weave(page: Page, text: string): Promise<string> {
  await page.getByRole('textbox', { name: 'Text of the loom' }).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
  return text;
}

async function shown(page: Page): Promise<string> {
  const lines = page.getByRole('textbox', { name: 'Text of the loom' }).locator('.cm-line');
  return (await lines.allTextContents()).join('\n');
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const start = performance.now(); performance.now() - start < PATIENCE_MS; ) {
    if (await holds()) return;
    await later(50);
  }
  must(false, `not so within ${PATIENCE_MS / 1000} s: ${what}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
