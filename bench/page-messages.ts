import { setTimeout } from 'node:timers/promises';
import { type Client, createClient } from '../src/client/index.ts';
import type { Figure } from './measure.ts';
import { countFrames, type Frames, framesOf, inBrowser, withServer } from './page-browser.ts';
import type { Tab } from './plain-browser.ts';
import { TEXT, withDirectory } from './scratch.ts';

const PER_SECOND = 200;
const SECONDS = 5;
const PASSES = 3;
/** Messages come in steps of this length, as from several writers. */
const STEP_MS = 25;

/* Messages as fast as agents write them, into a thread that somebody has open. */
export function pageMessages(): Promise<Figure[]> {
  return withDirectory((workspace) =>
    withServer(workspace, async (client, url) => {
      const writer = await otherPerson(client, url);
      const passes = await inBrowser(client, async (tab) => {
        const frames: Frames[] = [];
        for (let pass = 0; pass < PASSES; pass++) frames.push(await messagesInto(tab, client, writer, url));
        return frames;
      });
      const note = `in each of ${PASSES} passes of ${SECONDS} s; the longest in each ${passes.map(({ longest }) => longest.toFixed(0)).join(', ')} ms; rows seen ${passes.map(({ read }) => read).join(', ')}`;
      return [
        {
          name: `frames over 50 ms at ${PER_SECOND} messages a second into an open thread`,
          goal: { atMost: 0 },
          values: passes.map(({ over }) => over),
          note,
        },
      ];
    }),
  );
}

async function otherPerson(client: Client, url: string): Promise<Client> {
  const { token } = await client.credentials.issue({ participant: 'ada', kind: 'human' });
  return createClient({ url, token });
}

async function messagesInto(tab: Tab, client: Client, writer: Client, url: string): Promise<Frames> {
  const { thread } = await client.threads.create({ title: 'Flood' });
  const count = PER_SECOND * SECONDS;
  await tab.go(`${url}/threads/${thread.id}`);
  await shown(tab, 'began the thread');
  await countFrames(tab);
  const posts: Promise<unknown>[] = [];
  const start = performance.now();
  while (posts.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - start) / 1000) * PER_SECOND));
    while (posts.length < due)
      posts.push(writer.thread(thread.id).post({ type: 'message', content: `${posts.length}: ${TEXT}` }));
    await setTimeout(STEP_MS);
  }
  await Promise.all(posts);
  await shown(tab, `${count - 1}: `);
  return framesOf(tab);
}

async function shown(tab: Tab, text: string): Promise<void> {
  const isShown = `document.querySelector('.timeline')?.textContent.includes(${JSON.stringify(text)}) ?? false`;
  while (!(await tab.evaluate<boolean>(isShown))) await setTimeout(50);
}
