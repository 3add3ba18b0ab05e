import { type Fault, must } from './fault.ts';
import { openRawStream, type RawStream, type Seen } from './raw-stream.ts';
import { type Server, withWorkspace } from './server.ts';

const READERS = 8;
const MESSAGES = 400;
const USUAL = 'A message of a usual length, neither short nor long, as people and agents write them.';
const LARGE = 'x'.repeat(16 * 1024);
/** So many large messages may wait for a reader before it is dropped; half of them leave room for the usual ones. */
const MAY_WAIT = 16;
const MEMORY = 50 * 1024 * 1024;
const SLOWER = 1.5;
const FULL = 100;

interface Stalled extends Seen {
  readonly path: string;
  readonly stream: RawStream;
}

/** Readers that stop reading, some live and some while they catch up, cost the others nothing. */
export const stalled: Fault = {
  name: 'stalled',
  rules: '[L11]',
  slice: 40,
  full: FULL,
  run: (amount, say) =>
    withWorkspace(async (workspace) => {
      const server = await workspace.serve();
      const { thread } = await server.client().threads.create({ title: 'Crowd' });
      await using crowd = await openCrowd(server, thread.id);
      const room = await roomFor(server, thread.id, crowd);
      say(`a reader that stalls is dropped after ${room} large messages, and learns why`);
      const largeBefore = await crowd.post(room - MAY_WAIT / 2, LARGE);
      const before = await crowd.post(MESSAGES, USUAL);
      say(`without stalled clients: ${told(before)}; large messages: ${told(largeBefore)}`);

      const lazy = await stall(server, thread.id, crowd.seq(), amount);
      await until(server, 'heddle_streams_open', READERS + amount);
      // Until their buffers are full the server cannot know: they cost what readers cost.
      const filling = await crowd.post(room - MAY_WAIT / 2, LARGE);
      const during = await crowd.post(MESSAGES, USUAL);
      say(`with ${amount} stalled clients: ${told(during)}; large messages, while they fill up: ${told(filling)}`);
      const live = amount / 2;
      let rss = Math.max(filling.rss, during.rss);
      for (let more = 0; more < room && (await dropped(server)) < live + 1; more++) {
        rss = Math.max(rss, (await crowd.post(1, LARGE)).rss);
      }
      must((await dropped(server)) === live + 1, `not all of ${live} stalled readers of live events were dropped`);

      await wakeUp(server, lazy, crowd.seq());
      const after = await crowd.post(MESSAGES, USUAL);
      say(`without them again, after all have read everything: ${told(after)}`);

      const growth = rss - before.rss;
      // Other work on the machine shows in any of the three; what stalled clients cost shows in one only.
      const usual = Math.max(before.p99, after.p99);
      const slower = during.p99 / usual;
      if (amount >= FULL) {
        // Memory and time depend on the machine's mood, so only the whole rig, run alone, holds them to a figure.
        must(growth <= MEMORY, `the server grew by ${mb(growth)} for ${amount} stalled clients`);
        must(slower <= SLOWER, `the others' p99 was ${slower.toFixed(2)} times what it was`);
      }
      return `${amount} stalled clients: the server grew by ${mb(growth)} (by ${mb(after.rss - before.rss)} once they all read again); p99 of ${READERS} others ${usual.toFixed(1)} ms without and ${during.p99.toFixed(1)} ms with them (${slower.toFixed(2)} times; while they filled up ${(filling.p99 / largeBefore.p99).toFixed(2)} times); those who read nothing of what is new were dropped, and all went on without a gap`;
    }),
};

type Crowd = Awaited<ReturnType<typeof openCrowd>>;

