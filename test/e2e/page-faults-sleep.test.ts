import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type LossyProxy, lossyProxy } from '../support/servers/lossy-proxy.ts';
import { goHome, listed, row, see, setUpPages, written } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();
const HOUR = 3_600_000;

/** A page whose connection can die without an error, and whose clock the test sets. */
async function openBehindProxy(path: string): Promise<{ page: Page; proxy: LossyProxy }> {
  const proxy = await lossyProxy('127.0.0.1', pages.server.port, { isHttp: true });
  onTestFinished(() => proxy.close());
  const context = await pages.newContext();
  const link = new URL((await pages.human().signInLink()).url);
  link.port = String(proxy.port);
  await context.request.post(link.href);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`http://127.0.0.1:${proxy.port}${path}`);
  await see(page.getByRole('status').getByText('connected', { exact: true }));
  return { page, proxy };
}

async function newThread(title: string, ...messages: string[]): Promise<string> {
  const { thread } = await pages.human().threads.create({ title });
  for (const content of messages) await pages.human().thread(thread.id).post({ type: 'message', content });
  return thread.id;
}

function turn(page: Page, to: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, to);
}

/** No timer runs and no answer is heard until it is active again. */
async function lifecycle(page: Page, state: 'frozen' | 'active'): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state });
  await session.detach();
}

/** The time of day goes on by an hour, and no timer has noticed. */
async function anHourPasses(page: Page): Promise<void> {
  await page.clock.setSystemTime(Date.now() + HOUR);
}

test('[I11] [L10] a tab that slept for an hour on a dead connection reads what it missed, once, and is live again', async () => {
  await newThread('Untouched', 'An hour ago.');
  const id = await newThread('Asleep', 'before');
  const { page, proxy } = await openBehindProxy(`/threads/${id}`);
  await see(row(page, 'before'));
  await turn(page, 'hidden');
  await lifecycle(page, 'frozen');
  proxy.silenceStreams();
  const missed = Array.from({ length: 5 }, (_, i) => `missed ${i}`);
  for (const content of missed) await pages.human().thread(id).post({ type: 'message', content });
  await newThread('Begun meanwhile');

  await lifecycle(page, 'active');
  await anHourPasses(page);
  await turn(page, 'visible');
  await see(row(page, 'missed 4'));
  await pages.human().thread(id).post({ type: 'message', content: 'live again' });
  await see(row(page, 'live again'));
  await see(page.getByRole('status').getByText('connected', { exact: true }));
  expect(await written(page)).toEqual(['before', ...missed, 'live again']);
  // The list of threads is kept current by the stream alone.
  await goHome(page);
  await see(listed(page, /^Begun meanwhile/));
  await see(listed(page, /^Untouched .*1 h/));
});

test('[I11] a page that stays in view while the machine sleeps does not go on saying that it is connected', async () => {
  const id = await newThread('In view', 'before');
  const { page, proxy } = await openBehindProxy(`/threads/${id}`);
  await see(row(page, 'before'));
  proxy.silenceStreams();
  await pages.human().thread(id).post({ type: 'message', content: 'missed' });
  const states = page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const seen: string[] = [];
        const status = document.querySelector('[role=status]') as HTMLElement;
        new MutationObserver(() => {
          seen.push(status.textContent ?? '');
          if (status.textContent === 'connected') resolve(seen);
        }).observe(status, { childList: true, characterData: true, subtree: true });
      }),
  );
  await anHourPasses(page);
  await see(row(page, 'missed'));
  expect((await states)[0]).toMatch(/reconnecting/);
  expect(await written(page)).toEqual(['before', 'missed']);
});
