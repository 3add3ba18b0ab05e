import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportLog } from '../src/formats/export/export-log.ts';
import { readExport } from '../src/formats/export/jsonl.ts';
import { createBlobs, openBlob } from '../src/log/blobs.ts';
import type { StoredEvent } from '../src/log/event-log.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { adopt, proveBackup } from '../src/workspace/transfer.ts';
import { type Forged, sealedChain } from '../test/support/stores/exports.ts';
import { type Figure, ratios, spent } from './measure.ts';
import { TEXT, threadIn, withDirectory, withEngine } from './scratch.ts';

const EVENTS = 3_000;
const BLOB_EVERY = 3;
const ROUNDS = 11;

/** An export brought in, and a backup restored, against reading and parsing the same file. */
export async function transfer(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const file = join(directory, 'export.jsonl');
    await withEngine(join(directory, 'source.db'), async (engine) => {
      const { log } = engine;
      const thread = await threadIn(engine);
      const first = (await log.lastOf(thread)) as StoredEvent;
      await log.append([{ expected: [{ thread, seq: 1 }], events: sealedChain(await calls()) }]);
      let text = '';
      for await (const part of exportLog(log, { created: first.id })) text += part;
      writeFileSync(file, text);

      /** Messages, every third with a recorded call of a model. */
      async function calls(): Promise<readonly Forged[]> {
        const blobs = createBlobs(log, (each) => each);
        const forged: Forged[] = [];
        for (let i = 0; i < EVENTS; i++) {
          const hashes = i % BLOB_EVERY === 0 ? [await blobs.put(callText(i))] : [];
          const meta = { by: 'agent' as const, ...(hashes.length > 0 && { blobs: hashes }) };
          forged.push({ thread, after: first, id: `bench${i}`, from: 'alpha', content: TEXT, meta });
        }
        return forged;
      }
    });
    let made = 0;
    const into = async (work: (log: ReturnType<typeof openSqliteLog>) => Promise<unknown>) => {
      const log = openSqliteLog(join(directory, `${++made}.db`));
      try {
        return (await spent(() => work(log))).cpuSeconds;
      } finally {
        await log.close();
      }
    };
    const floor = async () => (await spent(() => readWhole(file))).cpuSeconds;
    const imported = await ratios(ROUNDS, () => into((log) => adopt(log, file)), floor);
    const restored = await ratios(
      ROUNDS,
      () =>
        into(async (log) => {
          const proof = await proveBackup(file, { strict: false });
          await adopt(log, file, { mine: true, strict: false, proof });
        }),
      floor,
    );
    return [['import', imported] as const, ['restore', restored] as const].map(([name, run]) => ({
      name: `${name} of 3,000 events with 1,000 blobs ÷ reading and parsing the same file`,
      goal: { atMost: 3 },
      values: run.ratios,
      note: `${Math.round(run.ours * 1000)} ms ÷ ${Math.round(run.floor * 1000)} ms of CPU; the floor checks the sum, parses each line and unpacks each blob`,
    }));
  });
}

/** As long as the record of a usual call. */
function callText(call: number): string {
  const words = Array.from({ length: 1500 }, (_, i) => `word${(i * 7919 + call * 31) % 997}`);
  return JSON.stringify({ call, prompt: words.join(' '), answer: TEXT });
}

/** The least that has to be done to know what a file holds. */
async function readWhole(file: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const item of readExport(file)) {
    if (item.kind !== 'end') sum.update(item.raw).update('\n');
    if (item.kind === 'blob') await openBlob(item.blob);
  }
  return sum.digest('hex');
}
