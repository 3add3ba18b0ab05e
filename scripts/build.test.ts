import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINILM, STORIES } from '../src/models/builtin/weights/pinned.ts';
import { FETCH_MS, fetchPinned } from '../test/support/models/weights.ts';
import { bundle, bundleWorkers } from './build.ts';

const dist = mkdtempSync(join(tmpdir(), 'heddle-built-'));
const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../src/models', path));
const ask = `
  const { openSmallModel } = await import(${source('builtin/small/small-model.ts')});
  const { openEmbedder } = await import(${source('builtin/embedder/embedder.ts')});
  const [model, embedder] = [openSmallModel(), openEmbedder()];
  let text = '';
  for await (const chunk of model.complete({ prompt: 'Once upon a time', temperature: 0, maxTokens: 10 })) {
    text += chunk.refusal?.message ?? chunk.text ?? '';
  }
  const [vector] = await embedder.embed(['cat']);
  console.log(JSON.stringify({ text, embedder: vector.embedder }));
`;

beforeAll(async () => {
  await Promise.all([fetchPinned(STORIES), fetchPinned(MINILM)]);
  writeFileSync(join(dist, 'ask.mjs'), ask);
  await bundle({ heddle: join(dist, 'ask.mjs') }, dist);
  await bundleWorkers(dist);
}, FETCH_MS);
afterAll(() => rmSync(dist, { recursive: true, force: true }));

test('[M3] bundled as the built program is, the models find their threads and weights, and end when nobody asks', async () => {
  expect(readdirSync(dist)).toEqual(expect.arrayContaining(['chunks', 'small-model.js', 'embedder.js']));
  const { stdout } = await promisify(execFile)(process.execPath, ['heddle.js'], { cwd: dist });
  expect(JSON.parse(stdout)).toEqual({
    text: ', there was a little girl named Lily.',
    embedder: 'all-MiniLM-L6-v2-q8',
  });
});
