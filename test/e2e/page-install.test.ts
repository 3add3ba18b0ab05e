import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../src/server/http/listen.ts';
import { readQrCode } from '../support/qr-code.ts';
import { openTestServer, type TestServerOptions } from '../support/servers/server.ts';
import { kept } from './page-offline-support.ts';
import { noSeriousFindings, see, setUpPages } from './page-support.ts';

const pages = setUpPages();
const built = join(import.meta.dirname, '../../dist/web');
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server in this process whose page is signed in; `front` may answer in its place. */
async function openPage(options: TestServerOptions, front?: (response: ServerResponse) => boolean) {
  const server = await openTestServer({ page: built, ...options });
  const listener: RequestListener = (request, response) =>
    front?.(response) ? undefined : server.app.listener(request, response);
  const { url, close } = await listen({ app: { listener, close: server.app.close }, port: 0 });
  ends.push(server.close, close);
  const context = await pages.newContext({ serviceWorkers: 'allow' });
  ends.push(() => context.close());
  const { url: link } = await server.client().signInLink();
  await context.request.post(url + new URL(link).pathname + new URL(link).search);
  return { page: await context.newPage(), url };
}

test('[I22] the page can be installed: a manifest with a name and icons of the sizes it says', async () => {
  const { url } = pages.server;
  const html = await (await fetch(url)).text();
  const address = /<link rel="manifest" href="([^"]+)"/.exec(html)?.[1];
  const answer = await fetch(url + address);
  expect(answer.headers.get('content-type')).toBe('application/manifest+json');
  const manifest = (await answer.json()) as {
    name: string;
    display: string;
    start_url: string;
    icons: { src: string; sizes: string; type: string; purpose: string }[];
  };
  expect(manifest).toMatchObject({ name: 'Heddle', display: 'standalone', start_url: '/' });
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await fetch(url + src);
    expect(icon.headers.get('content-type')).toBe(type);
    const header = new DataView(await icon.arrayBuffer());
    expect(`${header.getUint32(16)}x${header.getUint32(20)}`).toBe(sizes);
  }
  const worker = await fetch(`${url}/service-worker.js`);
  expect(worker.headers.get('cache-control')).toBe('no-cache');
});

test('[I22] a new build replaces the old one, and a tab that still runs the old one goes on working', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-builds-'));
  ends.push(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(built, directory, { recursive: true });
  const { page: oldTab, url } = await openPage({ page: directory });
  await oldTab.goto(url);
  await oldTab.evaluate(async () => void (await navigator.serviceWorker.ready));
  await oldTab.reload();
  await see(oldTab.getByRole('link', { name: 'Settings' }));
  const [before] = await cacheNames(oldTab);

  rebuild(directory, 'settings-');
  const newTab = await oldTab.context().newPage();
  await newTab.goto(url);
  await expect.poll(() => cacheNames(newTab)).toHaveLength(2);
  await expect.poll(() => isControlledBy(oldTab, 'activated')).toBe(true);
  // The server has this part of the old build no more, and the page has not loaded it yet.
  await oldTab.getByRole('link', { name: 'Settings' }).first().click();
  await see(oldTab.getByRole('heading', { name: 'Settings', level: 1 }));

  rebuild(directory, 'palette-');
  await newTab.reload();
  await expect.poll(async () => (await cacheNames(newTab)).includes(String(before))).toBe(false);
  expect(await cacheNames(newTab)).toHaveLength(2);
});

test('[I22] a proxy whose server is away counts as no server, and an error of the server itself does not', async () => {
  let answer: { status: number; headers: Record<string, string> } | undefined;
  const { page, url } = await openPage({}, (response) => {
    if (answer) response.writeHead(answer.status, answer.headers).end('Sorry');
    return answer !== undefined;
  });
  await page.goto(url);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await kept(page, 'rows', 'page');
  answer = { status: 502, headers: { 'content-type': 'text/html' } };
  await page.reload();
  await see(page.getByText('Offline, reconnecting. You see the workspace as of'));
  answer = { status: 503, headers: { 'content-security-policy': "default-src 'none'" } };
  await page.reload();
  await see(page.getByText('Sorry'));
  answer = undefined;
  await page.reload();
  await see(page.getByRole('status').getByText('connected'));
});

test('[I22] a phone signs in by a QR code of a one-time link', async () => {
  const address = 'https://heddle.example.org';
  const { page, url } = await openPage({ publicAddress: () => address });
  await page.goto(`${url}/settings#phone`);
  const section = page.getByRole('region', { name: 'Sign in on your phone' });
  await section.getByRole('button', { name: 'Show a QR code' }).click();
  const code = section.getByRole('img', { name: 'QR code of the sign-in link' });
  await see(code);
  const link = await section.locator('code').innerText();
  expect(link).toMatch(/^https:\/\/heddle\.example\.org\/signin\?code=[\w-]{43}$/);
  expect(await decode(page, await code.screenshot())).toBe(link);
  await see(section.getByText(/It signs that phone in as you, once, until \d\d:\d\d\./));
  await noSeriousFindings(page);
  // Elsewhere it is a link as any other: it works once.
  const path = link.slice(address.length);
  const phone = await pages.newContext();
  ends.push(() => phone.close());
  expect((await phone.request.post(url + path)).status()).toBe(200);
  expect((await phone.request.get(`${url}/api/me`)).status()).toBe(200);
  expect((await phone.request.post(url + path)).status()).toBe(401);
});

test('[I22] where only this machine reaches the server, the settings say how a phone could', async () => {
  const { page, url } = await openPage({});
  await page.goto(`${url}/settings#phone`);
  const section = page.getByRole('region', { name: 'Sign in on your phone' });
  await see(section.getByText('This server answers only on this machine, so a phone cannot reach it.'));
  await see(section.getByText('heddle serve --behind-proxy --allow-host heddle.example.org'));
  expect(await section.getByRole('button').count()).toBe(0);
});

function cacheNames(page: Page): Promise<string[]> {
  return page.evaluate(() => caches.keys());
}

function isControlledBy(page: Page, state: string): Promise<boolean> {
  return page.evaluate((expected) => navigator.serviceWorker.controller?.state === expected, state);
}

/** The build as it would be if one of its files had changed: that file has another name wherever it is named. */
function rebuild(directory: string, prefix: string): void {
  const assets = join(directory, 'assets');
  const name = readdirSync(assets).find((each) => each.startsWith(prefix) && each.endsWith('.js')) as string;
  const newName = `${prefix}changed${name.length}.js`;
  renameSync(join(assets, name), join(assets, newName));
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  for (const { parentPath, name: file } of files.filter((each) => /\.(js|html)$/.test(each.name))) {
    const path = join(parentPath, file);
    const text = readFileSync(path, 'utf8').replaceAll(name, newName);
    writeFileSync(path, file === 'service-worker.js' ? text.replace(/version:`\w+/, `version:\`${prefix}`) : text);
  }
}

/** What a camera reads. */
async function decode(page: Page, picture: Buffer): Promise<string | undefined> {
  const { width, height, data } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    const image = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return { width: image.width, height: image.height, data: [...image.data] };
  }, picture.toString('base64'));
  return readQrCode(data, width, height);
}
