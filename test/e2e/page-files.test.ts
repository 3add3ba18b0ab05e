import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HTML_WITH_SCRIPT, pngOf, SVG_WITH_SCRIPT } from '../support/texts/files.ts';
import { minds, says } from './page-dialogue-support.ts';
import { gone, noSeriousFindings, see, setUpPages } from './page-support.ts';

vi.setConfig({ testTimeout: 60_000 });
const pages = setUpPages();

interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const PHOTO: GivenFile = { name: 'beds.png', mimeType: 'image/png', buffer: pngOf(640, 400, [96, 140, 90]) };
const NOTES: GivenFile = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Beds\n') };

async function newThread(title: string): Promise<string> {
  return (await pages.human().threads.create({ title })).thread.id;
}

/** Large files come from the disk: the browser reads them there, and nothing has to carry them. */
function fileOnDisk(name: string, bytes: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-large-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, name), Buffer.alloc(bytes, 7));
  return join(directory, name);
}

async function pick(page: Page, ...files: readonly GivenFile[]): Promise<void> {
  await pickFiles(page, [...files]);
}

async function pickFiles(page: Page, files: GivenFile[] | string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles(files);
}

/** Files come by paste or drop, as a browser brings them. */
async function bring(page: Page, how: 'paste' | 'drop', file: GivenFile): Promise<void> {
  await page.getByRole('textbox', { name: 'Your message' }).evaluate(
    (field, { how, name, type, data }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], name, { type }));
      const init = { bubbles: true, cancelable: true };
      if (how === 'paste') field.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: transfer }));
      else document.body.dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: transfer }));
    },
    { how, name: file.name, type: file.mimeType, data: file.buffer.toString('base64') },
  );
}

const tray = (page: Page) => page.getByRole('list', { name: 'Files to send' });
const trayNames = (page: Page) => tray(page).getByRole('listitem').locator('bdi').allTextContents();
const sendable = (page: Page) => page.getByRole('button', { name: 'Send', disabled: false });

/** The server has the file. */
async function uploaded(page: Page, name: string): Promise<void> {
  const file = tray(page).getByRole('listitem').filter({ hasText: name });
  await see(file);
  await gone(file.getByRole('progressbar'));
}

