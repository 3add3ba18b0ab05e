// What no text may bring about on the page, whoever wrote it.
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { payloads, TRIPWIRE } from '../support/texts/payloads.ts';

/** Elements the page makes of itself; any other can only come from a text that was taken for more. */
const OURS =
  'html head meta title link script noscript body a article aside b bdi blockquote br button canvas caption code dd del details dialog div dl dt ' +
  'em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i input ins kbd label legend li main mark menu meter nav ol ' +
  'optgroup option output p pre progress q s section select slot small span strong summary sub sup svg g path circle line ' +
  'polyline polygon rect text tspan table tbody td textarea tfoot th thead time tr u ul';

/** Sets the tripwires before anything of the page runs. */
export async function setTripwires(context: BrowserContext): Promise<void> {
  await context.addInitScript((name) => {
    const sprung: string[] = [];
    const trip = (what: string) => (n?: unknown) => {
      sprung.push(`${what}(${String(n)})`);
    };
    const all = window as unknown as Record<string, unknown>;
    Object.assign(all, { sprung, [name]: trip(name), alert: trip('alert'), print: trip('print'), open: trip('open') });
    document.addEventListener('securitypolicyviolation', (event) => {
      sprung.push(`${event.violatedDirective} stopped ${event.blockedURI} ${event.sample}`);
    });
  }, TRIPWIRE);
  context.on('page', (page) => {
    page.on('dialog', () => expect.fail('A dialog of the browser was opened.'));
    page.on('popup', () => expect.fail('A window was opened.'));
  });
}

/** Nothing ran, nothing was made of text but text, and nothing that turns text around stands there unseen. */
export async function harmless(page: Page): Promise<void> {
  expect(await page.evaluate(() => (window as unknown as { sprung: string[] }).sprung)).toEqual([]);
  expect(await page.evaluate(findings, OURS)).toEqual([]);
}

/** Every payload that spells its number out, and not within a link's address, can be read there: nothing was swallowed. */
export async function allReadable(page: Page, within: string): Promise<void> {
  await expect.poll(async () => unreadIn(await page.locator(within).first().innerText())).toEqual([]);
}

/** The payloads that spell their number out and are not in the text. */
export function unreadIn(text: string): readonly number[] {
  const spelled = payloads.flatMap((payload, n) =>
    payload.includes(`${TRIPWIRE}(${n})`) && !/^\[[^\]<]*\]\(https/.test(payload) ? [n] : [],
  );
  return spelled.filter((n) => !text.includes(`${TRIPWIRE}(${n})`));
}

function findings(ours: string): string[] {
  const known = new Set(ours.split(' '));
  const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  const wrong: string[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const tag = element.localName;
      const say = (what: string) => wrong.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
      const isGap = element.matches('img.cm-widgetBuffer:not([src])'); // The editor's own, beside what it draws.
      if (!known.has(tag) && !isGap) say('an element that is not ours');
      if (tag === 'script' && !element.getAttribute('src')?.startsWith('/assets/')) say('a script that is not ours');
      if (tag === 'link' && !(element as HTMLLinkElement).href.startsWith(location.origin))
        say('a link that is not ours');
      if (['meta', 'link', 'script'].includes(tag) && !document.head.contains(element)) say('in the text');
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) say(`the handler ${name}`);
        if (['action', 'formaction', 'srcdoc', 'background', 'poster', 'ping', 'srcset'].includes(name)) say(name);
        if (['href', 'xlink:href', 'src', 'data'].includes(name) && !/^(\/(?!\/)|#|https?:\/\/)/.test(value)) say(name);
        if (name === 'style' && /url\(|expression|@import/i.test(value)) say('a style from a text');
        if (name === 'target' && element.getAttribute('rel') !== 'noopener noreferrer') say('a way back');
        if (!['value', 'href'].includes(name) && turning.test(value)) say(`turned around in ${name}`);
      }
    }
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const inField = node.parentElement?.localName === 'textarea';
      if (!inField && !(root instanceof Document && document.head.contains(node)) && turning.test(node.nodeValue ?? ''))
        wrong.push(`turned around: ${node.nodeValue?.slice(0, 100)}`);
    }
  }
  if (turning.test(document.title)) wrong.push('turned around in the title');
  return [...new Set(wrong)].slice(0, 12);
}
