import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { see, setUpPages } from './page-support.ts';

const pages = setUpPages();
const KB = 1024;

/** Script in KB until the room is useful, as it is sent. In a loom the editor weighs most. */
const ROOMS = { home: 120, conversation: 180, dialogue: 190, exchange: 193, loom: 330 } as const;
const PATHS = { conversation: 'threads', dialogue: 'dialogue', exchange: 'exchange', loom: 'loom' } as const;

test.each(Object.keys(ROOMS) as (keyof typeof ROOMS)[])(
  '[I11] %s as the first room: what a browser loads until it is useful weighs little',
  async (room) => {
    const { thread } = await pages
      .human()
      .threads.create({ title: 'First', kind: room === 'home' ? 'conversation' : room });
    if (room === 'home')
      await (await pages.agent('alpha')).thread(thread.id).post({ type: 'message', to: 'human', content: 'Shall I?' });
    const context = await pages.newContext();
    await context.request.post((await pages.human().signInLink()).url);
    const page = await context.newPage();
    const loaded = watchLoads(page);
    await page.goto(pages.server.url + (room === 'home' ? '/' : `/${PATHS[room]}/${thread.id}`));
    if (room === 'home') await see(page.getByRole('region', { name: 'Needs you' }));
    else await see(page.getByRole('heading', { name: 'First', level: 1 }));
    await see(page.getByRole('main').getByRole(room === 'home' ? 'link' : room === 'exchange' ? 'button' : 'textbox'));
    const { script, font } = await loaded();
    expect(script / KB).toBeLessThan(ROOMS[room]);
    expect(font / KB).toBeLessThan(250);
  },
);

/** The bytes of scripts and fonts that came so far, as they were sent. */
function watchLoads(page: Page): () => Promise<Record<'script' | 'font', number>> {
  const sizes: Promise<[string, number]>[] = [];
  page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then(({ responseBodySize }) => [request.resourceType(), responseBodySize]));
  });
  return async () => {
    const all = await Promise.all(sizes);
    const sum = (type: string) => all.reduce((total, [each, size]) => total + (each === type ? size : 0), 0);
    return { script: sum('script'), font: sum('font') };
  };
}