/** How many large messages until a reader is dropped: most of them wait in the system's own buffers. */
async function roomFor(server: Server, thread: string, crowd: Crowd): Promise<number> {
  const seen: Seen = { seq: crowd.seq(), cursor: '' };
  const stream = await openRawStream(server, `/api/threads/${thread}/stream?after=head`);
  await until(server, 'heddle_streams_open', READERS + 1);
  let room = 0;
  for (; (await dropped(server)) === 0; room++) await crowd.post(1, LARGE);
  // It reads at once, before the server loses patience, so the last word must reach it.
  await stream.read(seen, Number.POSITIVE_INFINITY);
  must(seen.dropped === 'slow_reader', `a reader was dropped and told ${seen.dropped ?? 'nothing'}`);
  return room;
}

interface Measured {
  readonly p50: number;
  readonly p99: number;
  /** The most the server took meanwhile. */
  readonly rss: number;
}

/** Readers who do read, and someone who posts as soon as all of them have the last message. */
async function openCrowd(server: Server, thread: string) {
  const client = server.client();
  const over = new AbortController();
  let times: number[] = [];
  let sent = 0;
  let seq = 1;
  let missing = 0;
  let received = () => {};
  let failed = (_: unknown) => {};

  async function follow(open: () => void) {
    let last = seq;
    const options = { after: 'head', signal: over.signal, onState: (state: string) => state === 'open' && open() };
    for await (const { event } of client.stream(options)) {
      if (!event) continue;
      must(event.seq === ++last, `event ${event.seq} came where ${last} belongs`);
      times.push(performance.now() - sent);
      if (--missing === 0) received();
    }
  }

  async function post(count: number, content: string): Promise<Measured> {
    times = [];
    let rss = 0;
    for (let i = 0; i < count; i++) {
      missing = READERS;
      const all = new Promise<void>((resolve, reject) => {
        received = resolve;
        failed = reject;
      });
      sent = performance.now();
      await client.thread(thread).post({ type: 'message', content });
      await all;
      seq++;
      if (i % 20 === 0) rss = Math.max(rss, await metric(server, 'process_resident_memory_bytes'));
    }
    const sorted = times.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] as number;
    return { p50: at(0.5), p99: at(0.99), rss };
  }

  const readers: Promise<unknown>[] = [];
  for (let i = 0; i < READERS; i++) {
    await new Promise<void>((open) => {
      readers.push(follow(open).catch((error) => failed(error)));
    });
  }
  return {
    post,
    seq: () => seq,
    async [Symbol.asyncDispose]() {
      over.abort();
      await Promise.all(readers);
    },
  };
}

/** Half of them live, half at the beginning of a long history; half on the thread, half on the workspace. */
async function stall(server: Server, thread: string, head: number, amount: number): Promise<Stalled[]> {
  const all: Stalled[] = [];
  for (let i = 0; i < amount; i++) {
    const path = i % 4 < 2 ? '/api/stream' : `/api/threads/${thread}/stream`;
    const live = i % 2 === 0;
    const stream = await openRawStream(server, live ? `${path}?after=head` : path);
    all.push({ path, stream, seq: live ? head : 0, cursor: '' });
  }
  return all;
}

/** Whoever was dropped connects again, behind the last event it read. */
async function wakeUp(server: Server, lazy: readonly Stalled[], upTo: number) {
  await Promise.all(lazy.map((each) => each.stream.read(each, upTo)));
  for (const each of lazy) {
    must(each.dropped === undefined || each.dropped === 'slow_reader', `a stream ended with ${each.dropped}`);
    if (each.seq === upTo) continue;
    const again = await openRawStream(server, `${each.path}?after=${each.cursor}`);
    await again.read(each, upTo);
    must(each.seq === upTo, `a reader that came back saw events up to ${each.seq} of ${upTo}`);
  }
}

async function until(server: Server, name: string, value: number) {
  while ((await metric(server, name)) !== value);
}

function dropped(server: Server): Promise<number> {
  return metric(server, 'heddle_slow_readers_dropped_total');
}

async function metric({ url, token }: Server, name: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(await answer.text())?.[1]);
}

function told({ p50, p99, rss }: Measured): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, memory ${mb(rss)}`;
}

function mb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
