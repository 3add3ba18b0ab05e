import { connect } from 'node:net';
import type { House } from './house.ts';

/** What came back over a bare socket; empty where the server closed it without a word. */
export async function sendRaw(
  house: House,
  parts: readonly (string | Buffer)[],
  { cut, ms = 5_000 }: { readonly cut?: 'end' | 'reset' | undefined; readonly ms?: number } = {},
): Promise<string> {
  const { url } = await house.server();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
    socket.setTimeout(ms, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      // The head of an answer is enough: connections are kept alive, and streams have no end.
      if (!cut && text.includes('\r\n\r\n')) socket.destroy();
    });
  });
  for (const part of parts) await new Promise<void>((resolve) => socket.write(part, () => resolve()));
  if (cut) {
    // Another request that is answered: by then the server has begun with this one.
    await fetch(`${url}/healthz`)
      .then((response) => response.text())
      .catch(() => '');
    if (cut === 'reset') socket.resetAndDestroy();
    else socket.destroy();
  }
  await closed;
  return text;
}

export function statusIn(text: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
}

/** The lines before a body. */
export async function headOf(house: House, method: string, path: string, headers: readonly string[]): Promise<string> {
  const { host } = new URL((await house.server()).url);
  return [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n');
}
