import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { type Client, createClient } from '../src/client/index.ts';
import { launchBrowser } from '../test/support/browser.ts';
import type { Figure } from './measure.ts';
import { bareEditor } from './page-loom-bare.ts';

const NODES = 10_000;
const TREE = 100_000;
const PART = 5_000;
const KEYS = 100;
const SENTENCE = 'The heron stood in the shallow water and waited for the wind to turn, as it did every evening then.';

/* The loom's room in Chromium, in front of a real server. */
export async function pageLoom(): Promise<Figure[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  writeFileSync(
    join(workspace, 'heddle.yaml'),
    'models:\n  told: {provider: scripted, path: told.json}\ndefaults: {loom: told}\n',
  );
  writeFileSync(join(workspace, 'told.json'), JSON.stringify(script()));
  const server = await start(workspace);
  const browser = await launchBrowser();
  try {
    const client = createClient({ url: server.url, token: readFileSync(join(workspace, 'token'), 'utf8').trim() });
    const open = (id: string) => openLoom(browser, client, server.url, id);
    const long = await chain(client);
    const switches = await siblingSwitches(await open(long));
    const keys = await keystrokes(browser, await open(long));
    const drawn = await tree(await open(await broad(client)));
    const frames = await streams(
      await open(
        (await client.threads.create({ title: 'Streams', kind: 'loom', setup: { text: SENTENCE } })).thread.id,
      ),
    );
    return [...keys, ...switches, ...drawn, ...frames];
  } finally {
    await browser.close();
    server.process.kill();
    rmSync(workspace, { recursive: true, force: true });
  }
}

async function keystrokes(browser: Browser, page: Page): Promise<Figure[]> {
  await caretToMiddle(page);
  const ours = await typed(page);
  const bare = await browser.newPage();
  await bareEditor(bare, text());
  const floor = await typed(bare);
  await Promise.all([page.close(), bare.close()]);
  const [own, plain] = [percentile(ours, 0.95), percentile(floor, 0.95)];
  const note = `p95 of script time for a key in ${(text().length / 1e6).toFixed(2)} MB of ${NODES} nodes: ${own.toFixed(2)} ms; bare CodeMirror ${plain.toFixed(2)} ms`;
  return [
    { name: 'keystroke in a loom ÷ in bare CodeMirror', goal: { atMost: 3 }, values: [own / plain], note },
    { name: 'keystroke in a loom, ms', goal: { atMost: 16 }, values: [own], note },
  ];
}

/** What each key costs in script, by the browser's own count. */
async function typed(page: Page): Promise<number[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const costs: number[] = [];
  let before = await scriptSeconds(devtools);
  for (let i = 0; i < KEYS + 20; i++) {
    await page.keyboard.type('abcdefgh '.charAt(i % 9));
    await page.evaluate(NEXT_FRAME);
    const after = await scriptSeconds(devtools);
    if (i >= 20) costs.push((after - before) * 1000);
    before = after;
  }
  return costs;
}

async function scriptSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN;
}

/* What runs in the page is text: nothing here knows the types of a browser. */
const NEXT_FRAME = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
const TIME_OF_NEXT_KEY = `new Promise((done, fail) => {
  const text = () => document.querySelector('.loom-text').shadowRoot.querySelector('.cm-content').textContent;
  const before = text();
  addEventListener('keydown', () => {
    const start = performance.now();
    const look = () => {
      if (performance.now() - start > 5000) fail(new Error('The text did not change.'));
      else if (text() === before) requestAnimationFrame(look);
      else setTimeout(() => done(performance.now() - start)); // This frame is painted in between.
    };
    look();
  }, { once: true, capture: true });
})`;
const FIRST_PAINT = `(async () => {
  const start = performance.now();
  [...document.querySelectorAll('[role=tab]')].find(({ innerText }) => innerText === 'Tree').click();
  for (;;) {
    await new Promise(requestAnimationFrame);
    const canvas = document.querySelector('.tree-canvas');
    if (!canvas?.width) continue;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    if (data.some((value) => value !== 0)) return performance.now() - start;
  }
})()`;
const framesWhile = (ctrlKey: boolean) => `(async () => {
  const canvas = document.querySelector('.tree-canvas');
  const start = performance.now();
  let frames = 0;
  for (; performance.now() - start < 2000; frames++) {
    const deltaY = (frames % 80 < 40 ? 1 : -1) * ${ctrlKey ? 20 : 30};
    const turn = { deltaY, deltaX: 10, ctrlKey: ${ctrlKey}, cancelable: true, bubbles: true };
    canvas.dispatchEvent(new WheelEvent('wheel', turn));
    await new Promise(requestAnimationFrame);
  }
  return (frames / (performance.now() - start)) * 1000;
})()`;
const WATCH_TASKS = `(() => {
  window.seen = { longest: 0, tasks: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      seen.tasks++;
      seen.longest = Math.max(seen.longest, duration);
    }
  }).observe({ entryTypes: ['longtask'] });
})()`;

