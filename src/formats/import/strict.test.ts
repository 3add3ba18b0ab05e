import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzRuns, seeded } from '../../../test/support/random.ts';
import { exportText, type Forged, sealedChain } from '../../../test/support/stores/exports.ts';
import type { Json } from '../../core/events/event.ts';
import { manifest } from '../../core/events/manifest.ts';
import { adopt } from '../../engine/imports/adopt.ts';
import { wireTextOf } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { BadFile } from '../bad-file.ts';
import { importFile } from './import-file.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'heddle-strict-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const creationEvent = (thread: string, more: object = {}): Forged => ({
  thread,
  type: 'thread.created',
  content: { title: 'Plans', kind: 'conversation', ...more },
});

/** What an import of these bytes says; nothing of them may be stored. */
async function expectRefusal(bytes: string | Buffer): Promise<BadFile> {
  const file = join(dir, 'file.jsonl');
  writeFileSync(file, bytes);
  const log = openMemoryLog();
  const error = await adopt(log, file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadFile);
  expect(await log.head()).toBe(0);
  expect(await log.records('thread')).toEqual([]);
  return error as BadFile;
}

describe('content that does not fit its type', () => {
  const wrong: Record<string, [Forged, RegExp]> = {
    'a title that is an object': [creationEvent('t1', { title: { a: 1 } }), /"title" that does not fit/],
    'a kind that is no word': [creationEvent('t1', { kind: '../loom' }), /"kind" that does not fit/],
    'a message that is a list': [{ content: ['a'] }, /"message" does not fit/],
    'a control of two kinds': [{ type: 'control', content: { done: true, pause: { on: true } } }, /"control"/],
    'a wake without a seq': [{ type: 'wake.closed', content: { participant: 'a' } }, /"event" that does not fit/],
    'a draft in a loom': [{ type: 'loom.committed', content: { edits: 7 } }, /"edits" that does not fit/],
    'an author of no kind': [{ meta: { by: 'god' } as never }, /"meta.by" that does not fit/],
    'a cause that is a text': [{ meta: { cause: 'x' } as never }, /"meta.cause" that does not fit/],
    'live item': [{ type: 'presence.updated', content: {} }, /live item/],
    'a version to come': [{ v: 2 }, /version 2, and this Heddle reads up to 1. Update Heddle/],
    'a time that is none': [{ ts: 'tomorrow' }, /"ts" that does not fit/],
    'an id that is a path': [{ id: '../../token' }, /"id" that does not fit/],
    'a thread that is a path': [{ thread: '..', seq: 1 }, /"thread" that does not fit/],
    'an author that is a path': [{ from: 'a/../b' }, /"from" that does not fit/],
    'an author from the prototype': [{ from: '__proto__' }, /"from" that does not fit/],
  };
  for (const [name, [forged, said]] of Object.entries(wrong)) {
    test(`[L25] an import with ${name} is refused with its line, and nothing is stored`, async () => {
      const events = sealedChain([creationEvent('t0'), { thread: 't0' }, forged]);
      const { message, line } = await expectRefusal(exportText(events));
      expect(message).toMatch(said);
      expect(message).toMatch(/^Line 4: .* Nothing was imported\.$/);
      expect(line).toBe(4);
    });
  }

  test('[L25] every stored type is checked, and content of another kind is never imported', async () => {
    for (const { type, durable } of manifest.values()) {
      if (!durable) continue;
      for (const content of [null, 7, [], { '': [null] }]) {
        const { message } = await expectRefusal(exportText(sealedChain([{ type, content }])));
        expect(message, type).toContain('Line 2');
      }
    }
  });
});

