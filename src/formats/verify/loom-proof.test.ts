import { expect, test } from 'vitest';
import { sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import type { Event, Json } from '../../core/events/event.ts';
import { createEngine } from '../../engine/engine.ts';
import { eventOf } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { MISSING_BLOB } from '../../log/record-kinds.ts';
import { createLoomProof } from './loom-proof.ts';
import { verifyLog } from './verify.ts';

const ana = { id: 'ana', kind: 'human' } as const;
const model = { id: 'base', kind: 'agent' } as const;

test('[L24] a thread that begins without content is not a loom and does not break the proof', () => {
  const created = { type: 'thread.created', thread: 'elsewhere', seq: 1, content: null } as Partial<Event> as Event;
  expect(createLoomProof().follow(created)).toBeUndefined();
});

/** A loom with everything in it that has a proof. */
async function loom() {
  const log = openMemoryLog();
  const engine = await createEngine({ log });
  async function send(name: string, input: object, actor: typeof ana | typeof model = ana): Promise<Event[]> {
    return sendOrThrow(engine, name, input, actor);
  }
  const [made] = await send('create', { title: 'T', kind: 'loom', setup: { text: 'Once ' }, invite: [] });
  const thread = made?.thread as string;
  const pending = { thread, edits: [], text: '' };
  const contentOf = <T>(events: readonly Event[]) => events.at(-1)?.content as T;
  const { append } = contentOf<{ append: { node: string } }>(await send('commit', { ...pending, text: 'upon a ' }));
  const { generation } = contentOf<{ generation: string }>(await send('generate', { ...pending, n: 2 }));
  const choices = [
    { content: 'time, there', finish: 'length' },
    { content: 'hill', finish: 'stop' },
  ];
  const raw = 'f'.repeat(64);
  await log.putRecords([{ kind: MISSING_BLOB, key: raw, value: 'a test' }]);
  await send('report_generation', { thread, generation, choices, model: 'base', raw }, model);
  await send('commit', { ...pending, edits: [{ node: append.node, text: 'upon the ' }] });
  const after = contentOf<{ append: { node: string } }>(await send('commit', { ...pending, text: ' was' }));
  await send('merge', { thread, node: after.append.node });
  const { merged } = contentOf<{ merged: { node: string } }>((await log.readThread(thread, 0, 100)).map(eventOf));
  await send('split', { thread, node: merged.node, at: 4 });
  const rows = await log.readThread(thread, 0, 100);
  const verified = await verifyLog(log, thread);
  await engine.close();
  return { thread, events: rows.map(eventOf), verified };
}

function firstBroken(events: readonly Event[]) {
  const proof = createLoomProof();
  return events.map(proof.follow).find((broken) => broken !== undefined);
}

test('[W7] every node of a loom is proved offline by its own hashes', async () => {
  const { events, verified } = await loom();
  expect(verified.broken).toBeUndefined();
  expect(firstBroken(events)).toBeUndefined();
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['loom.divided', 'loom.merged', 'generation.finished']),
  );
});

test('[W7] one changed byte of a text, context, author, time or response is found and the node named', async () => {
  const { events } = await loom();
  const changes: [string, (event: Event) => Event][] = [
    ['loom.committed', (event) => changeEvent(event, 'Once ', 'Onca ')],
    ['loom.committed', (event) => changeEvent(event, 'upon the ', 'upon thy ')],
    ['loom.committed', (event) => ({ ...event, from: 'bob' })],
    ['loom.committed', (event) => ({ ...event, ts: '2020-01-01T00:00:00.000Z' })],
    ['generation.finished', (event) => changeEvent(event, 'time, there', 'time; there')],
    ['generation.finished', (event) => changeEvent(event, 'hill', 'hell')],
    ['generation.finished', (event) => changeEvent(event, 'f'.repeat(64), `${'f'.repeat(63)}0`)],
    ['loom.divided', (event) => changeEvent(event, '"at":4', '"at":5')],
  ];
  for (const [type, change] of changes) {
    let done = false;
    const tampered = events.map((event) => {
      const other = done || event.type !== type ? event : change(event);
      done ||= JSON.stringify(other) !== JSON.stringify(event);
      return other;
    });
    expect(done, type).toBe(true);
    expect(firstBroken(tampered)?.why, type).toMatch(/node [0-9A-Z]{26}/);
  }
});

/** Within the content alone, as someone would who then makes the chain anew. */
function changeEvent(event: Event, from: string, to: string): Event {
  return { ...event, content: JSON.parse(JSON.stringify(event.content).replace(from, to)) as Json };
}
