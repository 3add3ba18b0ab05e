import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as later } from 'node:timers/promises';
import { createClient } from '../src/client/index.ts';
import type { Event } from '../src/core/events/event.ts';
import { readEvent } from '../src/core/events/read.ts';
import type { ThreadEvent } from '../src/core/threads/events.ts';
import { evolveThread } from '../src/core/threads/evolve.ts';
import { decideDeliveries } from '../src/core/threads/policy/policy.ts';
import { initialThread, type ThreadState } from '../src/core/threads/state.ts';
import { createModels } from '../src/engine/calls/models.ts';
import { createEngine, type Engine } from '../src/engine/engine.ts';
import { createPerformers } from '../src/engine/performers.ts';
import { createSecrets } from '../src/engine/secrets.ts';
import { eventOf } from '../src/log/event-log.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { openEmbedder } from '../src/models/builtin/embedder/embedder.ts';
import { createRegistry } from '../src/models/registry/registry.ts';
import { type Server, startServer } from './child.ts';
import { type Figure, median } from './measure.ts';
import { append, human, say, TEXT, withDirectory } from './scratch.ts';

const AT = '2026-01-01T00:00:00.000Z';
const PARTICIPANTS = 50;
const CLIENTS = 50;
const IDLE_SECONDS = 3;
/** By then whoever waits has arrived. */
const SETTLED_MS = 40;
const POSTS = 15;

/** Agents in threads: deciding whom to wake, starting them, waking those who wait. */
export async function agents(): Promise<Figure[]> {
  return [...policy(), await starting(), ...(await waiting())];
}

function policy(): Figure[] {
  const short = threadAfter(1_000);
  const long = threadAfter(100_000);
  const took = Array.from({ length: 9 }, () => ({ short: micros(short), long: micros(long) }));
  return [
    {
      name: `policy decision in µs at 100,000 events and ${PARTICIPANTS} participants`,
      goal: { atMost: 50 },
      values: took.map((each) => each.long),
      note: 'a human who addresses everybody, a mention, an agent who addresses another, by turns',
    },
    {
      name: 'the same ÷ at 1,000 events',
      goal: { atMost: 1.3 },
      values: took.map((each) => each.long / each.short),
      note: `${median(took.map((each) => each.long)).toFixed(1)} µs ÷ ${median(took.map((each) => each.short)).toFixed(1)} µs`,
    },
  ];
}

function threadAfter(events: number): ThreadState {
  let seq = 0;
  const step = (state: ThreadState, type: string, from: string, content: unknown, by: string) =>
    evolveThread(state, madeUp(++seq, type, from, content, by));
  let state = step(initialThread('t'), 'thread.created', 'human', { title: 'Bench', kind: 'conversation' }, 'human');
  for (let i = 0; i < PARTICIPANTS; i++) {
    const profile = { kind: 'agent', nickname: `Number ${i}` };
    state = step(state, 'control', 'human', { invite: { participant_id: `a${i}`, profile } }, 'human');
  }
  state = step(state, 'control', 'human', { discussion: { on: true } }, 'human');
  while (seq < events) {
    const byHuman = seq % 5 === 0;
    state = step(state, 'message', byHuman ? 'human' : `a${seq % PARTICIPANTS}`, TEXT, byHuman ? 'human' : 'agent');
  }
  return state;
}

function micros(state: ThreadState): number {
  const events = [
    madeUp(1e6, 'message', 'human', `@all ${TEXT}`, 'human'),
    madeUp(1e6 + 1, 'message', 'human', `${TEXT} @a7`, 'human'),
    { ...madeUp(1e6 + 2, 'message', 'a3', TEXT, 'agent'), to: 'a9' },
  ] as const;
  const read = events.map((event) => readEvent<ThreadEvent>(event));
  const times = 3_000;
  for (let i = 0; i < times; i++) decideDeliveries(state, read[i % 3] as ThreadEvent, AT);
  // Of the processor: what others do on the machine is no part of it.
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) decideDeliveries(state, read[i % 3] as ThreadEvent, AT);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

function madeUp(seq: number, type: string, from: string, content: unknown, by: string): Event {
  return {
    id: `e${seq}`,
    seq,
    thread: 't',
    type,
    v: 1,
    ts: AT,
    from,
    to: 'all',
    content,
    meta: { by },
  } as unknown as Event;
}

/** The program says itself when it was started. */
const SAYS_WHEN = [process.execPath, '-p', 'performance.timeOrigin'];