async function siblingSwitches(page: Page): Promise<Figure[]> {
  await page.keyboard.press('Control+End');
  await page.waitForTimeout(300);
  const values: number[] = [];
  for (let i = 0; i < 10; i++) {
    const took = page.evaluate<number>(TIME_OF_NEXT_KEY);
    await page.evaluate(NEXT_FRAME);
    await page.keyboard.press('Alt+ArrowDown');
    values.push(await took);
  }
  await page.close();
  const note = `${NODES} nodes on the path; from the key to the frame that shows it, which does not wait for the server`;
  return [{ name: 'sibling switch to paint, ms', goal: { atMost: 50 }, values: values.slice(2), note }];
}

async function tree(page: Page): Promise<Figure[]> {
  await page.getByRole('tab', { name: 'Node' }).click();
  const paint = await page.evaluate<number>(FIRST_PAINT);
  const rates = [await page.evaluate<number>(framesWhile(false)), await page.evaluate<number>(framesWhile(true))];
  await page.close();
  const note = 'from the click that shows it, with the loom read';
  return [
    { name: 'tree of 100,000 nodes, first paint, ms', goal: { atMost: 500 }, values: [paint], note },
    ...(['panning', 'zooming'] as const).map((what, i) => ({
      name: `tree of 100,000 nodes, frames a second while ${what}`,
      goal: { atLeast: 50 },
      values: [rates[i] ?? 0],
      note: 'over two seconds',
    })),
  ];
}

async function streams(page: Page): Promise<Figure[]> {
  await page.evaluate(WATCH_TASKS);
  await page.keyboard.press('Control+Space');
  await page.getByRole('button', { name: 'Stop' }).waitFor({ timeout: 10_000 });
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden', timeout: 30_000 });
  const seen = await page.evaluate<{ longest: number; tasks: number }>('seen');
  await page.close();
  const note = `3 streams of about 50 tokens a second; the longest took ${seen.longest.toFixed(0)} ms`;
  return [{ name: 'tasks over 50 ms while three texts stream', goal: { atMost: 0 }, values: [seen.tasks], note }];
}

function script(): object {
  const words = (start: string) => Array.from({ length: 200 }, (_, i) => ` ${start}${i}`).join('');
  return { answers: [{ choices: ['a', 'b', 'c'].map(words), pace: 7, repeat: 'always' }] };
}

/** One long path of many nodes, whose last place has two branches. */
async function chain(client: Client): Promise<string> {
  const nodes = Array.from({ length: NODES }, (_, i) => node(i, i === 0 ? undefined : i - 1));
  return imported(client, [...nodes, node(NODES, NODES - 2)], `n${NODES - 1}`);
}

async function broad(client: Client): Promise<string> {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const nodes = Array.from({ length: TREE }, (_, i) =>
    node(i, i === 0 ? undefined : random() < 0.6 ? i - 1 : Math.floor(random() * i)),
  );
  return imported(client, nodes, 'n0');
}

function node(index: number, parent: number | undefined) {
  const content = `${SENTENCE.slice(0, 90)}${index % 5 === 4 ? `\n\n${index} ` : ` ${index} `}`;
  const kind = index % 3 === 0 ? ('human' as const) : ('model' as const);
  return {
    id: `n${index}`,
    ...(parent !== undefined && { parent: `n${parent}` }),
    content,
    kind,
    author: kind === 'human' ? 'human' : 'told',
  };
}

function text(): string {
  return Array.from({ length: NODES }, (_, i) => node(i, undefined).content).join('');
}

async function imported(client: Client, nodes: readonly object[], active: string): Promise<string> {
  const { thread } = await client.threads.create({ title: 'Bench', kind: 'loom' });
  for (let at = 0; at < nodes.length; at += PART) {
    const isLast = at + PART >= nodes.length;
    await client
      .thread(thread.id)
      .command('import_tree', { nodes: nodes.slice(at, at + PART), ...(isLast && { active }) } as never);
  }
  return thread.id;
}

async function openLoom(browser: Browser, client: Client, url: string, id: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto((await client.signInLink()).url);
  await page.getByRole('status').getByText('connected').waitFor();
  await page.goto(`${url}/loom/${id}`);
  await page.getByRole('textbox', { name: 'Text of the loom' }).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1_000);
  return page;
}

/** Puts the caret somewhere in the middle, as a click would after scrolling there. */
async function caretToMiddle(page: Page): Promise<void> {
  await page.evaluate(
    `(() => {
      const scroller = document.querySelector('.loom-text').shadowRoot.querySelector('.cm-scroller');
      scroller.scrollTop = scroller.scrollHeight / 2;
    })()`,
  );
  await page.waitForTimeout(500);
  await page.mouse.click(620, 400);
}

async function start(workspace: string): Promise<{ url: string; process: ChildProcess }> {
  const words = ['src/main.ts', 'serve', '--port', '0', '--no-open', '--json', '--workspace', workspace];
  const started = spawn(process.execPath, words, {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => started.stdout?.once('data', (chunk) => resolve(String(chunk))));
  return { url: (JSON.parse(line) as { url: string }).url, process: started };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
