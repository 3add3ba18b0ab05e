import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Client } from '../src/client/index.ts';
import type { Figure } from './measure.ts';
import { countFrames, type Frames, framesOf, inBrowser, withServer } from './page-browser.ts';
import { LONG, longThread, MANY, manyThreads } from './page-workspaces.ts';
import type { Tab } from './plain-browser.ts';
import { COMMON, PHRASE, RARE } from './search-workspace.ts';

const TIMES = 9;
const PASSES = 5;
const PASS_MS = 4_000;
/** From seeing a page to turning the wheel. */
const HAND_MS = 500;
const root = join(import.meta.dirname, '..');

/* The page in Chromium in front of a real server, with as much in the workspace as it is made for. */
export async function page(): Promise<Figure[]> {
  const [long, many] = [await longThread(), await manyThreads()];
  return [
    ...script(),
    ...(await withServer(long.workspace, (client, url) => inLongThread(client, `${url}/threads/${long.id}`))),
    ...(await withServer(many.workspace, async (client, url) => [
      await home(client, url),
      ...(await searches(client)),
    ])),
  ];
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
  return [{ name: 'script of the first room, gzipped, KB', goal: { atMost: 180 }, values: [weigh(first)], note }];
}

async function inLongThread(client: Client, address: string): Promise<Figure[]> {
  const thread = client.thread(new URL(address).pathname.split('/')[2] as string);
  const [newest] = (await thread.events({ before: 'head', limit: 1 })).events;
  const { opened, passes } = await inBrowser(client, async (tab) => ({
    opened: await loads(tab, address, `document.getElementById(${JSON.stringify(newest?.id)})`),
    passes: await scrollings(tab, address),
  }));
  const [over, longest] = [passes.map((pass) => pass.over), passes.map((pass) => pass.longest.toFixed(0))];
  const sum = (of: (pass: Frames) => number) => passes.reduce((all, pass) => all + of(pass), 0);
  return [
    { name: `thread of ${LONG.toLocaleString('en')} messages, open, ms`, goal: { atMost: 300 }, ...opened },
    {
      name: 'frames over 50 ms while scrolling up through it',
      goal: { atMost: 0 },
      values: over,
      note: `in each of ${PASSES} passes; the longest in each ${longest.join(', ')} ms; ${sum(({ all }) => all)} frames over ${sum(({ read }) => read)} rows`,
    },
  ];
}

async function home(client: Client, url: string): Promise<Figure> {
  const useful = `document.querySelector('main section[aria-label="Needs you"] a')`;
  const opened = await inBrowser(client, (tab) => loads(tab, `${url}/`, useful));
  return {
    name: `home of ${MANY.threads} threads and ${MANY.events / 1e6}M events, useful, ms`,
    goal: { atMost: 300 },
    ...opened,
  };
}

async function searches(client: Client): Promise<Figure[]> {
  const wishes = {
    'a word in every text': COMMON,
    'a rare word': RARE,
    'words in a row': `"${PHRASE}"`,
    'a beginning': 'gar*',
  };
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
async function loads(tab: Tab, address: string, wanted: string): Promise<{ values: number[]; note: string }> {
  await tab.runFirst(`window.shownAfter = new Promise((done) => {
    const look = () => {
      const found = ${wanted};
      if (found?.checkVisibility()) setTimeout(() => done(performance.now())); // Painted in between.
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);
  const values: number[] = [];
  for (let i = 0; i < TIMES + 2; i++) {
    await tab.go('about:blank');
    await tab.go(address);
    values.push(await tab.evaluate<number>('window.shownAfter'));
  }
  const [first, ...rest] = values as [number, ...number[]];
  return {
    values: rest.slice(1),
    note: `from the navigation to the frame that shows it; the first time ${first.toFixed(0)} ms`,
  };
}

async function scrollings(tab: Tab, address: string): Promise<Frames[]> {
  const passes: Frames[] = [];
  for (let pass = 0; pass < PASSES; pass++) {
    await tab.go(address);
    await tab.evaluate('window.shownAfter');
    await setTimeout(HAND_MS);
    passes.push(await scrolling(tab));
  }
  return passes;
}

/** Wheels up as fast as a hand does for some seconds; a frame is long by the browser's own count. */
async function scrolling(tab: Tab): Promise<Frames> {
  await countFrames(tab);
  await tab.pointAtMiddle();
  const start = performance.now();
  while (performance.now() - start < PASS_MS) {
    await tab.wheel(-600);
    await tab.evaluate('new Promise(requestAnimationFrame)');
  }
  return framesOf(tab);
}
