// A browser as a person has it. A tool that listens to every request has Chromium read each script that asks for
// something once more, to say from which line of it: 30 to 40 ms of opening the page that nobody else waits for.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserArguments, findBrowser } from '../test/support/browser.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: never;
  readonly error?: { readonly message: string };
}

type Send = (method: string, params?: object) => Promise<never>;

export interface Tab {
  /** Resolves when the page has loaded. */
  go(url: string): Promise<void>;
  /** Runs in every page before its own scripts. */
  runFirst(source: string): Promise<void>;
  evaluate<T>(expression: string): Promise<T>;
  /** Brings the mouse to where it rests while the wheel turns. */
  pointAtMiddle(): Promise<void>;
  wheel(by: number): Promise<void>;
}

const SIZE = { width: 1280, height: 800 };
/** Whatever takes longer has hung. */
const LATEST = 30_000;
const MIDDLE = { x: 600, y: 300 };

export async function openPlainBrowser(): Promise<{ tab: Tab; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'heddle-browser-'));
  const words = ['--headless', '--hide-scrollbars', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const size = `--window-size=${SIZE.width},${SIZE.height}`;
  const browser = spawn(findBrowser(), [...browserArguments(), ...words, size], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const socket = new WebSocket(await addressIn(browser.stderr));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const { send, heard } = speakOver(socket);
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', ...SIZE });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  return {
    tab: await tabOf((method, params) => send(method, params, sessionId), heard),
    async close() {
      const ended = once(browser, 'exit');
      await send('Browser.close');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const chunk of output) {
    said += chunk;
    const [address] = /ws:\/\/\S+/.exec(said) ?? [];
    if (address) return address;
  }
  throw new Error(`The browser ended:\n${said}`);
}

function speakOver(socket: WebSocket) {
  const answers = new Map<number, (message: Message) => void>();
  const listeners = new Set<{ readonly method: string; tell(): void }>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    for (const listener of listeners) if (listener.method === message.method) listener.tell();
  });
  return {
    send: (method: string, params: object = {}, sessionId?: string) =>
      new Promise<never>((resolve, reject) => {
        const id = ++last;
        const silent = setTimeout(
          () => reject(new Error(`${method} was not answered: ${JSON.stringify(params)}`)),
          LATEST,
        );
        answers.set(id, ({ result, error }) => {
          clearTimeout(silent);
          answers.delete(id);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result as never);
        });
        socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
      }),
    heard: (method: string) =>
      new Promise<void>((resolve, reject) => {
        const silent = setTimeout(() => reject(new Error(`${method} did not come.`)), LATEST);
        const listener = {
          method,
          tell() {
            clearTimeout(silent);
            listeners.delete(listener);
            resolve();
          },
        };
        listeners.add(listener);
      }),
  };
}

async function tabOf(send: Send, heard: (method: string) => Promise<void>): Promise<Tab> {
  await send('Page.enable');
  return {
    async go(url) {
      const loaded = heard('Page.loadEventFired');
      await send('Page.navigate', { url });
      await loaded;
    },
    runFirst: (source) => send('Page.addScriptToEvaluateOnNewDocument', { source }),
    async evaluate(expression) {
      const asked = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await send('Runtime.evaluate', asked);
      if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
      return (result as { value: never }).value;
    },
    pointAtMiddle: () => send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...MIDDLE }),
    wheel: (by) => send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...MIDDLE, deltaX: 0, deltaY: by }),
  };
}
