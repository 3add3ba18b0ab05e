// A plain browser in front of a real server, and a count of its frames.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '../src/client/index.ts';
import { heddleEntry } from '../test/support/program/entry.ts';
import { openPlainBrowser, type Tab } from './plain-browser.ts';
import { RARE } from './search-workspace.ts';

const root = join(import.meta.dirname, '..');

export interface Frames {
  readonly over: number;
  readonly longest: number;
  readonly all: number;
  readonly read: number;
}

/** Starts counting; a frame is long by the browser's own count. */
export async function countFrames(tab: Tab): Promise<void> {
  await tab.evaluate(`(() => {
    window.frames_ = { over: 0, longest: 0, all: 0, rows: new Set() };
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
}

export function framesOf(tab: Tab): Promise<Frames> {
  return tab.evaluate<Frames>(`({ ...frames_, rows: undefined, read: frames_.rows.size })`);
}

export async function inBrowser<T>(client: Client, work: (tab: Tab) => Promise<T>): Promise<T> {
  const { tab, close } = await openPlainBrowser();
  try {
    await tab.go((await client.signInLink()).url);
    while (!(await tab.evaluate<boolean>(CONNECTED))) await setTimeout(50);
    return await work(tab);
  } finally {
    await close();
  }
}

const CONNECTED = `[...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent.includes('connected'))`;

export async function withServer<T>(workspace: string, work: (client: Client, url: string) => Promise<T>): Promise<T> {
  const words = [heddleEntry, 'serve', '--port', '0', '--no-open', '--json', '--workspace', workspace];
  const started: ChildProcess = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const line = await new Promise<string>((resolve) =>
      started.stdout?.once('data', (chunk) => resolve(String(chunk))),
    );
    const { url } = JSON.parse(line) as { url: string };
    const client = createClient({ url, token: readFileSync(join(workspace, 'token'), 'utf8').trim() });
    await takenIn(client);
    return await work(client, url);
  } finally {
    const ended = new Promise((resolve) => started.once('exit', resolve));
    started.kill();
    await ended;
  }
}

/** A workspace that was just made, or is of an earlier version, has its index made first: that is no part of what is measured. */
async function takenIn(client: Client): Promise<void> {
  for (;;) {
    const { indexed } = await client.search({ q: RARE });
    if (indexed.events === indexed.total) return;
    await setTimeout(1_000);
  }
}
