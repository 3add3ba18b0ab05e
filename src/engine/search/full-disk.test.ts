import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createThread, sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import { fillDisk, mayMount, mountSmallDisk } from '../../../test/support/stores/small-disk.ts';
import { isRefusal } from '../../core/refusal.ts';
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts';
import { createEngine, type Engine } from '../engine.ts';

async function say(engine: Engine, thread: string, content: string) {
  await sendOrThrow(engine, 'post', { thread, type: 'message', content });
}

async function search(engine: Engine, q: string) {
  const answer = await engine.search({ q, limit: 100 });
  if (isRefusal(answer)) throw new Error(answer.refusal.message);
  return { hits: answer.hits.length, ...answer.indexed };
}

async function openEngine(path: string) {
  const log = openSqliteLog(path);
  const engine = await createEngine({ log });
  const close = async () => {
    await engine.close();
    await log.close();
  };
  return { engine, close };
}

/** What the index was when the disk became full, and how much of it can then be found. */
const cases = {
  'made, and open': { hits: 1, events: 2 },
  'made, and not open': { hits: 1, events: 2 },
  'not made': { hits: 0, events: 0 },
  'of an earlier version': { hits: 0, events: 0 },
};

for (const [index, expected] of Object.entries(cases)) {
  test.runIf(mayMount())(
    `[L16] while the disk is full, search finds what is indexed, and later everything (index ${index})`,
    async () => {
      const disk = mountSmallDisk();
      const [path, words] = [join(disk, 'heddle.db'), join(disk, 'heddle.search.db')];
      let { engine, close } = await openEngine(path);
      const thread = await createThread(engine, { title: 'Pond', kind: 'conversation' });
      await say(engine, thread, 'a heron');
      await search(engine, 'heron');
      for (let i = 0; i < 20; i++) await say(engine, thread, `${i} ${'heron reeds '.repeat(2000)}`);
      if (index !== 'made, and open') {
        await close();
        if (index === 'not made') for (const end of ['', '-wal', '-shm']) rmSync(words + end, { force: true });
        if (index === 'of an earlier version') {
          const file = new DatabaseSync(words);
          file.exec('UPDATE mark SET version = 0');
          file.close();
        }
        ({ engine, close } = await openEngine(path));
      }
      onTestFinished(() => close());
      const filler = join(disk, 'filler');
      fillDisk(filler);
      await expect(say(engine, thread, 'x'.repeat(900_000))).rejects.toThrow('The disk is full');
      for (const q of ['heron', 'her*', '"a heron"']) {
        expect([q, await search(engine, q)]).toEqual([q, { ...expected, total: 22 }]);
      }
      rmSync(filler);
      await expect.poll(() => search(engine, 'heron')).toEqual({ hits: 21, events: 22, total: 22 });
    },
  );
}
