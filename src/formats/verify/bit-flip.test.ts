import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fuzzRuns, seeded } from '../../../test/support/random.ts';
import { sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import { readExport } from '../../../test/support/stores/exports.ts';
import type { Event } from '../../core/events/event.ts';
import { createEngine } from '../../engine/engine.ts';
import { createIndexRows } from '../../engine/imports/index-rows.ts';
import { createBlobs } from '../../log/blobs.ts';
import type { EventLog } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { BadFile } from '../bad-file.ts';
import { importFile } from '../import/import-file.ts';
import { verifyFile } from './verify.ts';

const ana = { id: 'ana', kind: 'human' } as const;
const model = { id: 'base', kind: 'agent' } as const;

/** A loom with an edit, a generation and the raw response it came in. */
async function loomLog() {
  const log = openMemoryLog();
  const engine = await createEngine({ log });
  async function send(name: string, input: object, actor: typeof ana | typeof model = ana) {
    return sendOrThrow(engine, name, input, actor);
  }
  const [made, first] = await send('create', { title: 'Mill', kind: 'loom', setup: { text: 'Once ' }, invite: [] });
  const thread = made?.thread as string;
  const raw = await createBlobs(log, (text) => text).put('{"choices":["a mill stood","a well"]}');
  const requested = await send('generate', { thread, edits: [], text: 'upon a time ', n: 2 });
  const { generation } = (requested.at(-1) as Event).content as { generation: string };
  const choices = ['a mill stood\u2028', 'a well \ufffd'].map((content) => ({ content, finish: 'stop' }));
  await send('report_generation', { thread, generation, choices, model: 'base', raw }, model);
  const { append } = (first as Event).content as { append: { node: string } };
  await send('commit', { thread, edits: [{ node: append.node, text: 'Twice ' }], text: '' });
  await engine.close();
  return { log, thread };
}

const bytesOf = async (log: EventLog, thread: string) => Buffer.from(await readExport(log, thread));

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'heddle-flip-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('[W7] [L5] one changed byte anywhere in an exported loom is found and named', { timeout: 300_000 }, async () => {
  const { log, thread } = await loomLog();
  const whole = await bytesOf(log, thread);
  const file = join(await directory(), 'mill.jsonl');
  writeFileSync(file, whole);
  expect(await verifyFile(file)).toMatchObject({ missing: [], blobs: 1 });
  const seed = Number(process.env.HEDDLE_SEED ?? 7);
  const { below } = seeded(seed);
  const runs = fuzzRuns(150);
  const every = runs >= whole.length;
  for (let i = 0; i < (every ? whole.length : runs); i++) {
    const at = every ? i : below(whole.length);
    const changed = Buffer.from(whole);
    changed[at] = ((changed[at] as number) ^ (1 << below(8))) & 0xff;
    writeFileSync(file, changed);
    const problem = await verifyFile(file).then(
      ({ broken }) => broken?.why,
      (error) => (error instanceof BadFile ? error.message : `not foreseen: ${error}`),
    );
    expect(problem, `byte ${at} of ${whole.length}, seed ${seed}`).toMatch(/^(?!not foreseen)./);
  }
});

test('[W7] a changed blob encoding or first line is found too, although no event changes', async () => {
  const { log, thread } = await loomLog();
  const text = (await bytesOf(log, thread)).toString();
  const file = join(await directory(), 'mill.jsonl');
  const findProblem = async (changed: string) => {
    writeFileSync(file, changed);
    return verifyFile(file).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
  };
  expect(await findProblem(text.replace('2026-01-01T00', '2026-01-01T01'))).toMatch(/the first line/);
  // The fifth to eighth bytes of gzip are a time that means nothing.
  expect(await findProblem(text.replace('"gzip":"H4sIAAAA', '"gzip":"H4sIAAAB'))).toMatch(/packing of a blob/);
  expect(await findProblem(text.replace('"gzip":"H4s', '"gzip": "H4s'))).toMatch(
    /Line \d+ contains a blob that does not match/,
  );
  expect(await findProblem(text.replace(/"sum":"./, '"sun":"0'))).toMatch(/the last one, was changed/);
  const old = text.replace(/,"sum":"\w{64}"\}\n$/, '}\n');
  expect(await findProblem(old)).toBe('nothing');
});

test('[L20] [W26] exporting, importing and exporting a loom with raw responses gives the same bytes', async () => {
  const { log, thread } = await loomLog();
  const whole = await bytesOf(log, thread);
  const file = join(await directory(), 'mill.jsonl');
  writeFileSync(file, whole);
  const other = openMemoryLog();
  const { report, blobs } = await importFile(other, file, { derived: createIndexRows(other) });
  expect({ report, blobs }).toEqual({ report: { dropped: [] }, blobs: 1 });
  expect((await bytesOf(other, thread)).equals(whole)).toBe(true);
});
