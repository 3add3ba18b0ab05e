import { onTestFinished } from 'vitest';
import type { AppendEntry, AppendOutcome, EventLog, LinkedEvent, StoredEvent } from '../event-log.ts';
import { GENESIS, seal, sha256 } from '../seal.ts';

/** The place a log is stored: each `open` returns another handle on the same log. */
export interface TestStore {
  open(): Promise<EventLog>;
}

/** Handles opened through here are closed when the test ends. */
export function createOpener(
  createStore: () => Promise<TestStore>,
): () => Promise<{ log: EventLog; another(): Promise<EventLog> }> {
  return async () => {
    const { open } = await createStore();
    const openAnother = async () => {
      const log = await open();
      onTestFinished(() => log.close().catch(() => {}));
      return log;
    };
    return { log: await openAnother(), another: openAnother };
  };
}

let eventCount = 0;

/** `count` linked events of a thread, the first with the seq after `after`. */
export function chain(
  thread: string,
  count: number,
  { after = 0, previous = GENESIS, content = 'text' }: { after?: number; previous?: string; content?: string } = {},
): LinkedEvent[] {
  const events: LinkedEvent[] = [];
  for (let seq = after + 1; seq <= after + count; seq++) {
    const event = seal(events.at(-1)?.hash ?? previous, {
      id: `e${String(++eventCount).padStart(25, '0')}`,
      ts: '2026-01-01T00:00:00.000Z',
      thread,
      seq,
      type: 'message',
      from: 'ann',
      to: 'all',
      content,
      meta: {},
      v: 1,
    });
    events.push(event);
  }
  return events;
}

/** An append of `count` events to one thread whose head must be at `after`. */
export function entry(thread: string, after = 0, count = 1, more: Partial<AppendEntry> = {}): AppendEntry {
  return { expected: [{ thread, seq: after }], events: numberedEvents(thread, count, { after }), ...more };
}

/** Like `chain`, but each hash depends on thread and seq alone, so the next event links to whatever is stored there. */
export function numberedEvents(
  thread: string,
  count: number,
  { after = 0, previous = numberedHash(thread, after) }: { after?: number; previous?: string } = {},
): LinkedEvent[] {
  return chain(thread, count, { after }).map((event, i) => ({
    ...event,
    hash: numberedHash(thread, event.seq),
    previous: i === 0 ? previous : numberedHash(thread, event.seq - 1),
  }));
}

function numberedHash(thread: string, seq: number): string {
  return seq === 0 ? GENESIS : sha256(`${thread} ${seq}`);
}

export function commandFor(id: string, participant = 'ann', digest = `digest of ${id}`) {
  return { participant, id, digest };
}

export function statuses(outcomes: readonly AppendOutcome[]): string[] {
  return outcomes.map((outcome) => outcome.status);
}

export function seqs(events: readonly StoredEvent[]): string[] {
  return events.map(({ thread, seq }) => `${thread}${seq}`);
}

export function positions(events: readonly StoredEvent[]): number[] {
  return events.map((event) => event.position);
}

/** The given events in the form in which the log must return them. */
export function storedEvents(events: readonly LinkedEvent[], from: number): StoredEvent[] {
  return events.map(({ previous: _, ...event }, i) => ({ ...event, position: from + i }));
}

export const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Text that stores are known to alter. */
export const awkwardText: Readonly<Record<string, string>> = {
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 \u{10FFFF}',
  'line separators': 'a\u2028b\u2029c\r\nd\u0085e\r',
  'right to left': 'שלום \u202eabc\u202c مرحبا',
  combining: 'e\u0301 is not \u00e9, \ufb01 is not fi, \u212b is not \u00c5',
  quotes: `it's "quoted" \`so\` $1 $$ \${x} ''`,
  backslashes: 'C:\\new\\table \\u0041 \\\\ \\',
  'control characters': 'a\u0001b\u001bc\u007fd\tend',
  'white space': '  \u00a0 \ufeff lead and trail \u3000 ',
  'words of SQL and JSON': 'null NULL {} [] {"a":1} {NULL,"x"} \\N %s ?1 :a @b',
  empty: '',
};
