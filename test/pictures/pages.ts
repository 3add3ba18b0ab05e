// Pictures of the page as a browser shows it, with a workspace that was written for them.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { tellStory } from './story.ts';

const SIZE = { width: 1280, height: 800 };

/** Writes inbox, thread, dialogue, exchange, loom and one of them in the dark. */
export async function shootPages(to: string, say: (text: string) => void): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'heddle-pictures-'));
  const story = await tellStory(join(place, 'Ferry hall library'));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    await page.goto((await story.client.signInLink()).url);
    await shownText(page, 'Needs you');
    const shoot = async (name: string, path: string, text: string | RegExp) => {
      await page.goto(story.url + path);
      await shownText(page, text);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: join(to, `${name}.png`) });
      say(`${name}.png`);
    };
    await shoot('dialogue', story.dialogue, 'a quarter turn');
    await shoot('exchange', story.exchange, /asks for a restart/);
    await shoot('loom', story.loom, 'like a jaw closing');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot('loom-dark', story.loom, 'like a jaw closing');
    await page.emulateMedia({ colorScheme: 'light' });
    await shoot('home', '/', 'Should the library lend tools?');
    await shoot('thread', story.thread, 'nearly all donations from the spring sale');
  } finally {
    await browser.close();
    story.process.kill('SIGINT');
    await once(story.process, 'close');
    rmSync(place, { recursive: true, force: true });
  }
}

function shownText(page: Page, text: string | RegExp): Promise<void> {
  return page.getByRole('main').getByText(text).first().waitFor();
}
