// Our server with both models in it, told over IPC what to do with them: `models-server.ts PATH`.
import { openEmbedder } from '../src/models/builtin/embedder/embedder.ts';
import { openSmallModel } from '../src/models/builtin/small/small-model.ts';
import type { Chunk } from '../src/models/model.ts';
import './server.ts';

const model = openSmallModel();
const embedder = openEmbedder();
let stop = new AbortController();

const deeds: Readonly<Record<string, () => Promise<number>>> = {
  generate,
  async rest() {
    stop.abort();
    return 0;
  },
  embed: async () => ((await embedder.embed(['How a small idea grows.'])) as readonly unknown[]).length,
};

process.on('message', async (message: { do?: string }) => {
  const deed = message.do === undefined ? undefined : deeds[message.do];
  if (deed) process.send?.({ did: message.do, count: await deed(), rss: process.memoryUsage.rss() });
});

/** Three texts at a time, one request after the other until it is told to rest; answers once the first token is there. */
function generate(): Promise<number> {
  stop = new AbortController();
  const { signal } = stop;
  return new Promise((resolve) => {
    void (async () => {
      while (!signal.aborted) {
        for await (const chunk of model.complete({ prompt: 'Once upon a time', maxTokens: 200, n: 3 }, signal)) {
          if (isText(chunk)) resolve(1);
        }
      }
    })();
  });
}

function isText(chunk: Chunk): boolean {
  if (chunk.type === 'refused') throw new Error(chunk.refusal.message);
  return chunk.type === 'text';
}
