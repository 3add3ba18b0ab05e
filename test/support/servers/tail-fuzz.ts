import type { ConversationCommand } from '../../../src/core/threads/commands.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import type { AcceptedCommand } from '../../../src/engine/handle.ts';
import type { EventLog, StoredEvent } from '../../../src/log/event-log.ts';
import { human } from '../domain/given.ts';
import { seeded } from '../random.ts';

interface Client {
  readonly thread: string | undefined;
  readonly seen: StoredEvent[];
  close: (() => void) | undefined;
}

const CLIENTS = 8;

/**
 * Clients come, go and come back by cursor while events are appended, by this
 * engine and by another on the same log; each must see the same gapless sequence.
 */
export async function fuzzTail(seed: number, operations: number, log: EventLog, other?: EventLog) {
  const random = seeded(seed);
  const engine = await createEngine({ log });
  const second = other && (await createEngine({ log: other }));
  const create: ConversationCommand = { name: 'create', input: { title: 'T', kind: 'conversation', invite: [] } };
  const threads: string[] = [];
  for (let i = 0; i < 2; i++)
    threads.push(((await engine.handle(human, create)) as AcceptedCommand<unknown>).events[0]?.thread as string);
  const clients: Client[] = Array.from({ length: CLIENTS }, (_, i) => ({
    thread: [undefined, ...threads][i % 3],
    seen: [],
    close: undefined,
  }));
  const writes: Promise<unknown>[] = [];

  function connect(client: Client) {
    const last = client.seen.at(-1);
    client.close = engine.tail.subscribe({
      ...(client.thread && { thread: client.thread }),
      after: last ? (client.thread ? last.seq : last.position) : 0,
      onEvents: (rows) => client.seen.push(...rows),
      onLive: () => {},
      ready: () => (random.below(2) ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve))),
      onError: (error) => {
        throw error;
      },
    });
  }

  for (let i = 0; i < operations; i++) {
    const client = random.pick(clients);
    const roll = random.below(10);
    if (roll < 5) {
      const writer = second && random.below(2) ? second : engine;
      const input = { thread: random.pick(threads), type: 'message' as const, content: `m${i}` };
      writes.push(writer.handle(human, { name: 'post', input }));
    } else if (roll < 7 && client.close) {
      client.close();
      client.close = undefined;
    } else if (!client.close) connect(client);
    if (random.below(3) === 0) await new Promise((resolve) => setImmediate(resolve));
    if (second && random.below(4) === 0) void engine.tail.pull();
  }
  await Promise.all(writes);
  await engine.tail.pull();
  for (const client of clients) if (!client.close) connect(client);

  const all = await log.readAll(0, 10_000);
  for (const client of clients) {
    const expected = all.filter((row) => !client.thread || row.thread === client.thread).map((row) => row.position);
    while (client.seen.length < expected.length) await new Promise((resolve) => setImmediate(resolve));
    const seen = client.seen.map((row) => row.position);
    if (seen.join() !== expected.join())
      throw new Error(
        `seed ${seed}: a client of ${client.thread ?? 'the workspace'} saw ${seen} instead of ${expected}`,
      );
    client.close?.();
  }
  await engine.close();
  await second?.close();
}
