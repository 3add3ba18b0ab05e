// The real server, started as a person starts it, and a real browser in front of it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Client, createClient } from '../../src/client/index.ts';
import { launchBrowser } from '../support/browser.ts';
import { heddleEntry } from '../support/program/entry.ts';

const root = join(import.meta.dirname, '../..');

interface Server {
  readonly url: string;
  readonly port: number;
  readonly workspace: string;
  readonly process: ChildProcess;
}

async function startServer(workspace: string, port = 0): Promise<Server> {
  const words = [heddleEntry, 'serve', '--port', String(port), '--no-open', '--json', '--workspace', workspace];
  // Where its agents work, which is not in the home directory of whoever runs the tests.
  const env = { ...process.env, XDG_STATE_HOME: join(tmpdir(), 'heddle-no-home/.local/state') };
  const started = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  started.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const line = await new Promise<string>((resolve, reject) => {
    started.stdout?.once('data', (chunk) => resolve(String(chunk)));
    started.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready: ${errors}`)));
  });
  const { url } = JSON.parse(line) as { url: string };
  return { url, port: Number(new URL(url).port), workspace, process: started };
}

function ended(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.process.exitCode !== null || server.process.signalCode !== null) resolve();
    else server.process.once('exit', () => resolve());
  });
}

/** One server and one browser for a file of tests; a fresh context for every page, so that nothing is left over. */
export function setUpPages() {
  let browser: Browser;
  let server: Server;
  const contexts: BrowserContext[] = [];
  /** What no page may ever do; checked after every test. */
  const wrong: string[] = [];

  beforeAll(async () => {
    if (!existsSync(join(root, 'dist/web/index.html'))) throw new Error('The page is not built: run "npm run build".');
    server = await startServer(mkdtempSync(join(tmpdir(), 'heddle-page-')));
    browser = await launchBrowser();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(wrong.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    if (!server) return;
    server.process.kill();
    await ended(server);
    rmSync(server.workspace, { recursive: true, force: true });
  });

  const human = (): Client => {
    const token = readFileSync(join(server.workspace, 'token'), 'utf8').trim();
    return createClient({ url: server.url, token });
  };

  async function agent(participant: string): Promise<Client> {
    const { token } = await human().credentials.issue({ participant });
    return createClient({ url: server.url, token });
  }

  async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    // Most tests are about a page with its server: the worker that opens it without one would only take time from them.
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
      ...options,
    });
    contexts.push(context);
    context.setDefaultTimeout(30_000);
    context.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol !== 'data:' && hostname !== '127.0.0.1') wrong.push(`left this machine: ${request.url()}`);
    });
    context.on('console', (message) => {
      // A request that fails while the server is away is told by the browser as an error of the page.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) wrong.push(message.text());
    });
    context.on('weberror', (error) => wrong.push(String(error.error())));
    return context;
  }

  /** A page that is signed in by a link, as a person is, and at its place at once. */
  async function open(path = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await newContext(options);
    await context.request.post((await human().signInLink()).url);
    const page = await context.newPage();
    await page.goto(server.url + path);
    if (path === '/') await see(page.getByRole('status').getByText('connected'));
    return page;
  }

  return {
    human,
    agent,
    newContext,
    open,
    get server() {
      return server;
    },
    async killServer() {
      server.process.kill('SIGKILL');
      await ended(server);
    },
    async restartServer() {
      server = await startServer(server.workspace, server.port);
    },
  };
}

export function see(what: Locator): Promise<void> {
  return what.first().waitFor({ state: 'visible' });
}

export function gone(what: Locator): Promise<void> {
  return what.first().waitFor({ state: 'hidden' });
}

/** What axe-core finds wrong with the page as it is now, by what is serious for those who cannot see or point. */
export async function noSeriousFindings(page: Page, where = page.url(), rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (runOnly) => {
    // A colour on its way from one state to the next is neither of the two.
    const moving = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    const { axe } = window as unknown as {
      axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> };
    };
    // The guards around an open popup are hidden and take the focus, to hand it on at once.
    const context = { exclude: [['[data-base-ui-focus-guard]']] };
    // What passed would be described in full too, at a multiple of the work.
    const { violations } = await axe.run(context, { resultTypes: ['violations'], ...(runOnly && { runOnly }) });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id} (${help}): ${html.slice(0, 200)}`));
  }, rules);
  expect(found, `findings of axe-core in ${where}`).toEqual([]);
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The rows of the timeline that somebody wrote, as text. */
export async function written(page: Page): Promise<string[]> {
  return page.locator('.entry.message .prose').allInnerTexts();
}

export function row(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text });
}

/** Invites somebody by id, in the dialog. */
export async function invite(page: Page, id: string): Promise<void> {
  await page.getByRole('complementary', { name: 'People' }).getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('Someone else, by ID').check();
  await dialog.getByLabel('ID', { exact: true }).fill(id);
  await page.keyboard.press('Enter');
  await gone(dialog);
  await see(personMenu(page, id));
}

/** The button with what can be done about a participant. */
function personMenu(page: Page, id: string): Locator {
  return page.getByRole('complementary').getByRole('button', { name: `More for ${id}`, exact: true });
}

/** Chooses from that menu. */
export async function act(page: Page, id: string, name: string | RegExp): Promise<void> {
  await personMenu(page, id).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Chooses from the menu in the head of a room. */
export async function fromHead(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

export async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Your message').fill(text);
  await page.keyboard.press('Enter');
}

/** Goes to the inbox, from wherever one is. */
export async function goHome(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).first().click();
  await see(page.getByRole('heading', { name: 'Inbox', level: 1 }));
}

/** The link to a thread among those that were last worked on, in the inbox. */
export function listed(page: Page, name: string | RegExp): Locator {
  return page.getByRole('region', { name: 'Recent' }).getByRole('link', { name });
}

/** A single letter as a shortcut: in a room, letters are text until Esc is pressed (I32). */
export async function shortcut(page: Page, key: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press(key);
}