/** From a message that is posted to the agent's process, over what starting a process takes anyway. */
function starting(): Promise<Figure> {
  return withDirectory(async (directory) => {
    const log = openSqliteLog(join(directory, 'ours.db'));
    const clients = { probe: { adapter: 'command', command: SAYS_WHEN } } as const;
    const registry = createRegistry({
      settings: () => ({ models: {}, clients, defaults: {}, budgets: {} }),
      directory,
    });
    const secrets = createSecrets(registry.keys);
    const models = createModels({ log, registry, secrets });
    const place = join(directory, 'agents');
    mkdirSync(place);
    const engine = await createEngine({
      log,
      secrets,
      ...createPerformers(log, models, openEmbedder(), { directory: place, hidden: [directory] }),
    });
    const invite = [{ participant_id: 'probe', profile: { kind: 'agent' as const, client: 'probe' } }];
    const made = await append(engine, human, { name: 'create', input: { title: 'B', kind: 'conversation', invite } });
    const thread = made[0]?.thread as string;
    engine.startWork();
    const values: number[] = [];
    const bare: number[] = [];
    await messages(engine, thread, 1);
    for (let i = 0; i < 15; i++) {
      bare.push(await bareStart());
      const posted = Date.now();
      await append(engine, human, say(thread));
      values.push((await messages(engine, thread, 2 * i + 3)) - posted);
    }
    await engine.close();
    await models.close();
    await log.close();
    const floor = median(bare);
    return {
      name: 'message posted → agent process started, in ms over a bare start',
      goal: { atMost: 50 },
      values: values.map((value) => value - floor),
      note: `${median(values).toFixed(1)} ms, bare ${floor.toFixed(1)} ms`,
    };
  });
}

/** Waits for so many messages; what the last of them says as a number. */
async function messages(engine: Engine, thread: string, count: number): Promise<number> {
  for (;;) {
    const changed = engine.tail.waitForChange(thread, 30_000);
    const rows = await engine.log.readThread(thread, 0, 1000);
    const said = rows.map(eventOf).filter(({ type }) => type === 'message');
    if (said.length >= count) return Number(said.at(-1)?.content);
    await changed;
  }
}

async function bareStart(): Promise<number> {
  const [name, ...args] = SAYS_WHEN as [string, ...string[]];
  const start = Date.now();
  const child = spawn(name, args);
  return Number(await text(child.stdout)) - start;
}

/** How soon one who waits by MCP hears of a post, and what fifty who hear nothing cost. */
function waiting(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const server = await startServer('bench/agents-server.ts', [join(directory, 'ours.db')]);
    try {
      const client = createClient({ url: `http://127.0.0.1:${server.port}`, token: server.token });
      const thread = client.thread(server.thread);
      const post = () => thread.post({ type: 'message', content: TEXT });
      const head = async () => (await thread.events({ before: 'head', limit: 1 })).head;
      // Both hear the same posts, so that whatever else the machine does is the same for both.
      const rounds = [];
      for (let i = 0; i < 9; i++) rounds.push(await heardAfter(server, thread, await head()));
      const cursor = await head();
      const idle = Array.from({ length: CLIENTS }, () => wait(server, cursor, 25));
      await later(3_000);
      const shares: number[] = [];
      for (let i = 0; i < 3; i++) {
        const before = await server.used();
        await later(IDLE_SECONDS * 1000);
        const { cpuMicros } = await server.used();
        shares.push((cpuMicros - before.cpuMicros) / (IDLE_SECONDS * 1e4));
      }
      await post();
      await Promise.all(idle);
      return [
        {
          name: '`wait` wakes after a post ÷ delivery on a stream',
          goal: { atMost: 1.5 },
          values: rounds.map(({ woken, seen }) => woken / seen),
          note: `${median(rounds.map(({ woken }) => woken)).toFixed(1)} ms ÷ ${median(rounds.map(({ seen }) => seen)).toFixed(1)} ms, from the post on, ${POSTS} posts a round`,
        },
        {
          name: `${CLIENTS} MCP clients waiting, idle: the server's share of a processor in %`,
          goal: { atMost: 1 },
          values: shares,
          note: `over ${IDLE_SECONDS} seconds, three times`,
        },
      ];
    } finally {
      await server.stop();
    }
  });
}

type Thread = ReturnType<ReturnType<typeof createClient>['thread']>;

async function heardAfter(server: Server, thread: Thread, from: string): Promise<{ woken: number; seen: number }> {
  const stop = new AbortController();
  const stream = thread.stream({ after: from, signal: stop.signal });
  const woken: number[] = [];
  const seen: number[] = [];
  let cursor = from;
  for (let i = 0; i < POSTS; i++) {
    const waits = wait(server, cursor, 20).then(() => performance.now());
    const streamed = nextMessage(stream);
    await later(SETTLED_MS);
    const start = performance.now();
    await thread.post({ type: 'message', content: TEXT });
    woken.push((await waits) - start);
    const item = await streamed;
    seen.push(item.at - start);
    cursor = item.cursor;
  }
  stop.abort();
  return { woken: median(woken), seen: median(seen) };
}

async function nextMessage(stream: ReturnType<Thread['stream']>): Promise<{ at: number; cursor: string }> {
  for (;;) {
    const { value, done } = await stream.next();
    if (done) throw new Error('The stream ended.');
    if (value.event?.type === 'message') return { at: performance.now(), cursor: value.cursor as string };
  }
}

async function wait(server: Server, after: string, seconds: number): Promise<void> {
  const params = { name: 'wait', arguments: { thread: server.thread, after, seconds } };
  const response = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const answer = await response.text();
  if (!answer.includes('cursor')) throw new Error(answer);
}
