import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationCommand } from '../../src/core/threads/commands.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { AcceptedCommand } from '../../src/engine/handle.ts';
import { eventOf } from '../../src/log/event-log.ts';
import { GENESIS, linkHash } from '../../src/log/seal.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { human } from '../support/domain/given.ts';
import { start } from './child.ts';
import { type Fault, must } from './fault.ts';

const PROCESSES = 4;

/** Several processes append to one thread of one SQLite file at once. */
export const processes: Fault = {
  name: 'processes',
  rules: '[L6] [L9]',
  slice: 250,
  full: 5000,
  async run(amount, say) {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-processes-'));
    try {
      const path = join(directory, 'heddle.db');
      const log = openSqliteLog(path);
      const engine = await createEngine({ log });
      const create: ConversationCommand = {
        name: 'create',
        input: { title: 'Crowd', kind: 'conversation', invite: [] },
      };
      const thread = ((await engine.handle(human, create)) as AcceptedCommand).events[0]?.thread as string;

      const names = Array.from({ length: PROCESSES }, (_, i) => `writer-${i}`);
      const writers = names.map((name) =>
        start('test/faults/writer.ts', [path, thread, String(amount), name, '8'], { NODE_NO_WARNINGS: '1' }),
      );
      for (const [i, writer] of writers.entries()) {
        const { refused } = (await writer.next()) as { refused: string[] };
        must(refused.length === 0, `writer ${i} was refused ${refused.length} times: ${[...new Set(refused)]}`);
        must((await writer.ended) === 0, `writer ${i} did not end well`);
        say(`writer ${i} is done`);
      }

      let previous = GENESIS;
      let seq = 0;
      const texts = new Set<string>();
      for (;;) {
        const rows = await log.readThread(thread, seq, 1000);
        for (const row of rows) {
          must(row.seq === ++seq, `seq ${row.seq} stands where ${seq} belongs`);
          must(row.hash === linkHash(previous, row.body), `the chain is broken at ${seq}`);
          previous = row.hash;
          if (seq > 1) texts.add(String(eventOf(row).content));
        }
        if (rows.length < 1000) break;
      }
      must(texts.size === PROCESSES * amount, `${texts.size} different messages instead of ${PROCESSES * amount}`);
      must(seq === texts.size + 1, `${seq - 1} messages instead of ${texts.size}: some are doubled`);
      await engine.close();
      await log.close();
      return `${PROCESSES} processes × ${amount} appends: gapless, none lost, none doubled, chain whole`;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};
