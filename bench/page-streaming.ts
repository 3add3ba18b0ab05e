import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '../src/client/index.ts';
import type { Figure } from './measure.ts';
import { countFrames, type Frames, framesOf, inBrowser, withServer } from './page-browser.ts';
import type { Tab } from './plain-browser.ts';
import { withDirectory } from './scratch.ts';

const WRITERS = ['ash', 'birch', 'cedar', 'fir', 'oak'];
const TOKENS_PER_SECOND = 100;
const SECONDS = 6;
const PASSES = 3;

interface Pass {
  readonly frames: Frames;
  /** Milliseconds from the provider's first byte to the first character on the page, by writer. */
  readonly delays: readonly number[];
}

/* Five models that write at once into a thread somebody has open, each at the pace of a fast provider. */
export function pageStreaming(): Promise<Figure[]> {
  return withDirectory(async (workspace) => {
    const provider = await startProvider();
    const models = WRITERS.map(
      (name) => `  ${name}: {provider: openai-chat, base_url: "${provider.url}", model: ${name}}\n`,
    );
    writeFileSync(join(workspace, 'heddle.yaml'), `models:\n${models.join('')}`);
    try {
      const passes = await withServer(workspace, (client, url) =>
        inBrowser(client, async (tab) => {
          const all: Pass[] = [];
          for (let pass = 0; pass < PASSES; pass++) all.push(await streamInto(tab, client, url, provider.firstBytes));
          return all;
        }),
      );
      return figuresOf(passes);
    } finally {
      provider.close();
    }
  });
}

function figuresOf(passes: readonly Pass[]): Figure[] {
  const longest = passes.map(({ frames }) => frames.longest.toFixed(0)).join(', ');
  return [
    {
      name: `frames over 50 ms while ${WRITERS.length} models write ${TOKENS_PER_SECOND} tokens a second each`,
      goal: { atMost: 0 },
      values: passes.map(({ frames }) => frames.over),
      note: `in each of ${PASSES} passes of ${SECONDS} s; the longest in each ${longest} ms`,
    },
    {
      name: "milliseconds from a provider's first byte to the first character on the page",
      goal: { atMost: 100 },
      values: passes.flatMap(({ delays }) => delays),
      note: `${WRITERS.length} writers in each of ${PASSES} passes`,
    },
  ];
}

async function streamInto(tab: Tab, client: Client, url: string, firstBytes: Map<string, number>): Promise<Pass> {
  const { thread } = await client.threads.create({ title: 'Five at once' });
  const room = client.thread(thread.id);
  for (const id of WRITERS) {
    const invite = { participant_id: id, profile: { client: 'model', model: id } };
    await room.post({ type: 'control', content: { invite } });
  }
  await tab.go(`${url}/threads/${thread.id}`);
  while (!(await tab.evaluate<boolean>(`document.querySelector('main textarea') !== null`))) await setTimeout(50);
  await watchFirstWords(tab);
  await countFrames(tab);
  firstBytes.clear();
  await room.post({ type: 'message', content: `${WRITERS.map((id) => `@${id}`).join(' ')} go` });
  const isDone = `${JSON.stringify(WRITERS)}.every((name) => document.querySelector('main').textContent.includes('the end of ' + name))`;
  while (!(await tab.evaluate<boolean>(isDone))) await setTimeout(100);
  const seen = await tab.evaluate<Record<string, number>>('firstWords');
  return {
    frames: await framesOf(tab),
    delays: WRITERS.map((name) => (seen[name] ?? Number.NaN) - (firstBytes.get(name) ?? Number.NaN)),
  };
}

/** Notes when the first word of each writer appears in the page. */
function watchFirstWords(tab: Tab): Promise<unknown> {
  return tab.evaluate(`(() => {
    window.firstWords = {};
    const look = () => {
      const text = document.querySelector('main').textContent;
      for (const name of ${JSON.stringify(WRITERS)})
        if (!(name in firstWords) && text.includes('first-' + name)) firstWords[name] = Date.now();
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  })()`);
}

/** A provider that writes at a steady pace and notes when each answer began. */
async function startProvider() {
  const firstBytes = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { model } = JSON.parse(body || '{}') as { model?: string };
      if (model === undefined) response.end('{"data": []}');
      else void write(response, model);
    });
  });

  async function write(response: ServerResponse, model: string): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (content: string, more: object = {}) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, ...more }] })}\n\n`);
    firstBytes.set(model, Date.now());
    send(`first-${model} `);
    const start = performance.now();
    for (let sent = 0; sent < TOKENS_PER_SECOND * SECONDS; ) {
      await setTimeout(10);
      const due = Math.floor(((performance.now() - start) / 1000) * TOKENS_PER_SECOND);
      for (; sent < due; sent++) send(sent % 40 === 39 ? 'leaf.\n\n' : sent % 15 === 0 ? '**twig** ' : 'leaf ');
    }
    send(`the end of ${model}`, { finish_reason: 'stop' });
    response.end('data: [DONE]\n\n');
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/v1`, firstBytes, close: () => server.close() };
}
