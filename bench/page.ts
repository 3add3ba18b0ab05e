import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { type Client, createClient } from '../src/client/index.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { heddleEntry } from '../test/support/entry.ts';
import type { Figure } from './measure.ts';
import { LONG, longThread, MANY, manyThreads } from './page-workspaces.ts';
import { COMMON, PHRASE, RARE } from './search-workspace.ts';

const TIMES = 9;
const root = join(import.meta.dirname, '..');

/* The page in Chromium in front of a real server, with as much in the workspace as it is made for. */
export async function page(): Promise<Figure[]> {
  const [long, many] = [await longThread(), await manyThreads()];
  const browser = await launchBrowser();
  try {
    return [
      ...script(),
      ...(await withServer(long.workspace, (client, url) =>
        inLongThread(browser, client, `${url}/threads/${long.id}`),
      )),
      ...(await withServer(many.workspace, async (client, url) => [
        await home(browser, client, url),
        ...(await searches(client)),
      ])),
    ];
  } finally {
    await browser.close();
  }
}

/** What a browser reads before it shows the first room, and what the others add. */
function script(): Figure[] {
  const folder = join(root, 'dist/web/assets');
  const index = readFileSync(join(folder, '../index.html'), 'utf8');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const weigh = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0) / 1024;
  const [first, later] = [
    scripts.filter((name) => index.includes(name)),
    scripts.filter((name) => !index.includes(name)),
  ];
  const note = `${first.length} files; the other ${later.length} are read when they are wanted: ${weigh(later).toFixed(1)} KB`;
  return [{ name: 'script of the first room, gzipped, KB', goal: { atMost: 250 }, values: [weigh(first)], note }];
}

async function inLongThread(browser: Browser, client: Client, address: string): Promise<Figure[]> {
  const tab = await signedIn(browser, client);
  const newest = (
    await client.thread(new URL(address).pathname.split('/')[2] as string).events({ before: 'head', limit: 1 })
  ).events[0];
  const opened = await loads(tab, address, `document.getElementById(${JSON.stringify(newest?.id)})`);
  const frames = await scrolling(tab);
  await tab.close();
  return [
    { name: `thread of ${LONG.toLocaleString('en')} messages, open, ms`, goal: { atMost: 300 }, ...opened },
    {
      name: 'frames over 50 ms while scrolling up through it',
      goal: { atMost: 0 },
      values: [frames.over],
      note: `the longest ${frames.longest.toFixed(0)} ms; ${frames.all} frames over ${frames.read} rows in ${(frames.ms / 1000).toFixed(1)} s`,
    },
  ];
}

async function home(browser: Browser, client: Client, url: string): Promise<Figure> {
  const tab = await signedIn(browser, client);
  const opened = await loads(tab, `${url}/`, `document.querySelector('main section[aria-label="Needs you"] a')`);
  await tab.close();
  return {
    name: `home of ${MANY.threads} threads and ${MANY.events / 1e6}M events, useful, ms`,
    goal: { atMost: 300 },
    ...opened,
  };
}

/** A workspace that is kept from an earlier run may need its index made anew. */
async function takenIn(client: Client): Promise<void> {
  for (;;) {
    const { indexed } = await client.search({ q: RARE });
    if (indexed.events === indexed.total) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function searches(client: Client): Promise<Figure[]> {
  const wishes = {
    'a word in every text': COMMON,
    'a rare word': RARE,
    'words in a row': `"${PHRASE}"`,
    'a beginning': 'gar*',
  };
  await takenIn(client);
  const figures: Figure[] = [];
  for (const [name, q] of Object.entries(wishes)) {
    const values: number[] = [];
    for (let i = 0; i < TIMES + 2; i++) {
      const start = performance.now();
      const { hits } = await client.search({ q });
      if (hits.length === 0) throw new Error(`Nothing was found by ${q}.`);
      values.push(performance.now() - start);
    }
    const note = `over HTTP; the slowest of ${TIMES}: ${Math.max(...values.slice(2)).toFixed(1)} ms; the first of all, cold: ${values[0]?.toFixed(1)} ms`;
    figures.push({
      name: `search for ${name}, first results, ms`,
      goal: { atMost: 100 },
      values: values.slice(2),
      note,
    });
  }
  return figures;
}

/** From the navigation to the frame that shows what is waited for, by the browser's own clock. */
async function loads(tab: Page, address: string, wanted: string): Promise<{ values: number[]; note: string }> {
  await tab.addInitScript(`window.shownAfter = new Promise((done) => {
    const look = () => {
      const found = ${wanted};
      if (found?.checkVisibility()) setTimeout(() => done(performance.now())); // Painted in between.
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);
  const values: number[] = [];
  for (let i = 0; i < TIMES + 2; i++) {
    await tab.goto('about:blank');
    await tab.goto(address);
    values.push(await tab.evaluate<number>('window.shownAfter'));
  }
  const [first, ...rest] = values as [number, ...number[]];
  return {
    values: rest.slice(1),
    note: `from the navigation to the frame that shows it; the first time ${first.toFixed(0)} ms`,
  };
}

interface Frames {
  readonly over: number;
  readonly longest: number;
  readonly all: number;
  readonly read: number;
  readonly ms: number;
}

/** Wheels up as fast as a hand does for some seconds; a frame is long by the browser's own count. */
async function scrolling(tab: Page): Promise<Frames> {
  await tab.evaluate(`(() => {
    window.frames_ = { over: 0, longest: 0, all: 0, rows: new Set(), start: performance.now() };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        if (duration > 50) frames_.over++;
        frames_.longest = Math.max(frames_.longest, duration);
      }
    }).observe({ type: 'long-animation-frame' });
    let last = performance.now();
    const count = (now) => {
      frames_.all++;
      frames_.longest = Math.max(frames_.longest, now - last);
      last = now;
      for (const row of document.querySelectorAll('.entry.message')) frames_.rows.add(row.id);
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  })()`);
  await tab.mouse.move(600, 300);
  const start = performance.now();
  while (performance.now() - start < 6_000) {
    await tab.mouse.wheel(0, -600);
    await tab.evaluate('new Promise(requestAnimationFrame)');
  }
  return tab.evaluate<Frames>(
    `({ ...frames_, rows: undefined, read: frames_.rows.size, ms: performance.now() - frames_.start })`,
  );
}

async function signedIn(browser: Browser, client: Client): Promise<Page> {
  const tab = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await tab.goto((await client.signInLink()).url);
  await tab.getByRole('status').getByText('connected').waitFor({ timeout: 60_000 });
  return tab;
}

async function withServer<T>(workspace: string, work: (client: Client, url: string) => Promise<T>): Promise<T> {
  const words = [heddleEntry, 'serve', '--port', '0', '--no-open', '--json', '--workspace', workspace];
  const started: ChildProcess = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const line = await new Promise<string>((resolve) =>
      started.stdout?.once('data', (chunk) => resolve(String(chunk))),
    );
    const { url } = JSON.parse(line) as { url: string };
    const token = readFileSync(join(workspace, 'token'), 'utf8').trim();
    return await work(createClient({ url, token }), url);
  } finally {
    const ended = new Promise((resolve) => started.once('exit', resolve));
    started.kill();
    await ended;
  }
}
