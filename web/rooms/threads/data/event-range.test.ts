import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ThreadClient, WireEvent } from '../../../../src/client/index.ts';
import { cursorOf, parseCursor } from '../../../../src/protocol/cursor.ts';
import { createEventRange } from './event-range.ts';

/** A thread in memory, read as the server lets one read it. */
function createLog() {
  const events: WireEvent[] = [];
  const head = () => cursorOf('thread', events.length);
  const place = (cursor: string) => (cursor === 'head' ? events.length : Number(parseCursor('thread', cursor)));
  const remote = {
    async events({ after, before, limit = 100 }: { after?: string; before?: string; limit?: number } = {}) {
      const [start, end] = before
        ? [Math.max(0, place(before) - limit), place(before)]
        : [after ? place(after) : 0, undefined];
      const answer = { events: events.slice(start, end ?? start + limit), cursor: '', head: head() };
      for (let tick = 0; tick < 12; tick++) await undefined; // What happens now is not in the answer.
      return answer;
    },
    event: async (id: string) => ({ event: events[Number(id) - 1] as WireEvent, head: head() }),
  } as unknown as ThreadClient;
  return { remote, events, append: () => events.push(eventAt(events.length + 1)) };
}

function eventAt(seq: number): WireEvent {
  return {
    id: String(seq),
    seq,
    type: 'message',
    from: 'a',
    to: 'all',
    content: '',
    meta: {},
    thread: 't',
    ts: '',
    v: 1,
    hash: '',
  };
}

const steps = [
  'append',
  'append',
  'append',
  'many',
  'hear',
  'hear',
  'older',
  'newer',
  'newest',
  'oldest',
  'event',
  'bottom',
  'up',
  'settle',
  'climb',
] as const;

test('[I11] whatever is read and heard in whatever order, a stretch has no gap and no double, and finds the end again', async () => {
  const run = fc.asyncProperty(
    fc.integer({ min: 0, max: 900 }),
    fc.array(fc.constantFrom(...steps), { minLength: 20, maxLength: 60, size: 'max' }),
    async (count, path) => {
      const log = createLog();
      for (let index = 0; index < count; index++) log.append();
      const { range: stretch, add, setAtBottom, ...reading } = createEventRange(log.remote, () => {});
      let heard = log.events.length;
      const hear = () => {
        add(log.events.slice(heard));
        heard = log.events.length;
      };
      await reading.showNewest();
      const pending: Promise<void>[] = [];
      const act: Record<(typeof steps)[number], () => unknown> = {
        append: log.append,
        many: () => Array.from({ length: 150 }, log.append),
        hear,
        older: () => pending.push(reading.showOlder()),
        newer: () => pending.push(reading.showNewer()),
        newest: () => pending.push(reading.showNewest()),
        oldest: () => pending.push(reading.showOldest()),
        event: () => log.events.length > 0 && pending.push(reading.showEvent(String(1 + (count % log.events.length)))),
        bottom: () => setAtBottom(true),
        up: () => setAtBottom(false),
        settle: () => Promise.all(pending),
        climb: async () => {
          for (let page = 0; page < 4; page++) await reading.showOlder();
        },
      };
      for (const step of path) {
        await act[step]();
        const seqs = stretch.get().events.map(({ seq }) => seq);
        expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
        expect(seqs.length).toBeLessThanOrEqual(650);
      }
      await Promise.all(pending);
      hear();
      if (!stretch.get().atEnd) await reading.showNewest();
      expect(stretch.get()).toMatchObject({ atEnd: true });
      expect(stretch.get().events.at(-1)?.seq ?? 0).toBe(log.events.length);
    },
  );
  await fc.assert(run, { numRuns: 300 });
});

test('[I11] what arrives while older events are read does not tear the stretch', async () => {
  const log = createLog();
  for (let index = 0; index < 900; index++) log.append();
  const { range: stretch, add, ...reading } = createEventRange(log.remote, () => {});
  await reading.showNewest();
  for (let page = 0; page < 4; page++) await reading.showOlder();
  expect(stretch.get()).toMatchObject({ atEnd: true });
  const older = reading.showOlder();
  log.append();
  add(log.events.slice(-1));
  await older;
  const seqs = stretch.get().events.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
});
