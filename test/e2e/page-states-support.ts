// A page looked at as a whole: by axe-core in light and dark, and at the width of a telephone.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { soon } from './page-dialogue-support.ts';
import { noSeriousFindings } from './page-support.ts';

export const WORD = 'donaudampfschiff'.repeat(625);
export const RTL = 'في الفجر يقف مالك الحزين بين القصب، ثم لا يتكلم أحد. שלום עולם!';
const EMOJI = '👩‍👩‍👧‍👦🏳️‍🌈👍🏽'.repeat(80);
/** All that is hard to set, in one text. */
export const HARD = `${RTL}\n\n${EMOJI}\n\n${WORD}\n\n\`${WORD.slice(0, 500)}\`\n\n\`\`\`\n${WORD.slice(0, 500)}\n\`\`\``;

/** Nothing serious for those who cannot see or point, in either light, and nothing that scrolls sideways at 360 px. */
export async function sound(page: Page, name: string): Promise<void> {
  const to = process.env.HEDDLE_SHOTS;
  const shot = async (how: string) =>
    to && page.screenshot({ path: join(to, `${name.replaceAll(' ', '-')}-${how}.png`) });
  await page.setViewportSize({ width: 1280, height: 800 });
  // Colours change at once, not over a tenth of a second in which they are neither.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await noSeriousFindings(page, name);
  await shot('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(transitionsOver);
  await noSeriousFindings(page, `${name}, dark`, ['color-contrast']);
  await shot('dark');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
  await page.setViewportSize({ width: 360, height: 740 });
  await soon(() => page.evaluate(sideways), `${name} at 360 px`).toEqual([]);
  await shot('360');
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Colours of the other light come by a transition. */
async function transitionsOver(): Promise<void> {
  const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
}

/** What can be scrolled sideways; code, a table, a drawing, a row of cards and the sections of the settings may. */
export function sideways(): string[] {
  const mayScroll =
    'pre, .table, .unseen, textarea, [role=listbox][aria-orientation=horizontal], nav[aria-label=Settings]';
  const roots: (Document | ShadowRoot)[] = [document];
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (element.scrollWidth <= element.clientWidth + 1 || element.matches(mayScroll)) continue;
      const { overflowX } = getComputedStyle(element);
      if (overflowX !== 'auto' && overflowX !== 'scroll') continue;
      found.push(`${element.localName}.${element.className} ${element.scrollWidth} > ${element.clientWidth}`);
    }
  }
  return found;
}

/** Controls that are too small to press; a link in a sentence may be. */
export function smallTargets(least: number): string[] {
  return [...document.querySelectorAll('button, input, textarea, select, [role="switch"], [role="tab"]')]
    .filter((element) => element.checkVisibility() && !element.closest('.unseen'))
    .filter((element) => !element.matches('[aria-hidden="true"], input:disabled'))
    .filter((element) => element.getAttribute('tabindex') !== '-1' || element.getAttribute('role') === 'tab')
    .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
    .filter(({ box }) => box.height < least - 0.5 || box.width < least - 0.5)
    .map(({ element, box }) => `${element.outerHTML.slice(0, 80)}: ${box.width} × ${box.height}`);
}