test('[L3] [L25] types of a newer version are kept unchanged, whatever they contain', async () => {
  const content = JSON.parse('{"__proto__":{"polluted":true},"deep":[[[1]]]}') as Json;
  const [event] = sealedChain([{ type: 'dream.woven', v: 9, content }]);
  const file = join(dir, 'newer.jsonl');
  writeFileSync(file, exportText([event as never]));
  const log = openMemoryLog();
  await adopt(log, file);
  expect((await log.readAll(0, 10))[0]?.body).toBe(event?.body);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe('an event of an older version', () => {
  const content = { generation: 'g1', at: 'root', choices: [], model: 'base' };
  const generation = (v: number, more: object = {}): Forged => ({
    thread: 't0',
    type: 'generation.finished',
    v,
    content: { ...content, ...more },
  });

  test.each([
    ['version 1, which need not say what was shown', generation(1)],
    ['version 1, which may', generation(1, { shown: 2 })],
    ['version 2, which says it', generation(2, { shown: 0 })],
  ])('[L25] an import accepts an event that fits its own version: %s', async (_, forged) => {
    const events = sealedChain([creationEvent('t0', { kind: 'loom' }), forged]);
    const file = join(dir, 'older.jsonl');
    writeFileSync(file, exportText(events));
    const log = openMemoryLog();
    await adopt(log, file);
    expect((await log.readAll(0, 10))[1]?.body).toBe(events[1]?.body);
  });

  test.each([
    ['version 2 that lacks what that version added', generation(2), /"shown" that does not fit/],
    ['version 1 with what only the next one allows', generation(1, { shown: 0 }), /"shown" that does not fit/],
    ['a version to come', generation(3, { shown: 0 }), /version 3, and this Heddle reads up to 2\. Update Heddle/],
  ])('[L25] an import refuses an event of %s and says why', async (_, forged, said) => {
    const { message } = await expectRefusal(exportText(sealedChain([creationEvent('t0', { kind: 'loom' }), forged])));
    expect(message).toMatch(said);
    expect(message).toMatch(/^Line 3: .* Nothing was imported\.$/);
  });
});

describe('a hostile file', () => {
  const two = sealedChain([creationEvent('t1'), {}]);
  const lines = two.map(wireTextOf);
  const exportReplacing = (from: string, to: string) =>
    exportText(two, [lines[0] as string, lines[1]?.replace(from, to) as string]);
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

  const files: Record<string, [() => string | Buffer, RegExp]> = {
    'content nested without end': [() => exportReplacing('"text"', deep), /^Line 3 is nested more than 64 levels deep/],
    'a header nested without end': [
      () => exportText(two).replace('"version":1', `"version":${deep}`),
      /^Line 1 is not a line of an export/,
    ],
    'a last line nested without end': [
      () => exportText(two).replace('"events":2', `"events":${deep}`),
      /^Line 4 is not a line of an export/,
    ],
    'a key that comes twice': [
      () => exportReplacing('"content":"text"', '"content":"a","content":"text"'),
      /^Line 3: .*canonical/,
    ],
    'a key from the prototype': [
      () => exportText(sealedChain([creationEvent('t1', JSON.parse('{"__proto__":{"title":"x"}}'))])),
      /^Line 2: .*does not fit/,
    ],
    'bytes that are no text': [
      () =>
        Buffer.concat([
          Buffer.from(exportText(two).slice(0, 60)),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(exportText(two).slice(60)),
        ]),
      /^Line \d is not UTF-8/,
    ],
    'a NUL': [() => exportText(sealedChain([creationEvent('t1'), { content: 'a\0b' }])), /^Line 3: .*NUL/],
    'a content of two megabytes': [
      () => exportText(sealedChain([creationEvent('t1'), { content: 'x'.repeat(2 * 1024 * 1024) }])),
      /^Line 3: .*1 MiB/,
    ],
    'a seq that is skipped': [
      () => exportText(sealedChain([creationEvent('t1'), { seq: 3 }])),
      /^Line 3: .*event 2 is missing/,
    ],
    'a seq that is a fraction': [
      () => exportText(sealedChain([creationEvent('t1'), { seq: 1.5 }])),
      /^Line 3: .*lacks a part/,
    ],
    'a seq of 0': [() => exportText(sealedChain([{ seq: 0 }])), /^Line 2: .*lacks a part/],
    'another hash': [
      () => exportText(two, [lines[0] as string, lines[1]?.replace(/"hash":"./, '"hash":"f') as string]),
      /^Line 3: .*does not link|^The export/,
    ],
    'a thread that begins twice': [
      () => exportText(sealedChain([creationEvent('t1'), {}, creationEvent('t1', { kind: 'loom' })])),
      /^Line 4: It starts thread t1 a second time/,
    ],
    'a fork in the middle of a thread': [
      () =>
        exportText(
          sealedChain([
            creationEvent('t0'),
            creationEvent('t1'),
            creationEvent('t1', { forked_from: { thread: 't0', seq: 1 } }),
          ]),
        ),
      /^Line 4: It starts thread t1/,
    ],
    'a fork of itself': [
      () => exportText(sealedChain([{ ...creationEvent('t1', { forked_from: { thread: 't1', seq: 1 } }), seq: 2 }])),
      /^Line 2: .*a fork of an event that is not there/,
    ],
    'forks in a circle': [
      () =>
        exportText(
          sealedChain([
            { ...creationEvent('t1', { forked_from: { thread: 't2', seq: 5 } }), seq: 6 },
            { ...creationEvent('t2', { forked_from: { thread: 't1', seq: 5 } }), seq: 6 },
          ]),
        ),
      /^Line 2: .*a fork of an event that is not there/,
    ],
    'a fork of an event that comes later': [
      () =>
        exportText(
          sealedChain([
            creationEvent('t0'),
            { ...creationEvent('t1', { forked_from: { thread: 't0', seq: 2 } }), seq: 3 },
            { thread: 't0' },
          ]),
        ),
      /^Line 3: .*a fork of an event that is not there/,
    ],
    'a fork of a thread it does not hold': [
      () => exportText(sealedChain([{ ...creationEvent('t1', { forked_from: { thread: 'gone', seq: 1 } }), seq: 2 }])),
      /^Line 2: .*a fork of an event that is not there/,
    ],
    'a fork of nothing': [
      () => exportText(sealedChain([creationEvent('t1', { forked_from: { thread: 't0', seq: 0 } })])),
      /^Line 2: /,
    ],
    'a fork whose seq is a text': [
      () => exportText(sealedChain([creationEvent('t1', { forked_from: { thread: 't0', seq: '1' } })])),
      /^Line 2: .*"forked_from.seq" that does not fit/,
    ],
  };
  for (const [name, [bytes, said]] of Object.entries(files)) {
    test(`[L25] a file with ${name} is refused with its line, and nothing is stored`, async () => {
      expect((await expectRefusal(bytes())).message).toMatch(said);
    });
  }

  test('[L25] a fork whose kind differs from its parent starts from its own beginning', async () => {
    const parent = sealedChain([creationEvent('t0', { kind: 'loom' })]);
    const fork = {
      ...creationEvent('t1', { kind: 'dialogue', forked_from: { thread: 't0', seq: 1 } }),
      after: parent[0] as never,
    };
    const file = join(dir, 'fork.jsonl');
    writeFileSync(file, exportText([...parent, ...sealedChain([{ ...fork, id: 'e9' }])]));
    expect(await adopt(openMemoryLog(), file)).toMatchObject({ added: 2 });
  });

  test('[L25] a randomly damaged file is imported as a whole or refused as a bad file', {
    timeout: 300_000,
  }, async () => {
    const random = seeded(25);
    const base = sealedChain([
      creationEvent('t0'),
      { thread: 't0' },
      creationEvent('t1'),
      { content: 'Hello' },
      { type: 'task', to: 'bo' },
    ]);
    for (let run = 0; run < fuzzRuns(300); run++) {
      const forged = base.map(({ body }) => {
        const { seq: _, ...parts } = JSON.parse(body) as Forged;
        return random.next() < 0.3 ? mutated(parts, random) : parts;
      });
      const file = join(dir, 'fuzz.jsonl');
      writeFileSync(file, exportText(sealedChain(forged)));
      const log = openMemoryLog();
      const outcome = await adopt(log, file).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome, JSON.stringify(forged)).toBeInstanceOf(BadFile);
        expect(await log.head()).toBe(0);
      } else expect(await log.head()).toBe(forged.length);
    }
  });
});

const ODD: readonly unknown[] = [
  ...[null, 0, -1, 1.5, 2 ** 53, '', '__proto__', 'constructor', '../x', 'a\nb', '\u0000', [], [[]], {}, { title: {} }],
  { title: 'x', kind: 'loom', forked_from: { thread: 't1', seq: 1 } },
  JSON.parse('{"__proto__":1}'),
];

const FIELDS = ['id', 'ts', 'thread', 'seq', 'type', 'from', 'to', 'content', 'meta', 'v'];

function mutated(parts: Forged, { pick }: ReturnType<typeof seeded>): Forged {
  const field = pick(FIELDS);
  return { ...parts, [field]: field === 'type' ? pick([...manifest.keys()]) : pick(ODD) };
}

test('[L20] [L25] a part that is already stored is not checked again', async () => {
  const file = join(dir, 'again.jsonl');
  const log = openMemoryLog();
  const [first] = sealedChain([creationEvent('t1', { title: { a: 1 } })]);
  await log.append([{ expected: [{ thread: 't1', seq: 0 }], events: [first as never] }]);
  writeFileSync(file, exportText(sealedChain([creationEvent('t1', { title: { a: 1 } }), { content: 'more' }])));
  expect(await importFile(log, file)).toMatchObject({ added: 1, skipped: 1 });
});

test('[L25] a backup with content that does not fit is restored as it was', async () => {
  const file = join(dir, 'backup.jsonl');
  writeFileSync(file, exportText(sealedChain([creationEvent('t1', { title: { a: 1 } }), { content: ['odd'] }, {}])));
  const log = openMemoryLog();
  expect(await adopt(log, file, { strict: false })).toMatchObject({ added: 3 });
  expect(JSON.parse((await log.record('thread', 't1')) as string)).toMatchObject({ title: '{"a":1}' });
});