async function shot(page: Page, name: string): Promise<void> {
  const to = process.env.HEDDLE_SHOTS;
  if (!to) return;
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(to, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('[I27] files picked, pasted and dropped are sent with the text and stand below it', async () => {
  const id = await newThread('Beds');
  const page = await pages.open(`/threads/${id}`);
  await pick(page, PHOTO);
  await bring(page, 'paste', NOTES);
  await bring(page, 'drop', { ...PHOTO, name: 'second.png', buffer: pngOf(300, 500, [90, 110, 150]) });
  for (const name of ['beds.png', 'notes.md', 'second.png']) await uploaded(page, name);
  await page.getByRole('button', { name: 'Remove second.png' }).click();
  expect(await trayNames(page)).toEqual(['beds.png', 'notes.md']);
  await page.getByLabel('Your message').fill('The beds as they are now.');
  await noSeriousFindings(page);
  await shot(page, 'thread-tray');
  await page.getByLabel('Your message').press('Enter');
  await gone(tray(page));
  const image = page.getByRole('link', { name: 'Open beds.png in full size' });
  await see(image);
  await expect.poll(() => image.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /notes\.md.*Download/ }).click();
  expect((await download).suggestedFilename()).toBe('notes.md');
  await noSeriousFindings(page);
  await shot(page, 'thread-files');
  const { events } = await pages.human().thread(id).events();
  expect(events.at(-1)).toMatchObject({
    content: 'The beds as they are now.',
    meta: { attachments: [{ name: 'beds.png', type: 'image/png', width: 640, height: 400 }, { name: 'notes.md' }] },
  });
});

test('[I27] files without a word are sent under their names', async () => {
  const id = await newThread('Wordless');
  const page = await pages.open(`/threads/${id}`);
  await pick(page, PHOTO, NOTES);
  await uploaded(page, 'notes.md');
  await page.getByRole('button', { name: 'Send' }).click();
  await see(page.getByRole('link', { name: /notes\.md.*Download/ }));
  const { events } = await pages.human().thread(id).events();
  expect(events.at(-1)?.content).toBe('beds.png, notes.md');
});

test('[I27] files stay with the unsent text after a reload', async () => {
  const page = await pages.open(`/threads/${await newThread('Kept')}`);
  await page.getByLabel('Your message').fill('Not yet sent');
  await pick(page, PHOTO);
  await uploaded(page, 'beds.png');
  await page.reload();
  await uploaded(page, 'beds.png');
  expect(await page.getByLabel('Your message').inputValue()).toBe('Not yet sent');
  await page.getByRole('button', { name: 'Remove beds.png' }).click();
  await page.reload();
  await see(page.getByLabel('Your message'));
  expect(await tray(page).count()).toBe(0);
});

test('[I27] what is too large or too many is said, and nothing is sent until it is taken out', async () => {
  const page = await pages.open(`/threads/${await newThread('Limits')}`);
  await pickFiles(page, fileOnDisk('film.mov', 25 * 1024 * 1024 + 1));
  await see(page.getByText('Larger than 25 MB, the most that one file can have.'));
  await page.getByLabel('Your message').fill('Look');
  expect(await sendable(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove film.mov' }).click();
  await pick(page, ...Array.from({ length: 22 }, (_, i) => ({ ...NOTES, name: `${i}.md` })));
  await see(page.getByText('A message can have 20 files. 2 were left out.'));
  await see(sendable(page));
});

test('[I27] without a connection the page says that files need the server, and a retry uploads them', async () => {
  const page = await pages.open(`/threads/${await newThread('Away')}`);
  await see(page.getByLabel('Your message'));
  await page.context().setOffline(true);
  await page.getByLabel('Your message').fill('Kept words');
  await pick(page, PHOTO);
  await see(page.getByText('Not uploaded: files need a connection to the server. Your text is kept.'));
  await shot(page, 'thread-failed');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Upload beds.png again' }).click();
  await gone(page.getByText(/Not uploaded/));
  await see(sendable(page));
});

test('[I27] a file of 20 MB arrives while its progress is shown', async () => {
  const id = await newThread('Large');
  const page = await pages.open(`/threads/${id}`);
  await pickFiles(page, fileOnDisk('data.bin', 20 * 1024 * 1024));
  await uploaded(page, 'data.bin');
  await see(sendable(page));
  await page.getByRole('button', { name: 'Send' }).click();
  await see(page.getByRole('link', { name: /data\.bin.*20 MB.*Download/ }));
});

test('[I27] an SVG and a page with scripts are downloads and never run', async () => {
  const { blobs, thread } = pages.human();
  const id = await newThread('Scripts');
  for (const [name, text] of [
    ['drawing.svg', SVG_WITH_SCRIPT],
    ['page.html', HTML_WITH_SCRIPT],
  ] as const) {
    const { blob } = await blobs.upload(new Uint8Array(Buffer.from(text)));
    await thread(id).post({
      type: 'message',
      content: name,
      meta: { attachments: [{ blob, name, type: 'image/png' }] },
    });
  }
  const page = await pages.open(`/threads/${id}`);
  for (const name of ['drawing.svg', 'page.html']) {
    const link = page.getByRole('link', { name: new RegExp(`${name}.*Download`) });
    await see(link);
    const response = await page
      .context()
      .request.get(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
    expect(response.headers()).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  }
  expect(await page.title()).not.toContain('it ran');
});

test('[I27] an image whose bytes are gone says so instead of leaving a hole', async () => {
  const { blobs, thread } = pages.human();
  const id = await newThread('Gone');
  const { blob } = await blobs.upload(new Uint8Array(pngOf(9, 9)));
  await thread(id).post({ type: 'message', content: 'Look', meta: { attachments: [{ blob, name: 'gone.png' }] } });
  const page = await pages.open('/');
  await page.route(`**/api/blobs/${blob}`, (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.goto(`${pages.server.url}/threads/${id}`);
  await see(page.getByText('is not on this server.'));
});

test('[I27] fifty images in a thread load as they come near and move nothing', async () => {
  const { blobs, thread } = pages.human();
  const id = await newThread('Many');
  for (let i = 0; i < 50; i++) {
    const { blob } = await blobs.upload(new Uint8Array(pngOf(800, 600, [i * 5, 100, 200 - i])));
    await thread(id).post({
      type: 'message',
      content: `Photo ${i}`,
      meta: { attachments: [{ blob, name: `${i}.png` }] },
    });
  }
  const page = await pages.open('/');
  const asked = new Set<string>();
  page.on('request', (request) => {
    if (request.url().includes('/api/blobs/')) asked.add(request.url());
  });
  await page.goto(`${pages.server.url}/threads/${id}`);
  const last = page.getByRole('link', { name: 'Open 49.png in full size' }).locator('img');
  await see(last);
  await expect.poll(() => last.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth)).toBe(800);
  expect(asked.size).toBeLessThan(50);
  const { width, height } = (await last.boundingBox()) ?? { width: 0, height: 0 };
  expect(height).toBeLessThanOrEqual(360);
  expect(width / height).toBeCloseTo(800 / 600, 1);
});

test('[I27] a dialogue and an exchange take files too', async () => {
  const id = await minds(pages).create('Plants', [says('Beans.')]);
  const page = await pages.open(`/dialogue/${id}`);
  await page.getByLabel('Your message').fill('What is in the photo?');
  await pick(page, PHOTO);
  await uploaded(page, 'beds.png');
  await page.getByLabel('Your message').press('Enter');
  await see(page.getByRole('link', { name: 'Open beds.png in full size' }));
  await shot(page, 'dialogue-files');
  const { thread } = await pages.human().threads.create({ title: 'Gardens', kind: 'exchange' });
  await page.goto(`${pages.server.url}/exchange/${thread.id}`);
  await page.getByRole('textbox').first().fill('Look at this.');
  await pick(page, NOTES);
  await uploaded(page, 'notes.md');
  await page.getByRole('textbox').first().press('Enter');
  await see(page.getByRole('link', { name: /notes\.md.*Download/ }));
  await shot(page, 'exchange-files');
});
