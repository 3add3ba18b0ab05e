import { canonicalJson } from '../src/core/events/canonical.ts';
import { seededRandom } from '../src/core/util/random.ts';
import type { AppendEntry, EventLog } from '../src/log/event-log.ts';
import { THREAD_INDEX } from '../src/log/record-kinds.ts';
import { GENESIS, seal } from '../src/log/seal.ts';

export const COMMON = 'the';
export const RARE = 'heddlewort';
export const PHRASE = 'the quiet loom';
const VOCABULARY = 50_000;
const AUTHORS = 40;
const BEGINNING = Date.UTC(2026, 0, 1);
const APART_MS = 30_000;

/**
 * Threads of messages straight into a store, as so many people and agents would
 * have written them: few words often, most words seldom, "the" in every one.
 */
export async function fillWorkspace(log: EventLog, threads: number, perThread: number): Promise<void> {
  const chance = seededRandom(8);
  const random = () => chance.below(2 ** 32) / 2 ** 32;
  const words = Array.from({ length: VOCABULARY }, (_, i) => spelled(i));
  const total = threads * perThread;
  const heads = Array.from({ length: threads }, () => ({ hash: GENESIS, seq: 0 }));
  for (let round = 0, made = 0; round < perThread; round++) {
    const batch: AppendEntry[] = [];
    for (const [t, head] of heads.entries()) {
      const thread = `t${String(t).padStart(6, '0')}`;
      const ts = new Date(BEGINNING + made++ * APART_MS).toISOString();
      const content = round === 0 ? { title: `Talk ${t}`, kind: 'conversation' } : sentence(random, words, made, total);
      const type = round === 0 ? 'thread.created' : 'message';
      const from = `p${Math.floor(random() * AUTHORS)}`;
      const id = `e${String(made).padStart(12, '0')}`;
      const event = seal(head.hash, {
        id,
        ts,
        thread,
        seq: round + 1,
        type,
        from,
        to: 'all',
        content,
        meta: {},
        v: 1,
      });
      const row = {
        id: thread,
        title: `Talk ${t}`,
        kind: 'conversation',
        creator: from,
        created: ts,
        done: false,
        paused: false,
      };
      batch.push({
        expected: [{ thread, seq: head.seq }],
        events: [event],
        ...(round === 0 && { records: [{ kind: THREAD_INDEX, key: thread, value: canonicalJson(row) }] }),
      });
      head.hash = event.hash;
      head.seq = event.seq;
    }
    await log.append(batch);
  }
}

function sentence(random: () => number, words: readonly string[], nth: number, total: number): string {
  const said = [COMMON];
  const length = 8 + Math.floor(random() * 30);
  for (let i = 0; i < length; i++) {
    // The cube of chance: the first words of the vocabulary stand for those everybody uses.
    said.push(words[Math.floor(random() ** 3 * words.length)] as string);
    if (random() < 0.05) said.push(COMMON);
  }
  if (nth % Math.floor(total / 10) === 7) said.push(RARE);
  if (nth % 1000 === 3) said.push(PHRASE);
  return `${said.join(' ')}.`;
}

const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tu', 'sa', 'vel', 'no', 'pi', 'gar', 'den', 'wo', 'zu', 'fe', 'bri', 'ho'];

function spelled(n: number): string {
  let word = '';
  for (let left = n + 16; left > 0; left = Math.floor(left / 16)) word += SYLLABLES[left % 16];
  return word;
}
