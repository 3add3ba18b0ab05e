import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { see, setUpPages } from './page-support.ts';

const pages = setUpPages();

interface Answers {
  /** What the browser allows now; null where it has no notifications. */
  readonly permission: NotificationPermission | null;
  /** What it says when it is asked; it may fail to ask. */
  readonly asked?: NotificationPermission | 'fails';
}

/** The settings, in a browser that answers this about notifications and lets nobody make one. */
async function settings({ permission, asked = 'default' }: Answers): Promise<Page> {
  const context = await pages.newContext();
  await context.addInitScript(
    ([now, answer]) => {
      if (now === null) return void Reflect.deleteProperty(window, 'Notification');
      class Blocked {
        static permission = now as NotificationPermission;
        static async requestPermission(): Promise<NotificationPermission> {
          if (answer === 'fails') throw new TypeError('Only over https.');
          Blocked.permission = answer as NotificationPermission;
          return Blocked.permission;
        }
        constructor() {
          throw new TypeError('Not here.');
        }
      }
      Object.defineProperty(window, 'Notification', { value: Blocked, configurable: true });
    },
    [permission, asked] as const,
  );
  await context.request.post((await pages.human().signInLink()).url);
  const page = await context.newPage();
  await page.goto(`${pages.server.url}/settings#browser`);
  await see(page.getByText('Desktop notifications', { exact: true }));
  return page;
}

const turnOn = (page: Page) => page.getByRole('button', { name: 'Turn on desktop notifications' });

test.each([
  [null, 'This browser has no desktop notifications.'],
  ['denied', /^Blocked in this browser\. Allow notifications/],
  ['granted', /^On: /],
] as const)(
  '[D14] [I11] notifications that are %s: the settings say so, and no button promises more',
  async (permission, words) => {
    const page = await settings({ permission });
    await see(page.getByText(words));
    expect(await turnOn(page).count()).toBe(0);
  },
);

test.each([
  ['denied', /^Blocked in this browser/, 0],
  ['granted', /^On: /, 0],
  ['default', /^Get a notification when something needs you/, 1],
  ['fails', /^Get a notification when something needs you/, 1],
] as const)(
  '[D14] [I11] when I turn them on and the browser says %s, the settings say what is so',
  async (asked, words, buttons) => {
    const page = await settings({ permission: 'default', asked });
    await turnOn(page).click();
    await see(page.getByText(words));
    expect(await turnOn(page).count()).toBe(buttons);
  },
);

test('[D14] notifications that I block in the browser are off here when I come back, and a need that comes then breaks nothing', async () => {
  const page = await settings({ permission: 'granted' });
  await see(page.getByText(/^On: /));
  const turn = (value: 'hidden' | 'visible', permission: NotificationPermission) =>
    page.evaluate(
      ([state, now]) => {
        Object.assign(Notification, { permission: now });
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      },
      [value, permission] as const,
    );
  await turn('hidden', 'granted');
  const { thread } = await pages.human().threads.create({ title: 'Needs' });
  const alpha = await pages.agent('alpha');
  await alpha.thread(thread.id).post({ type: 'message', to: 'human', content: 'Shall I?' });
  await expect.poll(() => page.title()).toMatch(/^\(1\)/);
  await turn('visible', 'denied');
  await see(page.getByText(/^Blocked in this browser/));
});
