import { HeddleUnreachable } from '../../src/client/index.ts';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import { type EventLog, eventOf } from '../../src/log/event-log.ts';
import { must } from './fault.ts';
import type { Server } from './server.ts';

/** Someone who posts one message after the other and notes which were acknowledged. */
export interface Writer {
  readonly name: string;
  readonly token: string;
  readonly thread: string;
  /** The hashes of its messages, in the order it sent them. */
  readonly acknowledged: string[];
  /** How often no answer came. */
  unanswered: number;
}

/** Agents with tokens of their own, two to a thread. */
export async function makeWriters(server: Server, count: number): Promise<readonly Writer[]> {
  const client = server.client();
  const writers: Writer[] = [];
  let thread = '';
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) thread = (await client.threads.create({ title: `Crowd ${i}` })).thread.id;
    const name = `writer-${i}`;
    const { token } = await client.credentials.issue({ participant: name });
    writers.push({ name, token, thread, acknowledged: [], unanswered: 0 });
  }
  return writers;
}

/** Posts at whichever server there is; what got no answer is sent again, under the same key, to the next one. */
export async function keepWriting(writer: Writer, where: () => Promise<Server>, goOn: () => boolean): Promise<void> {
  while (goOn()) {
    const number = writer.acknowledged.length;
    writer.acknowledged.push(await untilAcknowledged(writer, number, where));
  }
}

async function untilAcknowledged(writer: Writer, number: number, where: () => Promise<Server>): Promise<string> {
  for (;;) {
    const server = await where();
    try {
      const thread = server.client(writer.token).thread(writer.thread);
      const { event } = await thread.post({ type: 'message', content: `message ${number}` }, { id: `key-${number}` });
      return event.hash;
    } catch (error) {
      if (!(error instanceof HeddleUnreachable)) throw error;
      must(server.killed, `${writer.name} lost its connection to a server that runs: ${error.message}`);
      writer.unanswered++;
    }
  }
}

/** Every acknowledged message is there, each once and in its sender's order; `inFlight` more may be, unacknowledged. */
export async function checkWritten(log: EventLog, writers: readonly Writer[], inFlight: 0 | 1): Promise<number> {
  const { broken, events } = await verifyLog(log, undefined);
  must(!broken, `the chain is broken: ${JSON.stringify(broken)}`);
  const found = new Map(writers.map((writer) => [writer.name, 0]));
  const byName = new Map(writers.map((writer) => [writer.name, writer]));
  const seqs = new Map<string, number>();
  for (let position = 0; position < events; ) {
    for (const row of await log.readAll(position, 1000)) {
      must(row.position === ++position, `position ${row.position} stands where ${position} belongs`);
      const seq = (seqs.get(row.thread) ?? 0) + 1;
      must(row.seq === seq, `seq ${row.seq} of ${row.thread} stands where ${seq} belongs`);
      seqs.set(row.thread, seq);
      const { from, content } = eventOf(row);
      const writer = byName.get(from);
      if (!writer) continue;
      const number = found.get(from) as number;
      must(content === `message ${number}`, `${from} has "${content}" where "message ${number}" belongs`);
      const known = writer.acknowledged[number];
      must(known === undefined || known === row.hash, `message ${number} of ${from} is not what was acknowledged`);
      found.set(from, number + 1);
    }
  }
  for (const { name, acknowledged } of writers) {
    const stored = found.get(name) as number;
    must(stored >= acknowledged.length, `${name} lost ${acknowledged.length - stored} acknowledged messages`);
    must(stored <= acknowledged.length + inFlight, `${name} has ${stored - acknowledged.length} messages too many`);
  }
  return events;
}
