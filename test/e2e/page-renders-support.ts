// Counts what React draws, through the door that its developer tools use.
import type { BrowserContext, Page } from 'playwright-core';
import type { setUpPages } from './page-support.ts';

type Pages = ReturnType<typeof setUpPages>;

/** A page that is signed in, and counts what it draws. */
export async function openCounted(pages: Pages, path: string): Promise<Page> {
  const context = await pages.newContext();
  await countRenders(context);
  await context.request.post((await pages.human().signInLink()).url);
  const page = await context.newPage();
  await page.goto(pages.server.url + path);
  return page;
}

/** How many components are drawn most times that React draws (the median), between two things that come to be seen. */
export async function drawnPerStep(page: Page, from: () => Promise<void>, to: () => Promise<void>): Promise<number> {
  await from();
  await takeRenders(page);
  await to();
  const counts = (await takeRenders(page)).sort((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? Number.NaN;
}

async function countRenders(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    interface Fiber {
      readonly type: object | string | null;
      readonly flags: number;
      readonly child: Fiber | null;
      readonly sibling: Fiber | null;
      readonly alternate: Fiber | null;
    }
    const renders: number[] = [];
    let components = 0;
    const PERFORMED_WORK = 1;
    const walk = (fiber: Fiber): void => {
      const { type, alternate } = fiber;
      if (type !== null && typeof type !== 'string' && fiber.flags & PERFORMED_WORK) components++;
      // What was not drawn again has the very children it had.
      if (alternate && alternate.child === fiber.child) return;
      for (let child = fiber.child; child; child = child.sibling) walk(child);
    };
    const hook = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount() {},
      onCommitFiberRoot(_: number, { current }: { current: Fiber }) {
        components = 0;
        walk(current);
        renders.push(components);
      },
    };
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, renders });
  });
}

/** How many components were drawn each time since this was last asked. */
function takeRenders(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { renders: number[] }).renders.splice(0));
}
