// Pictures of the page with the sample in it, as a browser shows it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { type Client, createClient } from '../../src/client/index.ts';
import { launchBrowser } from '../support/browser.ts';

const root = join(import.meta.dirname, '../..');
const SIZE = { width: 1280, height: 720 };

interface Demo {
  readonly process: ChildProcess;
  readonly url: string;
  readonly client: Client;
  /** The address of the sample's thread of this kind. */
  link(kind: string): string;
}

/** Writes home, thread, dialogue, exchange, loom and one of them in the dark. */
export async function shootPages(to: string, say: (text: string) => void): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'heddle-pictures-'));
  const demo = await startDemo(join(place, 'sample'));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    await written(demo.client);
    await goOn(demo);
    await page.goto((await demo.client.signInLink()).url);
    await page.getByRole('heading', { name: 'Needs you' }).first().waitFor();
    const shoot = async (name: string, ready: (page: Page) => Promise<unknown>) => {
      await ready(page);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: join(to, `${name}.png`) });
      say(`${name}.png`);
    };
    const at = (path: string, sign: (page: Page) => Promise<unknown>) => async () => {
      await page.goto(demo.url + path);
      await sign(page);
    };
    const inMain = (text: string | RegExp) => (shown: Page) =>
      shown.getByRole('main').getByText(text).first().waitFor();
    await shoot('home', at('/', inMain('Audit 1 waits for your answer')));
    await shoot('thread', at(demo.link('conversation'), inMain('and what did the frog do then?')));
    const withMap = (text: string | RegExp) => async (shown: Page) => {
      await inMain(text)(shown);
      await shown.locator('.beside .reach').first().waitFor({ state: 'attached' });
    };
    await shoot('dialogue', at(demo.link('dialogue'), withMap(/^Needs you/)));
    await shoot('exchange', at(demo.link('exchange'), withMap('It waits for your answer')));
    await shoot(
      'loom',
      at(demo.link('loom'), (shown) => shown.getByText('1/3').first().waitFor()),
    );
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot(
      'loom-dark',
      at(demo.link('loom'), (shown) => shown.getByText('1/3').first().waitFor()),
    );
  } finally {
    await browser.close();
    demo.process.kill('SIGINT');
    await once(demo.process, 'close');
    rmSync(place, { recursive: true, force: true });
  }
}

async function startDemo(workspace: string): Promise<Demo> {
  const words = [join(root, 'bin/heddle.js'), 'demo', '--no-open', '--json', '--workspace', workspace];
  const started = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(started.stdout as Readable, 'data');
  const { url, threads } = JSON.parse(String(line)) as {
    url: string;
    threads: readonly { kind: string; link: string }[];
  };
  const token = readFileSync(join(workspace, 'token'), 'utf8').trim();
  const link = (kind: string) => threads.find((thread) => thread.kind === kind)?.link ?? '/';
  return { process: started, url, client: createClient({ url, token }), link };
}

/** A second question in the thread, so that there is some talk to be seen. */
async function goOn({ client, link }: Demo): Promise<void> {
  const thread = client.thread(link('conversation').split('/').at(-1) as string);
  await thread.post({ type: 'message', content: '@muse, and what did the frog do then?' });
  await written(client);
}

/** Waits until no model is at work. */
async function written(client: Client): Promise<void> {
  const busy = async () => (await client.threads.list()).threads.some(({ working }) => working);
  if (!(await busy())) return;
  for await (const { event } of client.stream({ after: 'head' })) if (event && !(await busy())) return;
}
